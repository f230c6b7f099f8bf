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
  /// taken back as one.
  ///
  /// - Parameters:
  ///   - rules: The rules to try; those of the ledger where `nil`.
  ///   - limit: How many rows, at most.
  /// - Complexity: O(rows without a chosen category that are looked at).
  public func rulePreview(
    _ rules: [CategoryRule]? = nil, limit: Int = LedgerLimits.pageRowCountMax
  ) throws -> [RulePreview] {
    try Snapshot.check(limit, LedgerLimits.pageRowCountMax, "The number of rows")
    let rules = try rules ?? self.rules()
    let tree = try directory().tree
    var targets = Set(rules.compactMap(\.category))
    targets.formUnion([.uncategorizedExpense, .uncategorizedIncome])
    var found: [TransactionID: RulePreview] = [:]
    for target in targets {
      let filter = TransactionFilter(category: target, includesSubcategories: false)
      var key: TransactionKey?
      var count = 0
      while count < limit {
        let page = try transactions(filter, after: key, limit: 200)
        for row in page where found[row.id] == nil {
          let ruled = row.ruled(by: rules) { Category.builtin($0)?.kind ?? tree.byID[$0]?.kind }
          guard let ruled else { continue }
          found[row.id] = RulePreview(transaction: row, ruled: ruled)
          count += 1
        }
        guard page.count == 200, let last = page.last else { break }
        key = last.key
      }
    }
    let sorted = found.values.sorted {
      ($1.transaction.day, $1.transaction.number) < ($0.transaction.day, $0.transaction.number)
    }
    return Array(sorted.prefix(limit))
  }
}
