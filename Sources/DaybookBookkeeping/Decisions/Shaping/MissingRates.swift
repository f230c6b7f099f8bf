/// Rows that can't be recorded because the same exchange rate is missing.
public struct MissingRates: Hashable, Sendable {
  /// The currency of the rows' amounts.
  public var source: Currency
  /// The currency of the account.
  public var target: Currency
  /// The first and last day without a rate.
  public var days: ClosedRange<Day>
  /// The number of rows that need the rate.
  public var rowCount: Int
  /// The line of the first such row in its file; 0 if unknown.
  public var firstLine: Int

  /// Creates the missing rate of one row.
  public init(
    from source: Currency, to target: Currency, on day: Day, line: Int = 0
  ) {
    self.source = source
    self.target = target
    days = day...day
    rowCount = 1
    firstLine = line
  }
}

extension Sequence<MissingRates> {
  /// The missing rates, combined for each pair of currencies, in order of first appearance.
  public var gathered: [MissingRates] {
    var places: [[Currency]: Int] = [:]
    var result: [MissingRates] = []
    for missing in self {
      guard let place = places[[missing.source, missing.target]] else {
        places[[missing.source, missing.target]] = result.count
        result.append(missing)
        continue
      }
      let (old, new) = (result[place].days, missing.days)
      result[place].days =
        Swift.min(old.lowerBound, new.lowerBound)...Swift.max(old.upperBound, new.upperBound)
      result[place].rowCount += missing.rowCount
      if missing.firstLine > 0, result[place].firstLine == 0 {
        result[place].firstLine = missing.firstLine
      }
    }
    return result
  }
}

extension MissingRates: CustomStringConvertible {
  /// The missing rate, and the number, days and lines of the rows that need it.
  public var description: String {
    let (first, last) = (days.lowerBound, days.upperBound)
    let span = first == last ? "on or before \(first)" : "for days from \(first) to \(last)"
    let line =
      firstLine == 0
      ? "" : rowCount == 1 ? ", line \(firstLine)" : ", the first in line \(firstLine)"
    return "There is no rate between \(source) and \(target) \(span): "
      + "\(rowCount) row\(rowCount == 1 ? "" : "s")\(line)."
  }
}
