package import Bookkeeping

/// One line of the sample household's bank file.
package struct HouseholdRow: Hashable, Sendable {
  /// What kind of movement a line is.
  package enum Kind: String, Sendable {
    case income
    case expense
    case transfer
  }

  /// Its day.
  package var day: Day
  /// Its kind.
  package var kind: Kind
  /// The account it leaves from or arrives at; the source of a transfer.
  package var account: String
  /// A positive amount in the currency's smallest unit.
  package var minorUnits: Int64
  /// The currency of the amount, which need not be the account's.
  package var currency: String
  /// The category, its parents first; empty for a transfer.
  package var category: [String] = []
  /// Where a transfer goes.
  package var targetAccount: String?
  /// What arrives there, where it has another currency.
  package var targetMinorUnits: Int64?
  /// Who was paid, or who paid.
  package var payee: String = ""
  /// What the bank writes.
  package var description: String = ""
  /// What the household wrote beside it.
  package var note: String = ""
  /// Labels.
  package var tags: [String] = []
}

/// One account of the sample household.
package struct HouseholdAccount: Hashable, Sendable {
  /// Its name.
  package var name: String
  /// Its currency.
  package var currency: String
  /// What was in it before the first row, in the currency's smallest unit.
  package var opening: Int64
  /// Whether it is a debt, as a credit card is.
  package var isLiability: Bool = false
}

/// The currencies of the sample household, with their decimal digits.
package enum HouseholdCurrency {
  /// The digits after the decimal point.
  package static func digits(of code: String) -> Int {
    code == "JPY" ? 0 : 2
  }

  /// The currency of a code; all that the household has are known.
  static func currency(_ code: String) -> Currency { Currency.iso(code) ?? .eur }

  /// An amount as a file shows it: `-1234.56`.
  package static func text(_ minorUnits: Int64, _ code: String) -> String {
    let digits = digits(of: code)
    let sign = minorUnits < 0 ? "-" : ""
    let figures = String(minorUnits.magnitude)
    guard digits > 0 else { return sign + figures }
    let padded = String(repeating: "0", count: max(0, digits + 1 - figures.count)) + figures
    return sign + padded.dropLast(digits) + "." + padded.suffix(digits)
  }
}
