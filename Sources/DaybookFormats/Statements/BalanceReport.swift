public import DaybookBookkeeping

/// Compares a statement's balances with its rows and with the ledger.
public struct BalanceReport: Hashable, Sendable {
  /// The account's name in the ledger.
  public var account: String
  /// The stated balance before the first row.
  public var opening: StatedBalance?
  /// The stated balance after the last row.
  public var closing: StatedBalance?
  /// The amount by which the opening balance plus the rows exceeds the closing balance.
  ///
  /// It is zero if the statement adds up, and `nil` if the statement doesn't have both balances.
  public var difference: Total?
  /// The account's balance in the ledger at the end of the closing balance's day, including the
  /// rows of this import.
  ///
  /// `nil` without a closing balance, and in a dry run.
  public var inLedger: Total?
  /// The sum of the account's pending transactions up to that day, which ``inLedger`` includes.
  public var pendingInLedger: Total?
  /// The stated opening balance, if the account has none and that explains the difference, apart from
  /// pending transactions.
  public var missingOpening: Money?
  /// Whether the stated balances were recorded in the ledger as assertions, so that it reports when
  /// they no longer hold.
  public var isAsserted = false

  /// Creates a report without comparisons.
  public init(account: String, opening: StatedBalance?, closing: StatedBalance?) {
    self.account = account
    self.opening = opening
    self.closing = closing
  }

  /// Whether the statement adds up.
  ///
  /// This is also `true` if `difference` is `nil`.
  public var isConsistent: Bool { difference?.units ?? 0 == 0 }

  /// The amount by which the ledger exceeds the closing balance; `nil` if unknown.
  public var ledgerDifference: Total? {
    guard let closing, let inLedger, inLedger.currency == closing.amount.currency else {
      return nil
    }
    return Total(
      units: inLedger.units - Int128(closing.amount.minorUnits), currency: inLedger.currency)
  }
}
