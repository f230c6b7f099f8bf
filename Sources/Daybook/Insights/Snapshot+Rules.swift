/// A transaction before and after the rules are applied.
public struct RulePreview: Hashable, Sendable, Codable {
  /// The current transaction.
  public let transaction: Transaction
  /// The transaction after the rules are applied; `categorizedBy` names the rule that chose the
  /// category or made a transfer.
  ///
  /// If the row of a transfer's other account is recorded too, applying the rules makes one
  /// transaction of both.
  public let ruled: Transaction
}

extension Snapshot {
  /// Returns the effect of rules on the transactions whose category no person has chosen, newest
  /// first.
  ///
  /// Nothing is changed. `Command.applyRules` applies the rules to all such transactions in one
  /// commit, which can be undone as a whole. Transactions that the command would skip are left out:
  /// those whose category is locked by a closed period, or still determined by a rule that isn't in
  /// `rules`.
  ///
  /// - Parameters:
  ///   - rules: The rules to try; the ledger's rules if `nil`.
  ///   - limit: The maximum number of transactions.
  /// - Throws: ``DaybookError`` as described at ``Snapshot``, and with the code `invalidQuery` if
  ///   the limit is negative or above ``LedgerLimits/pageRowCountMax``.
  /// - Complexity: O(rows down to the last returned row), or O(all rows) if the result has fewer
  ///   than `limit` rows.
  public func rulePreview(
    _ rules: [CategoryRule]? = nil, limit: Int = LedgerLimits.pageRowCountMax
  ) throws -> [RulePreview] {
    try rulePreview(rules, limit: limit, isLocked: false)
  }

  /// Returns the transactions whose category the rules would change if no closed period locked it,
  /// newest first.
  ///
  /// ``rulePreview(_:limit:)`` leaves these transactions out.
  ///
  /// - Parameters:
  ///   - rules: The rules to try; the ledger's rules if `nil`.
  ///   - limit: The maximum number of transactions.
  /// - Throws: ``DaybookError``, as for ``rulePreview(_:limit:)``.
  /// - Complexity: O(all rows), if there is a closed period.
  public func rulesWithheld(
    _ rules: [CategoryRule]? = nil, limit: Int = LedgerLimits.pageRowCountMax
  ) throws -> [RulePreview] {
    if try settings().closedThrough == nil { return [] }
    return try rulePreview(rules, limit: limit, isLocked: true)
  }

  /// Returns the transactions that rules would change, either only transactions with a locked
  /// category or only the others.
  private func rulePreview(
    _ rules: [CategoryRule]?, limit: Int, isLocked wanted: Bool
  ) throws -> [RulePreview] {
    try Snapshot.check(limit, LedgerLimits.pageRowCountMax, "The number of rows")
    let known = try self.rules()
    let tried = rules ?? known
    if !tried.contains(where: \.isEnabled) { return [] }
    let chart = try chartOfAccounts()
    let closed = try settings().closedThrough ?? Day(rawValue: .min)
    var found: [RulePreview] = []
    var key: TransactionPosition?
    while found.count < limit {
      let page = try transactions(after: key, limit: 200)
      for row in page where found.count < limit {
        let new = row.ruled(
          by: tried, among: known, category: { chart.tree[$0] },
          account: { chart.accountsByID[$0] })
        guard let ruled = new else { continue }
        let isLocked = row.day <= closed && row.categorized != ruled.categorized
        if isLocked == wanted { found.append(RulePreview(transaction: row, ruled: ruled)) }
      }
      guard page.count == 200, let last = page.last else { break }
      key = last.key
    }
    return found
  }
}

extension Transaction {
  fileprivate var categorized: [PostingAccount] { postings.map(\.account) }
}
