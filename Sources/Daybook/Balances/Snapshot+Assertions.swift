/// A balance assertion and the ledger's balance on its day.
public struct AssertionCheck: Hashable, Sendable {
  /// The assertion.
  public var assertion: BalanceAssertion
  /// The account's balance at the end of the assertion's day.
  public var balance: Total

  /// Creates a check.
  public init(assertion: BalanceAssertion, balance: Total) {
    self.assertion = assertion
    self.balance = balance
  }

  /// Whether the balances are equal.
  public var holds: Bool { Total(assertion.balance) == balance }
}

extension Snapshot {
  /// Returns every balance assertion with the ledger's balance, in the order in which they were
  /// recorded.
  ///
  /// The ledger accepts assertions that don't hold; this method reports them. Assertions about
  /// accounts that no longer exist are left out.
  ///
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  /// - Complexity: O(assertions).
  public func assertionChecks() throws -> [AssertionCheck] {
    try assertions().compactMap { assertion in
      guard try account(assertion.account) != nil else { return nil }
      return AssertionCheck(
        assertion: assertion, balance: try balance(of: assertion.account, on: assertion.day))
    }
  }
}
