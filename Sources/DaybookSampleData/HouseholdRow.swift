package import DaybookBookkeeping

/// A row of the sample household's bank file.
package struct HouseholdRow: Hashable, Sendable {
  /// The kind of a row.
  package enum Kind: String, Sendable {
    case income
    case expense
    case transfer
  }

  /// The day.
  package var day: Day
  /// The kind.
  package var kind: Kind
  /// The account that the money leaves or reaches; the source of a transfer.
  package var account: String
  /// The amount in minor units, which is positive.
  package var minorUnits: Int64
  /// The currency of the amount, which may differ from the account's.
  package var currency: String
  /// The path of the category, from the top; empty for a transfer.
  package var category: [String] = []
  /// The target account of a transfer.
  package var targetAccount: String?
  /// The amount that a transfer adds to the target account, if its currency differs.
  package var targetMinorUnits: Int64?
  /// The other party of the payment.
  package var payee: String = ""
  /// The bank's text.
  package var description: String = ""
  /// The household's note.
  package var note: String = ""
  /// The tags.
  package var tags: [String] = []
}

/// An account of the sample household.
package struct HouseholdAccount: Hashable, Sendable {
  /// The name.
  package var name: String
  /// The currency.
  package var currency: String
  /// The balance before the first row, in minor units.
  package var opening: Int64
  /// Whether the account is a liability, such as a credit card.
  package var isLiability: Bool = false
}

/// The currencies of the sample household.
package enum HouseholdCurrency {
  /// Returns the number of decimals of a currency.
  package static func digits(of code: String) -> Int {
    code == "JPY" ? 0 : 2
  }

  /// Returns the currency with a code.
  ///
  /// The household uses only currencies that ISO 4217 defines.
  static func currency(_ code: String) -> Currency { Currency.iso(code) ?? .eur }

  /// Returns an amount as written in files, such as `-1234.56`.
  package static func text(_ minorUnits: Int64, _ code: String) -> String {
    let digits = digits(of: code)
    let sign = minorUnits < 0 ? "-" : ""
    let figures = String(minorUnits.magnitude)
    guard digits > 0 else { return sign + figures }
    let padded = String(repeating: "0", count: max(0, digits + 1 - figures.count)) + figures
    return sign + padded.dropLast(digits) + "." + padded.suffix(digits)
  }
}
