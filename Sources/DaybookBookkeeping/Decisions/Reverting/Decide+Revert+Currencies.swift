import DaybookEntities

/// Checks of ledger-defined currencies when a commit is undone.
extension BookkeepingState {
  /// Checks that the currencies of a restored entity exist, and that a removed definition's
  /// currency is unused.
  mutating func checkCurrencies(_ step: ReversalStep) throws(Refusal) {
    if step.kind == .currency {
      let definition: CurrencyDefinition? = try entity(step.after == nil ? step.before : nil, step)
      if let currency = definition?.currency { try checkUnused(currency) }
    }
    for currency in try currencies(step) { try check(currency) }
  }

  /// The currencies of a restored entity.
  private func currencies(_ step: ReversalStep) throws(Refusal) -> Set<Currency> {
    switch step.kind {
    case .settings:
      let settings: LedgerSettings? = try entity(step.after, step)
      return Set([settings?.baseCurrency].compactMap(\.self))
    case .account:
      let account: Account? = try entity(step.after, step)
      return Set([account?.currency].compactMap(\.self))
    case .transaction:
      let transaction: Transaction? = try entity(step.after, step)
      return Set(transaction?.postings.map(\.amount.currency) ?? [])
    case .rate:
      let rate: ExchangeRate? = try entity(step.after, step)
      return Set(rate.map { [$0.base, $0.quoted] } ?? [])
    case .budget:
      let budget: Budget? = try entity(step.after, step)
      return Set([budget?.amount.currency].compactMap(\.self))
    case .series:
      let series: Series? = try entity(step.after, step)
      return Set([series?.template.amount.currency].compactMap(\.self))
    case .rule:
      let rule: CategoryRule? = try entity(step.after, step)
      return rule?.currencies ?? []
    default: return []
    }
  }

  /// Refuses to remove the definition of a currency that is in use.
  ///
  /// - Complexity: O(transactions) if no other entity uses the currency.
  private mutating func checkUnused(_ currency: Currency) throws(Refusal) {
    let accounts = try reading { try self.accounts() }
    if let account = accounts.first(where: { $0.currency == currency }) {
      throw Refusal.stillUsed(currency, "account “\(account.name)”", account.entityID)
    }
    if try reading({ try settings() }).baseCurrency == currency {
      throw Refusal.stillUsed(currency, "the base currency", LedgerSettings.id)
    }
    if try reading({ try ratedCurrencies() }).contains(currency) {
      throw Refusal.stillUsed(currency, "a rate", CurrencyDefinition.id(of: currency))
    }
    for budget in try all(Budget.self) where budget.entity.amount.currency == currency {
      throw Refusal.stillUsed(
        currency, "the budget “\(budget.entity.name)”", budget.entity.entityID)
    }
    for series in try all(Series.self) where series.entity.template.amount.currency == currency {
      throw Refusal.stillUsed(
        currency, "the recurring transaction “\(series.entity.name)”", series.entity.entityID)
    }
    for rule in try all(CategoryRule.self) where rule.entity.currencies.contains(currency) {
      throw Refusal.stillUsed(currency, "the rule “\(rule.entity.name)”", rule.entity.entityID)
    }
    // No account uses the currency, so a transaction in the currency has a category or a built-in
    // account.
    var places = [AccountID.outside, .exchange, .opening].map { PostingAccount.account($0) }
    let categories =
      [.uncategorizedExpense, .uncategorizedIncome]
      + (try reading { try self.categories() }).map(\.id)
    places += categories.map { .category($0) }
    for place in places {
      for id in try reading({ try transactions(touching: place) }) {
        let row = try required(id).entity
        guard row.postings.contains(where: { $0.amount.currency == currency }) else { continue }
        throw Refusal.stillUsed(currency, row.title, row.entityID)
      }
    }
  }
}

extension CategoryRule {
  /// The currencies of the rule's conditions.
  fileprivate var currencies: Set<Currency> {
    Set(conditions.compactMap(\.currency))
  }
}

extension Refusal {
  fileprivate static func stillUsed(
    _ currency: Currency, _ by: String, _ id: EntityID
  ) -> Refusal {
    Refusal(
      .inUse,
      "can't undo the definition of the currency \(currency): \(by) uses it; undo or delete that "
        + "first",
      [id])
  }
}
