import DaybookEntities

/// Category rules, applied when transactions are recorded and to existing transactions.
extension BookkeepingState {
  /// Applies the rules to a transaction that is about to be recorded.
  mutating func ruled(_ transaction: Transaction) throws(Refusal) -> Transaction {
    guard transaction.categorizedBy == nil, transaction.isOpenToRules else { return transaction }
    let rules = try all(CategoryRule.self).map(\.entity)
    if rules.isEmpty { return transaction }
    return try ruled(transaction, by: rules, among: rules) ?? transaction
  }

  /// Applies the rules to existing transactions whose category no person has chosen.
  ///
  /// All such transactions are checked, because rules may have changed or been removed since they
  /// were applied. Transactions whose category is locked by a closed period are left unchanged. The
  /// category of a reconciled transaction isn't locked.
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
        // A transaction that became the half of a transfer is gone.
        guard let stored: Stored<Transaction> = try stored(id.rawValue) else { continue }
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
        if new.ownHalf != nil { _ = try joinHalves(of: id) }
      }
    }
    return .rows(count)
  }

  /// Whether a rule makes transfers, so that imported rows can be their other halves.
  mutating func rulesMakeTransfers() throws(Refusal) -> Bool {
    try all(CategoryRule.self).contains { $0.entity.transferAccount != nil }
  }

  /// Replaces the category rules: writes rules that differ and removes rules that are not in the
  /// array.
  mutating func setRules(_ rules: [CategoryRule]) throws(Refusal) -> Outcome {
    let kept = Set(rules.map(\.id))
    for stored in try all(CategoryRule.self) where !kept.contains(stored.entity.id) {
      try emit(stored, nil)
    }
    for rule in rules { _ = try put(rule) }
    return .done
  }

  /// Refuses to record a missing rule as the rule that chose a category.
  ///
  /// Existing transactions still refer to their rule after it has been removed.
  mutating func check(_ id: RuleID) throws(Refusal) {
    let rule: Stored<CategoryRule>? = try stored(id.rawValue)
    guard rule != nil else { throw Refusal.noRule(id) }
  }

  private mutating func ruled(
    _ transaction: Transaction, by tried: [CategoryRule], among rules: [CategoryRule]
  ) throws(Refusal) -> Transaction? {
    try reading {
      try transaction.ruled(
        by: tried, among: rules, category: { try Category.builtin($0) ?? category($0) },
        account: { try account($0) })
    }
  }
}

extension Refusal {
  fileprivate static func noRule(_ id: RuleID) -> Refusal {
    Refusal(
      .missing, "there is no rule with the id \(id); add it first, or check the id", [id.rawValue])
  }
}
