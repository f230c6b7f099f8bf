import DaybookEntities

/// Budgets, series, rules, mappings and assertions that refer to a deleted account or category.
extension BookkeepingState {
  /// All entities of a kind with few entities.
  mutating func all<Entity: LedgerEntity>(_: Entity.Type) throws(Refusal) -> [Stored<Entity>] {
    try reading {
      try records(Entity.kind).map {
        Stored(
          entity: try Entity(record: $0.record, id: $0.id, number: $0.number), record: $0.record)
      }
    }
  }

  /// Refuses to delete an account with its transactions while a series, rule or mapping refers to
  /// it.
  mutating func checkUnreferenced(account: Account) throws(Refusal) {
    for series in try all(Series.self) where series.entity.template.accounts.contains(account.id) {
      throw Refusal.referenced(
        "account “\(account.name)”", account.id, "the recurring transaction “\(series.entity.name)”"
      )
    }
    for rule in try all(CategoryRule.self) where rule.entity.names(account.id) {
      throw Refusal.referenced(
        "account “\(account.name)”", account.id, "the rule “\(rule.entity.name)”")
    }
    for mapping in try all(SavedMapping.self) where mapping.entity.account == account.id {
      throw Refusal.referenced(
        "account “\(account.name)”", account.id, "the mapping “\(mapping.entity.name)”")
    }
  }

  /// Refuses to delete a category with its transactions while a budget, series or rule refers to
  /// it.
  mutating func checkUnreferenced(category: Category) throws(Refusal) {
    let (id, what) = (category.id, name(category.id))
    for budget in try all(Budget.self) where budget.entity.everyCategory.contains(id) {
      throw Refusal.referenced(what, id, "the budget “\(budget.entity.name)”")
    }
    for series in try all(Series.self) where series.entity.template.categories.contains(id) {
      throw Refusal.referenced(what, id, "the recurring transaction “\(series.entity.name)”")
    }
    for rule in try all(CategoryRule.self) where rule.entity.category == id {
      throw Refusal.referenced(what, id, "the rule “\(rule.entity.name)”")
    }
    for terms in try all(AccountTerms.self) where terms.entity.category == id {
      throw Refusal.referenced(what, id, "the interest of \(name(terms.entity.account))")
    }
  }

  /// Makes series, rules and mappings refer to another account.
  mutating func movePlans(account id: AccountID, to other: AccountID) throws(Refusal) {
    try movePayments(of: id, to: other)
    for stored in try all(Series.self) where stored.entity.template.accounts.contains(id) {
      var series = stored.entity
      series.template.replace(id, by: other)
      guard !series.template.movesWithinAccount else {
        throw Refusal(
          .inUse,
          "can't merge the accounts: the recurring transaction “\(series.name)” is a transfer "
            + "between them and would move nothing; change or remove it first",
          [series.entityID])
      }
      try emit(stored, series)
    }
    for stored in try all(CategoryRule.self) where stored.entity.names(id) {
      var rule = stored.entity
      for index in rule.conditions.indices where rule.conditions[index] == .account(id) {
        rule.conditions[index] = .account(other)
      }
      if rule.transferAccount == id { rule.transferAccount = other }
      try emit(stored, rule)
    }
    for stored in try all(SavedMapping.self) where stored.entity.account == id {
      var mapping = stored.entity
      mapping.account = other
      try emit(stored, mapping)
    }
  }

  /// Makes budgets, series and rules refer to another category.
  mutating func movePlans(category id: CategoryID, to other: CategoryID) throws(Refusal) {
    try moveAllocations(of: id, to: other)
    for stored in try all(Budget.self) where stored.entity.everyCategory.contains(id) {
      var budget = stored.entity
      budget.replace(id, by: other)
      try emit(stored, budget)
    }
    for stored in try all(Series.self) where stored.entity.template.categories.contains(id) {
      var series = stored.entity
      series.template.replace(id, by: other)
      try emit(stored, series)
    }
    for stored in try all(CategoryRule.self) where stored.entity.category == id {
      var rule = stored.entity
      rule.category = other
      try emit(stored, rule)
    }
    for stored in try all(AccountTerms.self) where stored.entity.category == id {
      var terms = stored.entity
      terms.category = other
      try emit(stored, terms)
    }
  }

  /// Removes the balance assertions of a deleted account.
  mutating func removeAssertions(of id: AccountID) throws(Refusal) {
    for stored in try all(BalanceAssertion.self) where stored.entity.account == id {
      try emit(stored, nil)
    }
  }
}

extension CategoryRule {
  fileprivate func names(_ id: AccountID) -> Bool {
    conditions.contains(.account(id)) || transferAccount == id
  }
}

extension Refusal {
  fileprivate static func referenced<Owner>(
    _ what: String, _ id: Identifier<Owner>, _ by: String
  ) -> Refusal {
    Refusal(
      .inUse,
      "can't delete \(what) with its transactions: \(by) refers to it; change that first, or keep "
        + "or move the transactions",
      [id.rawValue])
  }
}
