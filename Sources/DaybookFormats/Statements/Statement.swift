public import DaybookBookkeeping

/// A bank statement of one account: its rows, and the balances before and after them.
public struct Statement: Sendable {
  /// The physical line where the statement begins, from 1.
  public var line: Int
  /// The account, as identified by the file.
  public var account: StatementAccount
  /// The rows, in file order.
  public var rows: [StatementRow] = []
  /// The balance before the first row.
  public var opening: StatedBalance?
  /// Whether the account's history begins with the opening balance, because the file contains a row
  /// for it.
  public var begins = false
  /// The balance after the last row.
  public var closing: StatedBalance?

  /// Creates a statement without rows.
  public init(line: Int, account: StatementAccount) {
    self.line = line
    self.account = account
  }

  /// The opening balance plus the booked rows, minus the closing balance.
  ///
  /// `nil` if either balance is missing or if currencies differ.
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

/// A balance stated in a file.
public struct StatedBalance: Hashable, Sendable {
  /// The physical line of the balance, from 1.
  public var line: Int
  /// The day of the balance.
  ///
  /// A closing balance applies at the end of the day, and an opening balance at its beginning.
  public var day: Day
  /// The balance; negative if the account owes money.
  public var amount: Money

  /// Creates a stated balance.
  public init(line: Int, day: Day, amount: Money) {
    self.line = line
    self.day = day
    self.amount = amount
  }
}

/// An account, as identified in a bank's file.
public struct StatementAccount: Hashable, Sendable {
  /// The IBAN, without spaces and in uppercase; empty if there is none.
  public var iban: String
  /// The bank's own account number, as written in the file.
  public var number: String
  /// The bank's code, routing number or BIC.
  public var bank: String
  /// The name of the account in the file.
  public var name: String
  /// The kind of account, as stated in the file.
  public var kind: AccountKind
  /// The currency, if the file specifies it.
  public var currency: Currency?

  /// Creates an account.
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

  /// The numbers by which to find the account in a ledger, most specific first.
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
