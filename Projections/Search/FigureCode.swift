import Bookkeeping
import Entities

/// What stands for a transaction's status and amounts among the grams of its texts.
///
/// Amounts are taken without sign and currency, in classes a thirty-second wide or less, so that a range of amounts
/// is a range of codes. What the index finds is looked at.
enum FigureCode {
  // No gram begins with the hashes 1 and 2; see `Gram`.
  private static let amounts: UInt32 = 1 << 14
  private static let statuses: UInt32 = 2 << 14
  /// The bits of an amount that are told apart after its highest one.
  private static let mantissaBitCount = 5
  private static let digitCountMax = 18

  static func status(_ status: Status) -> UInt32 { statuses | UInt32(status.rawValue) }

  /// The class of an amount; of a greater amount it is not less.
  ///
  /// - Parameter digits: How many decimals the units have.
  static func amount(_ magnitude: UInt64, digits: Int) -> UInt32 {
    var scaled = UInt128(min(magnitude, UInt64(Int64.max)))
    for _ in min(digits, digitCountMax)..<digitCountMax { scaled *= 10 }
    // The highest bit and those after it; what is smaller is its own class.
    let bitCount = UInt128.bitWidth - scaled.leadingZeroBitCount
    let dropped = max(bitCount - mantissaBitCount - 1, 0)
    let mantissa = UInt32(truncatingIfNeeded: scaled >> UInt128(dropped))
    return amounts | UInt32(dropped) << UInt32(mantissaBitCount) + mantissa
  }

  /// The different codes of a transaction, ascending.
  static func codes(of record: Record) throws -> [UInt32] {
    let figures = try TransactionFigures(record.bytes.span.bytes)
    var codes: [UInt32] = []
    var cursor = PostingCursor(figures.postings)
    while try cursor.advance() {
      let account = cursor.code
      // What is built in only mirrors what is on accounts and categories.
      if account == .opening || account == .exchange || account == .outside { continue }
      let code = amount(cursor.units.magnitude, digits: cursor.currency.digits)
      // The two sides of a row have mostly the same amount.
      if codes.last != code { codes.append(code) }
    }
    if codes.count > 1 { codes = Set(codes).sorted() }
    codes.append(status(figures.status))
    return codes
  }
}

/// Amounts that are looked for, without sign, in any currency.
package struct SoughtAmounts {
  /// The codes that stand for them; none where no amount is one of them.
  let codes: Range<UInt32>?

  /// Amounts from the least to the greatest, both included.
  ///
  /// - Parameter decimals: How many decimals the units have, from 0 to 18.
  package init(_ units: ClosedRange<Int64>, decimals: Int) {
    guard units.upperBound >= 0 else {
      codes = nil
      return
    }
    let least = FigureCode.amount(UInt64(max(units.lowerBound, 0)), digits: decimals)
    codes = least..<FigureCode.amount(UInt64(units.upperBound), digits: decimals) + 1
  }
}
