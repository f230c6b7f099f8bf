/// Rows that cannot be recorded because one and the same rate is not there.
public struct MissingRates: Hashable, Sendable {
  /// The currency of the rows' amounts.
  public var source: Currency
  /// The currency of the account.
  public var target: Currency
  /// The first and the last day that has no rate.
  public var days: ClosedRange<Day>
  /// How many rows need it.
  public var rowCount: Int
  /// The line of the first of them in its file; 0 where there is none.
  public var firstLine: Int

  /// What one row needs.
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
  /// Each pair of currencies once, in the order in which they came.
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
  /// Which rate, for how many rows of which days.
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
