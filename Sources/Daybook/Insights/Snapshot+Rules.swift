/// A row as it is, and as the rules would have it.
public struct RulePreview: Hashable, Sendable, Codable {
  /// The row as it is.
  public let transaction: Transaction
  /// The row as the rules would have it; `categorizedBy` says which of them chose the category.
  public let ruled: Transaction
}

extension Snapshot {
  /// What rules would make of rows whose category no person has chosen, newest first.
  ///
  /// Nothing is changed: `Command.applyRules` does that, for all such rows in one commit, which can be
  /// taken back as one. What it leaves alone, since a closed period locks the category, or another rule
  /// than these still says where the row belongs, is left out.
  ///
  /// - Parameters:
  ///   - rules: The rules to try; those of the ledger where `nil`.
  ///   - limit: How many rows, at most.
  /// - Throws: ``DaybookError`` also with the code `invalidQuery` where the limit is negative or above
  ///   ``LedgerLimits/pageRowCountMax``.
  /// - Complexity: O(rows down to the last that is returned; all, where there are fewer).
  public func rulePreview(
    _ rules: [CategoryRule]? = nil, limit: Int = LedgerLimits.pageRowCountMax
  ) throws -> [RulePreview] {
    try Snapshot.check(limit, LedgerLimits.pageRowCountMax, "The number of rows")
    let known = try self.rules()
    let tried = rules ?? known
    if !tried.contains(where: \.isEnabled) { return [] }
    let tree = try chartOfAccounts().tree
    let closed = try settings().closedThrough ?? Day(rawValue: .min)
    var found: [RulePreview] = []
    var key: TransactionPosition?
    while found.count < limit {
      let page = try transactions(after: key, limit: 200)
      for row in page where found.count < limit {
        guard let ruled = row.ruled(by: tried, among: known, category: { tree[$0] }) else {
          continue
        }
        let isLocked = row.day <= closed && row.categorized != ruled.categorized
        if !isLocked { found.append(RulePreview(transaction: row, ruled: ruled)) }
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
