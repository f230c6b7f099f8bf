/// A row as it is, and as the rules would have it.
public struct RulePreview: Hashable, Sendable {
  /// The row as it is.
  public let transaction: Transaction
  /// The row as the rules would have it; `categorizedBy` says which of them chose the category.
  public let ruled: Transaction
}

extension Snapshot {
  /// What rules would make of rows whose category no person has chosen, newest first.
  ///
  /// Nothing is changed: `Command.applyRules` does that, for all such rows in one commit, which can be
  /// taken back as one. Rows that it leaves alone, since they are in the closed period, or another rule
  /// than these still says where they belong, are left out.
  ///
  /// - Parameters:
  ///   - rules: The rules to try; those of the ledger where `nil`.
  ///   - limit: How many rows, at most.
  /// - Complexity: O(rows that are looked at): from the newest one on, until there are `limit`.
  public func rulePreview(
    _ rules: [CategoryRule]? = nil, limit: Int = LedgerLimits.pageRowCountMax
  ) throws -> [RulePreview] {
    try Snapshot.check(limit, LedgerLimits.pageRowCountMax, "The number of rows")
    let known = try self.rules()
    let tried = rules ?? known
    let closed = try settings().closedThrough
    let tree = try directory().tree
    func kind(_ id: CategoryID) -> CategoryKind? {
      let category = Category.builtin(id) ?? tree.byID[id]
      return category?.isDeleted ?? true ? nil : category?.kind
    }
    var found: [RulePreview] = []
    var key: TransactionKey?
    while found.count < limit {
      let page = try transactions(after: key, limit: 200)
      for row in page where found.count < limit {
        guard let ruled = row.ruled(by: tried, among: known, kind: kind) else { continue }
        // Figures of a closed period stay.
        if let closed, row.day <= closed, ruled.postings != row.postings { continue }
        found.append(RulePreview(transaction: row, ruled: ruled))
      }
      guard page.count == 200, let last = page.last else { break }
      key = last.key
    }
    return found
  }
}
