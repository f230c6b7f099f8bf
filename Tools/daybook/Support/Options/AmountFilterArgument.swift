import ArgumentParser
import Daybook

/// A range of amounts, such as `12.50`, `10..20`, `100..` or `..5`, with an optional currency.
struct AmountFilterArgument {
  private let units: ClosedRange<Int64>
  private let decimals: Int
  private let code: String?

  /// Parses a range.
  ///
  /// - Throws: `ValidationError` that lists the valid forms.
  init(_ argument: String) throws {
    let letters = argument.reversed().prefix { $0.isLetter }
    code = letters.isEmpty ? nil : String(letters.reversed())
    let figures = argument.dropLast(letters.count)
    var bounds: [Substring] = [figures]
    if let dots = figures.firstRange(of: "..") {
      bounds = [figures[..<dots.lowerBound], figures[dots.upperBound...]]
    }
    bounds = bounds.map { bound in
      // The filter ignores the direction of payments, so drop signs.
      let text = bound.filter { $0 != " " }
      return text.drop { "+-−".contains($0) }
    }
    // Both bounds are parsed with the larger number of decimals.
    decimals = bounds.map(Self.decimals).max() ?? 0
    guard decimals <= 8, let currency = Currency(code: "XXX", digits: decimals) else {
      throw Self.form(argument)
    }
    var values: [Int64?] = []
    for bound in bounds {
      if bound.isEmpty {
        values.append(nil)
      } else if let money = try? Money.parse(bound, currency: currency) {
        values.append(money.minorUnits)
      } else {
        throw Self.form(argument)
      }
    }
    guard values.contains(where: { $0 != nil }) else { throw Self.form(argument) }
    let least = values[0] ?? 0
    let most = values.count == 1 ? least : values[1] ?? .max
    guard least <= most else {
      throw ValidationError("“\(argument)” has the larger amount first. Swap the amounts.")
    }
    units = least...most
  }

  private static func form(_ text: String) -> ValidationError {
    ValidationError(
      "“\(text)” isn't an amount or a range. Write 12.50, 10..20, 100.. or ..5, optionally "
        + "followed by a currency.")
  }

  private static func decimals(_ text: some StringProtocol) -> Int {
    text.firstIndex(of: ".").map { text.distance(from: $0, to: text.endIndex) - 1 } ?? 0
  }

  /// Returns the range with its currency looked up in the ledger.
  func range(in snapshot: borrowing Snapshot) throws -> AmountRange {
    guard let code else { return AmountRange(units, decimals: decimals) }
    let currency = try Lookup.currency(code, in: snapshot)
    return AmountRange(units, decimals: decimals, in: currency)
  }
}
