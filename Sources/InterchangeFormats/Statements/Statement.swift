public import Bookkeeping

/// What a bank says of one account: who it is, its rows, and what it holds before and after them.
public struct Statement: Sendable {
  /// The physical line where the statement begins, from 1.
  public var line: Int
  /// The account, as the file names it.
  public var account: StatementAccount
  /// The rows in file order.
  public var rows: [StatementRow] = []
  /// What the account held before the first row.
  public var opening: StatedBalance?
  /// Whether the account begins with the opening balance: a row of the file says so, and nothing was before.
  public var begins = false
  /// What it holds after the last row.
  public var closing: StatedBalance?

  /// A statement without rows.
  public init(line: Int, account: StatementAccount) {
    self.line = line
    self.account = account
  }

  /// The opening balance and the rows that are booked, less what the closing balance says; `nil` where
  /// one of both is not there, or they are in different currencies.
  public var difference: Total? {
    guard let opening, let closing, opening.amount.currency == closing.amount.currency else {
      return nil
    }
    var units = Int128(opening.amount.minorUnits) - Int128(closing.amount.minorUnits)
    for row in rows where !row.isPending {
      guard row.amount.currency == opening.amount.currency else { return nil }
      units += Int128(row.amount.minorUnits)
    }
    return Total(units: units, currency: opening.amount.currency)
  }
}

/// A balance that a file states.
public struct StatedBalance: Hashable, Sendable {
  /// The physical line where it stands, from 1.
  public var line: Int
  /// The day at whose end (an opening balance: at whose beginning) the account holds it.
  public var day: Day
  /// What the account holds; negative where it owes.
  public var amount: Money

  /// A balance that a file states.
  public init(line: Int, day: Day, amount: Money) {
    self.line = line
    self.day = day
    self.amount = amount
  }
}

/// An account as a bank's file names it.
public struct StatementAccount: Hashable, Sendable {
  /// The international number, without blanks, in capitals; empty where there is none.
  public var iban: String
  /// The bank's own number of it, as the file writes it.
  public var number: String
  /// The bank: its code, routing number or BIC.
  public var bank: String
  /// What the file calls it.
  public var name: String
  /// What sort of account the file says it is.
  public var kind: AccountKind
  /// Its currency, where the file says it.
  public var currency: Currency?

  /// An account as a bank's file names it.
  public init(
    iban: String = "", number: String = "", bank: String = "", name: String = "",
    kind: AccountKind = .asset, currency: Currency? = nil
  ) {
    self.iban = iban
    self.number = number
    self.bank = bank
    self.name = name
    self.kind = kind
    self.currency = currency
  }

  /// The numbers by which a ledger's account is found, the surest first.
  public var identifiers: [String] {
    var found: [String] = []
    if !iban.isEmpty { found.append(iban) }
    if !number.isEmpty {
      if !bank.isEmpty { found.append("\(bank)/\(number)") }
      found.append(number)
    }
    return found
  }
}
