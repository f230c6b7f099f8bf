public import DaybookBookkeeping
import DaybookEntities

extension SampleHousehold {
  /// The commands to record before the rows: settings, accounts, categories, exchange rates,
  /// budgets, recurring transactions and a rule.
  ///
  /// The base currency is the euro. The recurring transactions begin after ``lastDay``, so that
  /// they have upcoming payments.
  public var setUp: [Command] {
    [.setSettings(SettingsChange(baseCurrency: .some(.eur)))]
      + accountCommands + categoryCommands + rateCommands + budgetCommands + seriesCommands
      + ruleCommands
  }

  /// The commands that record the rows, oldest first, one per row.
  public var recordings: [Command] {
    rows.enumerated().map { .record(draft(of: $0.element, id: id(.transaction, $0.offset))) }
  }

  /// The kinds of entities in the household.
  enum Kind: UInt64 {
    case account = 1
    case category, transaction, budget, series, rule
  }

  /// Returns the id of the entity with an index, which also depends on the seed.
  func id<Owner>(_ kind: Kind, _ index: Int) -> Identifier<Owner> {
    var random = SeededGenerator(seed: seed)
    return Identifier(
      EntityID(high: random.next() & ~0xFF | kind.rawValue, low: UInt64(index) + 1))
  }

  func category(_ path: [String]) -> CategoryID? {
    HouseholdCatalogue.categoryIndexes[path].map { id(.category, $0) }
  }

  private var accountCommands: [Command] {
    accounts.enumerated().map { index, account in
      let currency = HouseholdCurrency.currency(account.currency)
      return .openAccount(
        NewAccount(
          id: id(.account, index), name: account.name,
          kind: account.isLiability ? .liability : .asset, currency: currency,
          opening: Money(account.opening, currency), openingDay: firstDay, order: Int64(index)))
    }
  }

  private var categoryCommands: [Command] {
    HouseholdCatalogue.categories.enumerated().map { index, category in
      .createCategory(
        NewCategory(
          id: id(.category, index), name: category.path.last ?? "", kind: category.kind,
          parent: self.category(category.path.dropLast())))
    }
  }

  private var rateCommands: [Command] {
    rates.days.flatMap { day, quotes in
      zip(HouseholdRates.currencies, quotes).compactMap { code, units in
        Quote(mantissa: units, scale: 4).map { quote in
          .setRate(
            ExchangeRate(
              base: .eur, quoted: HouseholdCurrency.currency(code), day: day, quote: quote))
        }
      }
    }
  }

  private var budgetCommands: [Command] {
    let plans: [(String, [String], Int64, BudgetPeriod, Rollover)] = [
      ("Groceries", ["Food:Groceries", "Food:Bakery"], 650_00, .monthly(resetDay: 1), .none),
      (
        "Eating out", ["Food:Restaurants", "Food:Coffee"], 220_00, .monthly(resetDay: 25), .surplus
      ),
      ("Getting around", ["Transport"], 60_00, .weekly, .none),
      ("Journeys", ["Travel"], 3_000_00, .yearly, .none),
    ]
    return plans.enumerated().map { index, plan in
      var budget = Budget(
        id: id(.budget, index), name: plan.0, categories: plan.1.compactMap { category($0) },
        amount: Money(plan.2, .eur), period: plan.3)
      budget.rollover = plan.4
      budget.start = firstDay
      budget.order = Int64(index)
      return .putBudget(budget)
    }
  }

  private var seriesCommands: [Command] {
    let next = lastDay.monthOf.adding(1).first
    let plans: [(String, String, Int64, Int)] = [
      ("Rent", "Housing:Rent", 1_380_00, 1), ("Internet", "Housing:Internet", 39_99, 5),
      ("Kindergarten", "Children:Kindergarten", 123_00, 7),
    ]
    return plans.enumerated().map { index, plan in
      .putSeries(
        Series(
          id: id(.series, index), name: plan.0,
          template: SeriesTemplate(
            type: .expense, amount: Money(plan.2, .eur),
            account: account(HouseholdCatalogue.joint), category: category(plan.1)),
          schedule: Schedule(.month), anchor: next.adding(days: plan.3 - 1)))
    }
  }

  private var ruleCommands: [Command] {
    [
      .putRule(
        CategoryRule(
          id: id(.rule, 0), name: "Supermarkets", conditions: [.text(.any, .contains, "market")],
          category: category("Food:Groceries")))
    ]
  }

  private func draft(of row: HouseholdRow, id: TransactionID) -> Draft {
    let own = accounts.first { $0.name == row.account }?.currency ?? row.currency
    let amount = Money(row.minorUnits, HouseholdCurrency.currency(row.currency))
    let account = account(row.account)
    // For a payment in another currency, the card's bank reports the charged amount.
    let taken =
      own == row.currency
      ? nil : Money(rates.euroCents(row.minorUnits, of: row.currency, on: row.day), .eur)
    var draft: Draft
    switch row.kind {
    case .income:
      draft = .income(
        amount, into: account, category: category(row.category), on: row.day, accountAmount: taken)
    case .expense:
      draft = .expense(
        amount, from: account, category: category(row.category), on: row.day, accountAmount: taken)
    case .transfer:
      let target = accounts.first { $0.name == row.targetAccount }
      let arriving = target.flatMap { target in
        target.currency == row.currency
          ? nil
          : row.targetMinorUnits.map {
            Money($0, HouseholdCurrency.currency(target.currency))
          }
      }
      draft = .transfer(
        amount, from: account, to: row.targetAccount.flatMap { self.account($0) }, on: row.day,
        targetAmount: arriving)
    }
    draft.id = id
    draft.description = row.description
    draft.payee = row.payee
    draft.note = row.note
    draft.tags = row.tags
    return draft
  }
}
