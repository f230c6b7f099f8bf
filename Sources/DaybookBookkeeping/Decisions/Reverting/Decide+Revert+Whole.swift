import DaybookEntities

/// Consistency checks after a commit was undone.
extension BookkeepingState {
  /// Checks that the references of a restored entity exist, and that nothing refers to a removed
  /// entity.
  ///
  /// - Parameter rows: The transactions of a removed account or category, read before anything was
  ///   changed.
  mutating func checkWhole(
    _ step: ReversalStep, rows: [TransactionID]
  ) throws(Refusal) {
    try checkCurrencies(step)
    switch step.kind {
    case .account:
      guard step.isGoing else {
        if let account: Account = try entity(step.after, step) { try checkUnique(account) }
        return
      }
      if let account: Account = try entity(step.before, step) {
        try checkUnused(step, rows, "account “\(account.name)”")
        try checkUnreferenced(account: account)
        try checkUnallocated(account)
        if let terms: Stored<AccountTerms> = try stored(TermsID(of: account.id).rawValue) {
          throw Refusal.stillUsed(
            "account “\(account.name)”", "its interest terms", terms.entity.entityID)
        }
        for stated in try all(BalanceAssertion.self) where stated.entity.account == account.id {
          throw Refusal.stillUsed("account “\(account.name)”", "a stated balance", account.entityID)
        }
      }
    case .category:
      let before: Category? = try entity(step.before, step)
      guard step.isGoing else {
        guard var category: Category = try entity(step.after, step) else { return }
        // Use the category's effective parent, unless the undone change moved the category.
        if before?.parent == category.parent { category = try required(category.id) }
        // A deleted category has a place in the tree, but another category may use its name.
        if category.isDeleted {
          try checkAbove(category, height: 1)
        } else {
          try checkPlace(category, height: 1)
        }
        try checkUnique(category)
        return
      }
      if let category = before {
        try checkUnused(step, rows, "category “\(category.name)”")
        try checkUnreferenced(category: category)
        try checkUnallocated(category)
        let below = try reading { try categories() }
        if let child = below.first(where: { $0.parent == category.id && !$0.isDeleted }) {
          throw Refusal.stillUsed(
            "category “\(category.name)”", "the category “\(child.name)” below it",
            category.entityID)
        }
      }
    case .transaction:
      try checkThere(step)
      guard let transaction: Transaction = try entity(step.after, step) else { return }
      if let link = transaction.seriesLink { try check(link, for: transaction.id) }
    case .series:
      if step.after != nil { return try checkThere(step) }
      let id = SeriesID(step.id)
      guard let row = try reading({ try occurrences(of: id, on: nil) }).first else { return }
      let found = try required(row.transaction).entity
      let name = step.before.flatMap { step.kind.title(of: $0, step.id, step.number) }
      throw Refusal.stillUsed(
        name ?? "a recurring transaction", found.title, found.entityID)
    case .terms:
      if step.after != nil { return try checkThere(step) }
      let rows = try reading { try occurrences(of: SeriesID(step.id), on: nil) }
      guard let row = rows.first else { return }
      let found = try required(row.transaction).entity
      throw Refusal.stillUsed("the interest terms", found.title, found.entityID)
    case .budget, .rule, .assertion, .allocation: try checkThere(step)
    case .mapping:
      try checkThere(step)
      guard let mapping: SavedMapping = try entity(step.after, step) else { return }
      try checkUnique(mapping)
    default: break
    }
  }

  /// Checks that referenced accounts and categories exist; they may be closed, or deleted with
  /// their transactions kept.
  private mutating func checkThere(_ step: ReversalStep) throws(Refusal) {
    for account in try named(in: step.after, step) {
      switch account {
      case .account(let id): if !id.isBuiltin { _ = try required(id) }
      case .category(let id): _ = try anyCategory(id)
      }
    }
  }

  /// Refuses to restore an entity that refers to a deleted account or category with no
  /// transactions.
  ///
  /// Call this before anything is changed. Transactions are exempt: a restored transaction stays on
  /// a deleted account or category.
  mutating func checkKept(_ steps: [ReversalStep]) throws(Refusal) {
    let changed = Set(steps.map(\.id))
    for step in steps where step.kind != .transaction {
      let old = Set(try named(in: step.before, step))
      for account in try named(in: step.after, step)
      where !old.contains(account) && !changed.contains(account.coded.id) {
        let isGone: Bool
        switch account {
        case .account(let id):
          let found = try reading { try self.account(id) }
          isGone = found?.isDeleted == true && found?.openingBalance == 0
        case .category(let id):
          isGone = try reading { try category(id) }?.isDeleted == true
        }
        guard isGone, try reading({ try transactions(touching: account) }).isEmpty else { continue }
        let restored = step.after.flatMap { step.kind.title(of: $0, step.id, step.number) } ?? "it"
        throw Refusal(
          .missing, "can't restore \(restored): \(name(account)) was deleted; restore that first",
          [account.coded.id])
      }
    }
  }

  /// The accounts and categories that a record refers to.
  private func named(
    in record: Record?, _ step: ReversalStep
  ) throws(Refusal) -> [PostingAccount] {
    switch step.kind {
    case .transaction:
      let transaction: Transaction? = try entity(record, step)
      return transaction?.postings.map(\.account) ?? []
    case .series:
      let template = (try entity(record, step) as Series?)?.template
      return (template?.accounts ?? []).map { .account($0) }
        + (template?.categories ?? []).map { .category($0) }
    case .budget:
      return (try entity(record, step) as Budget?)?.everyCategory.map { .category($0) } ?? []
    case .rule:
      let rule: CategoryRule? = try entity(record, step)
      return (rule?.conditions ?? []).compactMap {
        if case .account(let id) = $0 { .account(id) } else { nil }
      } + [rule?.category].compactMap { $0.map { .category($0) } }
        + [rule?.transferAccount].compactMap { $0.map { .account($0) } }
    case .allocation:
      let allocation: Allocation? = try entity(record, step)
      return [allocation?.category, allocation?.source].compactMap { $0.map { .category($0) } }
        + [allocation?.account].compactMap { $0.map { .account($0) } }
    case .terms:
      let terms: AccountTerms? = try entity(record, step)
      return [terms?.account].compactMap { $0.map { .account($0) } }
        + [terms?.category].compactMap { $0.map { .category($0) } }
    case .assertion:
      return [(try entity(record, step) as BalanceAssertion?)?.account]
        .compactMap { $0.map { .account($0) } }
    case .mapping:
      return [(try entity(record, step) as SavedMapping?)?.account]
        .compactMap { $0.map { .account($0) } }
    default: return []
    }
  }

  private mutating func checkUnused(
    _ step: ReversalStep, _ rows: [TransactionID], _ name: String
  ) throws(Refusal) {
    guard let account = step.goingAccount else { return }
    for row in rows {
      guard let found: Stored<Transaction> = try stored(row.rawValue),
        found.entity.postings.contains(where: { $0.account == account })
      else { continue }
      throw Refusal.stillUsed(name, "\(found.entity.title)", row.rawValue)
    }
  }

  private mutating func checkUnique(_ account: Account) throws(Refusal) {
    if account.isDeleted { return }
    let key = Folding.key(account.name)
    let others = try reading { try accounts() }
    for other in others
    where !other.isDeleted && other.id != account.id && Folding.key(other.name) == key {
      throw Refusal(
        .duplicateName,
        "can't restore it: an account “\(other.name)” now exists; rename that account first",
        [other.id.rawValue])
    }
  }

  private mutating func checkUnique(_ category: Category) throws(Refusal) {
    if category.isDeleted { return }
    let key = Folding.key(category.name)
    let others = try reading { try categories() }
    for other in others
    where !other.isDeleted && other.id != category.id && other.kind == category.kind
      && other.parent == category.parent && Folding.key(other.name) == key
    {
      throw Refusal(
        .duplicateName,
        "can't restore it: a category “\(other.name)” now exists; rename that category first",
        [other.id.rawValue])
    }
  }
}

extension Refusal {
  fileprivate static func stillUsed(_ what: String, _ by: String, _ id: EntityID) -> Refusal {
    Refusal(
      .inUse, "can't undo the creation of \(what): \(by) uses it; undo or delete that first", [id])
  }
}
