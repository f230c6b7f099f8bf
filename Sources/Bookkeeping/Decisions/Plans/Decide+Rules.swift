import Entities

/// Rules that choose categories: when rows are recorded, and over the past.
extension BookkeepingState {
  /// What the rules make of a row that is about to be recorded.
  mutating func ruled(_ transaction: Transaction) throws(Refusal) -> Transaction {
    guard transaction.categorizedBy == nil, transaction.isOpenToRules else { return transaction }
    let rules = try all(CategoryRule.self).map(\.entity)
    if rules.isEmpty { return transaction }
    return try ruled(transaction, by: rules, among: rules) ?? transaction
  }

  /// Applies the rules to rows of the past whose category no person chose.
  ///
  /// All such rows are looked at: rules give other categories than when they placed a row, or have gone.
  /// Rows whose category a closed period locks are left alone; that of a reconciled row is not locked.
  mutating func applyRules(to ids: [RuleID]?) throws(Refusal) -> Outcome {
    let rules = try all(CategoryRule.self).map(\.entity)
    if let ids {
      for id in ids where !rules.contains(where: { $0.id == id }) {
        throw Refusal.noRule(id)
      }
    }
    let tried = rules.filter { $0.isEnabled && ids?.contains($0.id) ?? true }
    if tried.isEmpty { return .rows(0) }
    let categories =
      try [.uncategorizedExpense, .uncategorizedIncome]
      + reading { try self.categories() }.map(\.id)
    var seen: Set<TransactionID> = []
    var count = 0
    for category in categories {
      let rows = try reading { try transactions(touching: .category(category)) }
      for id in rows where seen.insert(id).inserted {
        let stored = try required(id)
        guard var new = try ruled(stored.entity, by: tried, among: rules) else { continue }
        do throws(Refusal) {
          try checkLocks(stored.entity, new)
        } catch {
          guard error.code == .closedPeriod else { throw error }
          continue
        }
        try follow(stored.entity, &new)
        try emit(stored, new)
        count += 1
      }
    }
    return .rows(count)
  }

  /// Makes these the rules there are: those that differ are put, those that are not among them go.
  mutating func setRules(_ rules: [CategoryRule]) throws(Refusal) -> Outcome {
    let kept = Set(rules.map(\.id))
    for stored in try all(CategoryRule.self) where !kept.contains(stored.entity.id) {
      try emit(stored, nil)
    }
    for rule in rules { _ = try put(rule) }
    return .done
  }

  /// Refuses a rule that is not there as the one that chose a category.
  ///
  /// What it chose while it was there keeps naming it when it has gone.
  mutating func check(_ id: RuleID) throws(Refusal) {
    let rule: Stored<CategoryRule>? = try stored(id.rawValue)
    guard rule != nil else { throw Refusal.noRule(id) }
  }

  private mutating func ruled(
    _ transaction: Transaction, by tried: [CategoryRule], among rules: [CategoryRule]
  ) throws(Refusal) -> Transaction? {
    try reading {
      try transaction.ruled(by: tried, among: rules) { try Category.builtin($0) ?? category($0) }
    }
  }
}

extension Refusal {
  fileprivate static func noRule(_ id: RuleID) -> Refusal {
    Refusal(
      .missing, "there is no rule with the id \(id); add it first, or check the id", [id.rawValue])
  }
}
