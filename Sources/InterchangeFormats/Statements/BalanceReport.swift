public import Bookkeeping

/// What a statement says that an account holds, held against its rows and against the ledger.
public struct BalanceReport: Hashable, Sendable {
  /// The account's name in the ledger.
  public var account: String
  /// What the statement says that it held before the first row.
  public var opening: StatedBalance?
  /// What the statement says that it holds after the last row.
  public var closing: StatedBalance?
  /// By how much the opening balance and the rows exceed the closing balance; zero where it follows,
  /// `nil` where the statement has not both.
  public var difference: Total?
  /// What the ledger says that the account holds at the end of the closing balance's day, with the rows
  /// of this import; `nil` without a closing balance, and in a rehearsal.
  public var inLedger: Total?
  /// Whether the ledger was told to keep the balances and report when they no longer hold.
  public var isAsserted = false

  /// What a statement says of an account.
  public init(account: String, opening: StatedBalance?, closing: StatedBalance?) {
    self.account = account
    self.opening = opening
    self.closing = closing
  }

  /// Whether the statement follows from its own rows, as far as it says.
  public var isConsistent: Bool { difference?.units ?? 0 == 0 }

  /// By how much the ledger exceeds the statement; `nil` where that is not known.
  public var ledgerDifference: Total? {
    guard let closing, let inLedger, inLedger.currency == closing.amount.currency else {
      return nil
    }
    return Total(
      units: inLedger.units - Int128(closing.amount.minorUnits), currency: inLedger.currency)
  }
}
