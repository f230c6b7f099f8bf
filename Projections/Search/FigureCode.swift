import DaybookBookkeeping
import DaybookEntities

/// Codes for a transaction's status and amounts, stored among the grams of its texts.
///
/// Amounts, without sign and currency, are grouped into classes. The amounts in a class differ by
/// at most 1/32. Classes are ordered, so a range of amounts is a range of codes. Because a class
/// contains several amounts, rows that are found by code must be tested.
enum FigureCode {
  // No gram begins with the hashes 1 and 2; see `Gram`.
  private static let amounts: UInt32 = 1 << 14
  private static let statuses: UInt32 = 2 << 14
  /// The number of significant bits of an amount that follow its highest bit.
  private static let mantissaBitCount = 5
  private static let digitCountMax = 18

  static func status(_ status: Status) -> UInt32 { statuses | UInt32(status.rawValue) }

  /// Returns the class of an amount; a greater amount never has a lower class.
  ///
  /// - Parameter digits: The number of decimals of the units.
  static func amount(_ magnitude: UInt64, digits: Int) -> UInt32 {
    var scaled = UInt128(min(magnitude, UInt64(Int64.max)))
    for _ in min(digits, digitCountMax)..<digitCountMax { scaled *= 10 }
    // Keep the highest bit and the significant bits after it. Each amount with fewer bits is a
    // separate class.
    let bitCount = UInt128.bitWidth - scaled.leadingZeroBitCount
    let dropped = max(bitCount - mantissaBitCount - 1, 0)
    let mantissa = UInt32(truncatingIfNeeded: scaled >> UInt128(dropped))
    return amounts | UInt32(dropped) << UInt32(mantissaBitCount) + mantissa
  }

  /// Returns the distinct codes of a transaction in ascending order.
  static func codes(of record: Record) throws -> [UInt32] {
    let figures = try TransactionFigures(record.bytes.span.bytes)
    var codes: [UInt32] = []
    var cursor = PostingCursor(figures.postings)
    while try cursor.advance() {
      let account = cursor.code
      // Postings to built-in accounts only mirror postings to other accounts and categories.
      if account == .opening || account == .exchange || account == .outside { continue }
      let code = amount(cursor.units.magnitude, digits: cursor.currency.digits)
      // Both sides of a transaction usually have the same amount.
      if codes.last != code { codes.append(code) }
    }
    if codes.count > 1 { codes = Set(codes).sorted() }
    codes.append(status(figures.status))
    return codes
  }
}

/// A range of amounts to search for, without sign and in any currency.
package struct SoughtAmounts {
  /// The codes of the amounts, or `nil` if the range contains no amount.
  let codes: Range<UInt32>?

  /// Creates a range that includes both bounds.
  ///
  /// - Parameter decimals: The number of decimals of the units, from 0 to 18.
  package init(_ units: ClosedRange<Int64>, decimals: Int) {
    guard units.upperBound >= 0 else {
      codes = nil
      return
    }
    let least = FigureCode.amount(UInt64(max(units.lowerBound, 0)), digits: decimals)
    codes = least..<FigureCode.amount(UInt64(units.upperBound), digits: decimals) + 1
  }
}
