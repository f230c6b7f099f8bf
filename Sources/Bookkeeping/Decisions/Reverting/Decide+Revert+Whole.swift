import Entities

/// What a ledger must be like once something was taken back.
extension BookkeepingState {
  /// Checks that what was brought back has what it names, and what went is named by nothing.
  ///
  /// - Parameter rows: the transactions of what went, before anything was changed.
  mutating func checkWhole(
    _ step: ReversalStep, rows: [TransactionID]
  ) throws(Refusal) {
    try checkCurrencies(step)
    switch step.kind {
    case .account:
      if let account: Account = try entity(step.after, step) {
        try checkUnique(account)
      } else if let account: Account = try entity(step.before, step) {
        try checkUnused(step, rows, "account “\(account.name)”")
        try checkUnreferenced(account: account)
        for stated in try all(BalanceAssertion.self) where stated.entity.account == account.id {
          throw Refusal.stillUsed("account “\(account.name)”", "a stated balance", account.entityID)
        }
      }
    case .category:
      if let category: Category = try entity(step.after, step) {
        // A deleted one has a place, too, where its name may be another's.
        if category.isDeleted {
          try checkAbove(category, height: 1)
        } else {
          try checkPlace(category, height: 1)
        }
        try checkUnique(category)
      } else if let category: Category = try entity(step.before, step) {
        try checkUnused(step, rows, "category “\(category.name)”")
        try checkUnreferenced(category: category)
        let children = try reading { try categories() }.filter { $0.parent == category.id }
        if let child = children.first {
          throw Refusal.stillUsed(
            "category “\(category.name)”", "the category “\(child.name)” below it",
            category.entityID)
        }
      }
    case .transaction:
      guard let transaction: Transaction = try entity(step.after, step) else { return }
      for posting in transaction.postings { try checkThere(posting.account) }
      if let link = transaction.seriesLink { try check(link, for: transaction.id) }
    case .series:
      if let series: Series = try entity(step.after, step) {
        let template = series.template
        for id in [template.account, template.otherAccount].compactMap(\.self) {
          try checkThere(.account(id))
        }
        if let category = template.category { try checkThere(.category(category)) }
        return
      }
      let id = SeriesID(step.id)
      guard let row = try reading({ try occurrences(of: id, on: nil) }).first else { return }
      let found = try required(row.transaction).entity
      throw Refusal.stillUsed("a recurring series", found.title, found.entityID)
    case .budget:
      guard let budget: Budget = try entity(step.after, step) else { return }
      for category in budget.categories { try checkThere(.category(category)) }
    case .rule:
      guard let rule: CategoryRule = try entity(step.after, step) else { return }
      if let category = rule.category { try checkThere(.category(category)) }
      for condition in rule.conditions {
        if case .account(let id) = condition { try checkThere(.account(id)) }
      }
    case .assertion:
      guard let stated: BalanceAssertion = try entity(step.after, step) else { return }
      _ = try required(stated.account)
    case .mapping:
      guard let mapping: SavedMapping = try entity(step.after, step) else { return }
      if let account = mapping.account { try checkThere(.account(account)) }
      try checkUnique(mapping)
    default: break
    }
  }

  /// Closed or deleted with its rows kept: what names it was there already.
  private mutating func checkThere(_ account: PostingAccount) throws(Refusal) {
    switch account {
    case .account(let id): if !id.isBuiltin { _ = try required(id) }
    case .category(let id): _ = try anyCategory(id)
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
        "there is an account “\(other.name)” by now; rename it first", [other.id.rawValue])
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
        "there is a category “\(other.name)” by now; rename it first", [other.id.rawValue])
    }
  }
}

extension Refusal {
  fileprivate static func stillUsed(_ what: String, _ by: String, _ id: EntityID) -> Refusal {
    Refusal(
      .inUse, "can't take back \(what): \(by) uses it by now; undo or delete that first", [id])
  }
}
