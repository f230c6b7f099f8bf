import DaybookEntities

extension BookkeepingState {
  /// Adds or replaces a budget.
  mutating func put(_ given: Budget) throws(Refusal) -> Outcome {
    var budget = given
    budget.name = try checkedName(given.name, of: "the budget")
    let what = "the budget “\(budget.name)”"
    try check(budget.note, "the note of \(what)", max: Limits.noteByteCountMax)
    try check(budget.categories.count, "categories", of: what, max: Limits.budgetCategoryCountMax)
    let stored: Stored<Budget>? = budget.id == .unassigned ? nil : try stored(budget.entityID)
    let known = Set(stored?.entity.everyCategory ?? [])
    for id in budget.everyCategory {
      // A category that the budget already includes may have been deleted since.
      let isWatched = known.contains(id)
      let category = try isWatched ? anyCategory(id) : usableCategory(id, .expense, [])
      guard category.kind == .expense else {
        throw Refusal(
          .kind, "\(what) can't cover \(name(id)); choose expense categories", [id.rawValue])
      }
    }
    try checkSize(budget.amount, "the amount of \(what)")
    for period in [budget.period] + budget.earlierPeriods.map(\.value) {
      switch period {
      case .monthly(let day) where !(1...31).contains(day):
        throw Refusal(.value, "\(what) can't start on day \(day) of a month; give 1 to 31")
      case .weeks(let count, let day), .months(let count, let day):
        guard (1...Limits.budgetPeriodCountMax).contains(count) else {
          throw Refusal(
            .value,
            "\(what) can't have periods of \(count) weeks or months; give 1 to "
              + "\(Limits.budgetPeriodCountMax)")
        }
        try check(day, "the day from which the periods of \(what) are counted")
      case .monthly, .weekly, .yearly, .custom, .halfMonthly: break
      }
    }
    if case .custom(let days) = budget.period {
      try check(days.lowerBound, "the first day of \(what)")
      try check(days.upperBound.adding(days: -1), "the last day of \(what)")
      guard !days.isEmpty else {
        throw Refusal(.day, "the last day of \(what) is before its first day; swap them")
      }
    }
    for day in [budget.start, budget.end].compactMap(\.self) { try check(day, "a day of \(what)") }
    if let start = budget.start, let end = budget.end, end <= start {
      throw Refusal(.day, "\(what) ends before it starts; choose a later end")
    }
    try check(budget.steps.count, "changes of amount", of: what, max: Limits.budgetStepCountMax)
    for (index, step) in budget.steps.enumerated() {
      try check(step.day, "a day of \(what)")
      try check(step.amount, in: budget.amount.currency, what)
      guard step.amount.minorUnits >= 0, index == 0 || budget.steps[index - 1].day < step.day else {
        throw Refusal(
          .value, "the amounts of \(what) must be 0 or more, and in ascending order of days")
      }
    }
    try checkEarlier(budget, what)
    if budget.id == .unassigned { budget.id = BudgetID(newID()) }
    try emit(stored, budget)
    return .entity(.budget, budget.entityID)
  }

  private func checkEarlier(_ budget: Budget, _ what: String) throws(Refusal) {
    if !budget.earlierPeriods.isEmpty {
      for case .custom in [budget.period] + budget.earlierPeriods.map(\.value) {
        throw Refusal(
          .value,
          "\(what) can't have both a single range of days and other periods; give it one of them "
            + "for all its days")
      }
    }
    for entry in budget.earlierCategories {
      try check(
        entry.value.categories.count, "categories", of: what, max: Limits.budgetCategoryCountMax)
    }
    for days in [
      budget.earlierPeriods.map(\.until), budget.earlierRollovers.map(\.until),
      budget.earlierCategories.map(\.until),
    ] {
      try check(days.count, "changes from a day on", of: what, max: Limits.budgetStepCountMax)
      for day in days { try check(day, "a day of \(what)") }
      guard zip(days, days.dropFirst()).allSatisfy({ $0 < $1 }) else {
        throw Refusal(
          .value, "the earlier values of \(what) must be in ascending order of days; sort them")
      }
    }
  }

  /// Adds or replaces a category rule.
  mutating func put(_ given: CategoryRule) throws(Refusal) -> Outcome {
    var rule = given
    rule.name = try checkedName(given.name, of: "the rule")
    let what = "the rule “\(rule.name)”"
    try check(
      TransactionDetails(description: rule.description, payee: rule.payee, tags: rule.tags),
      of: what)
    guard !rule.conditions.isEmpty else {
      throw Refusal(
        .value, "\(what) has no condition and would change every transaction; add a condition")
    }
    try check(rule.conditions.count, "conditions", of: what, max: Limits.conditionCountMax)
    for condition in rule.conditions {
      switch condition {
      case .text(_, _, let text):
        guard !FoldedText(text).isEmpty else {
          throw Refusal(
            .text,
            "\(what) has a condition without a letter, digit or sign to look for; give it a text, "
              + "or remove it")
        }
        try check(text, "a condition of \(what)", max: Limits.conditionByteCountMax)
      case .account(let id): _ = try usableAccount(id, [])
      case .amount(let from, let through):
        guard let currency = condition.currency else {
          throw Refusal(
            .value,
            "\(what) has a range of amounts without bounds; give a minimum, a maximum or both")
        }
        try check(currency)
        if let through { try check(through, in: currency, what) }
        guard from?.minorUnits ?? 0 <= through?.minorUnits ?? .max else {
          throw Refusal(
            .value, "\(what) has a range of amounts whose maximum is below its minimum; swap them")
        }
      case .type: break
      }
    }
    if let category = rule.category { _ = try usableCategory(category, .expense, []) }
    try checkTransfer(of: rule, what)
    if rule.id == .unassigned { rule.id = RuleID(newID()) }
    let stored: Stored<CategoryRule>? = try stored(rule.entityID)
    try emit(stored, rule)
    return .entity(.rule, rule.entityID)
  }

  /// Refuses a rule whose transfers are never possible.
  private mutating func checkTransfer(of rule: CategoryRule, _ what: String) throws(Refusal) {
    guard let id = rule.transferAccount else { return }
    guard rule.category == nil else {
      throw Refusal(
        .value, "\(what) sets a category and makes transfers, which have none; choose one of them",
        [id.rawValue])
    }
    guard let account = try usableAccount(id, []) else {
      throw Refusal(
        .builtin, "\(what) can't make transfers with \(name(id)); choose one of your accounts",
        [id.rawValue])
    }
    for case .account(let own) in rule.conditions where !rule.matchesAny {
      guard let other = try usableAccount(own, []) else { continue }
      guard own != id else {
        throw Refusal(
          .transfer,
          "\(what) can't make transfers from “\(account.name)” to itself; choose another account",
          [id.rawValue])
      }
      guard other.currency == account.currency else {
        throw Refusal(
          .currencyMismatch,
          "\(what) can't make transfers between “\(other.name)” in \(other.currency) and "
            + "“\(account.name)” in \(account.currency), because the amount received isn't known; "
            + "choose an account in \(other.currency)",
          [own.rawValue, id.rawValue])
      }
    }
  }

  /// Removes an entity to which no other entity refers.
  mutating func remove<Entity: LedgerEntity>(
    _ type: Entity.Type, _ id: EntityID, _ what: String
  ) throws(Refusal) -> Outcome {
    guard let stored: Stored<Entity> = try stored(id) else {
      throw Refusal(.missing, "there is no \(what) with the id \(id)", [id])
    }
    try emit(stored, nil)
    return .entity(Entity.kind, id)
  }

  private func check(
    _ money: Money, in currency: Currency, _ what: String
  ) throws(Refusal) {
    guard money.currency == currency else {
      throw Refusal(
        .currencyMismatch,
        "an amount of \(what), \(money), isn't in the currency of its first amount; give it in "
          + "\(currency)")
    }
  }

  mutating func checkSize(_ money: Money, _ what: String) throws(Refusal) {
    try check(money.currency)
    guard money.minorUnits >= 0 else {
      throw Refusal(.negative, "\(what), \(money), is negative; give a positive amount")
    }
  }

  func check(
    _ count: Int, _ things: String, of what: String, max: Int
  ) throws(Refusal) {
    guard count <= max else {
      throw Refusal(.limit, "\(what) has \(count) \(things), and the limit is \(max)")
    }
  }
}
