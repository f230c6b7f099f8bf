/// A balance that was stated, and what the ledger says.
public struct AssertionCheck: Hashable, Sendable {
  /// What was stated.
  public var assertion: BalanceAssertion
  /// The account's balance at the end of that day.
  public var balance: Total

  /// What was stated, and what the ledger says.
  public init(assertion: BalanceAssertion, balance: Total) {
    self.assertion = assertion
    self.balance = balance
  }

  /// Whether the two agree.
  public var holds: Bool { Total(assertion.balance) == balance }
}

extension Snapshot {
  /// Every stated balance with what the ledger says, in the order of their recording.
  ///
  /// A statement that does not follow is reported here, never refused. Statements about accounts
  /// that are gone are left out.
  ///
  /// - Throws: ``DaybookError`` where the views cannot answer; see ``Snapshot``.
  /// - Complexity: O(assertions).
  public func assertionChecks() throws -> [AssertionCheck] {
    try assertions().compactMap { assertion in
      guard try account(assertion.account) != nil else { return nil }
      return AssertionCheck(
        assertion: assertion, balance: try balance(of: assertion.account, on: assertion.day))
    }
  }
}
