// Goal: bad commands other than drafts and amendments are refused. Method: see `RefusalTests`.

import DaybookBookkeeping
import DaybookEntities
import Testing

extension RefusalTests {
  static let commands: [Case] = [
    Case(code: .text, words: ["empty"]) { .openAccount(NewAccount(name: " ", currency: $0.kzt)) },
    Case(code: .text, words: ["U+0007"]) {
      .openAccount(NewAccount(name: "a\u{7}", currency: $0.kzt))
    },
    Case(code: .duplicateName, words: ["Cash"]) {
      .openAccount(NewAccount(name: "  cASH ", currency: $0.kzt))
    },
    Case(code: .duplicateName, words: ["Bank"]) {
      .amendAccount($0.cash, AccountChange(name: "bank"))
    },
    Case(code: .duplicateID, words: ["in use"]) {
      .openAccount(NewAccount(id: $0.cash, name: "New", currency: $0.kzt))
    },
    Case(code: .builtin, words: ["built-in"]) {
      .openAccount(NewAccount(id: .outside, name: "New", currency: $0.kzt))
    },
    Case(code: .builtin, words: ["Outside"]) { _ in .closeAccount(.outside) },
    Case(code: .builtin, words: ["Uncategorised"]) { _ in .deleteCategory(.uncategorizedIncome, nil)
    },
    Case(code: .missing, words: ["no account"]) { _ in
      .closeAccount(AccountID(EntityID(high: 8, low: 8)))
    },
    Case(code: .missing, words: ["no transaction"]) { _ in
      .delete(TransactionID(EntityID(high: 8, low: 8)))
    },
    Case(code: .missing, words: ["no rule"]) { ledger in
      var draft = try Draft.expense(money("1", "KZT"), category: ledger.food, on: ledger.today)
      draft.categorizedBy = RuleID(EntityID(high: 8, low: 8))
      return .record(draft)
    },
    Case(code: .missing, words: ["no rule"]) { ledger in
      var amendment = Amendment(category: ledger.travel)
      amendment.categorizedBy = RuleID(EntityID(high: 8, low: 8))
      return .amend(
        try ledger.record(.expense(money("1", "KZT"), on: ledger.today)), amendment)
    },
    Case(code: .rows, words: ["line 3", "no rule"]) { ledger in
      var draft = try Draft.expense(money("1", "KZT"), on: ledger.today)
      draft.categorizedBy = RuleID(EntityID(high: 8, low: 8))
      return .importRows([ImportRow(draft, line: 3)])
    },
    Case(code: .missing, words: ["can't remove the rate", "USD", "EUR"]) {
      .removeRate(base: $0.usd, quoted: $0.eur, on: $0.today)
    },
    Case(code: .duplicateName, words: ["Food"]) {
      .createCategory(NewCategory(name: "FOOD", kind: $0.food == $0.food ? .expense : .income))
    },
    Case(code: .duplicateName, words: ["Uncategorised"]) { _ in
      .createCategory(NewCategory(name: "uncategorised", kind: .income))
    },
    Case(code: .kind, words: ["Snacks", "Salary"]) {
      .createCategory(NewCategory(name: "Snacks", kind: .expense, parent: $0.salary))
    },
    Case(code: .cycle, words: ["Food", "below itself"]) { ledger in
      let child = try #require(
        try ledger.state.run(
          .createCategory(NewCategory(name: "Lunch", kind: .expense, parent: ledger.food))
        ).category)
      return .amendCategory(ledger.food, CategoryChange(parent: child))
    },
    Case(code: .cycle, words: ["Food"]) {
      .amendCategory($0.food, CategoryChange(parent: $0.food))
    },
    Case(code: .value, words: ["8"]) { _ in .setSettings(SettingsChange(firstWeekday: 8)) },
    Case(code: .value, words: ["USD", "itself"]) {
      .setRate(ExchangeRate(base: $0.usd, quoted: $0.usd, day: $0.today, quote: try Quote("1")))
    },
    Case(code: .duplicateID, words: ["USD", "ISO 4217"]) {
      .defineCurrency(CurrencyDefinition(currency: $0.usd))
    },
    Case(code: .inUse, words: ["COIN", "3 decimals"]) { ledger in
      let coin = try #require(Currency(code: "COIN", digits: 3))
      try ledger.state.run(.defineCurrency(CurrencyDefinition(currency: coin)))
      let other = try #require(Currency(code: "COIN", digits: 4))
      return .defineCurrency(CurrencyDefinition(currency: other))
    },
    Case(code: .closed, words: ["Cash", "closed", "reopen"]) { ledger in
      try ledger.state.run(.closeAccount(ledger.cash))
      return .record(.expense(try money("1", "KZT"), from: ledger.cash, on: ledger.today))
    },
    Case(code: .closed, words: ["Cash", "deleted"]) { ledger in
      try ledger.state.run(.deleteAccount(ledger.cash, .keepRows))
      return .record(.expense(try money("1", "KZT"), from: ledger.cash, on: ledger.today))
    },
    Case(code: .closed, words: ["Cash", "deleted"]) { ledger in
      try ledger.state.run(.deleteAccount(ledger.cash, .keepRows))
      return .reopenAccount(ledger.cash)
    },
    Case(code: .closed, words: ["Food", "deleted"]) { ledger in
      try ledger.state.run(.deleteCategory(ledger.food, .keepRows))
      return .record(.expense(try money("1", "KZT"), category: ledger.food, on: ledger.today))
    },
    Case(code: .day, words: ["2026-02-15", "reopen"]) { ledger in
      try ledger.state.run(.closePeriod(through: ledger.today))
      return .closePeriod(through: ledger.today.adding(days: -1))
    },
    Case(code: .day, words: ["open after"]) { .reopenPeriod(after: $0.today) },
    Case(code: .kind, words: ["Budget", "Salary"]) {
      .putBudget(
        Budget(
          id: .unassigned,
          name: "Budget", categories: [$0.salary], amount: .zero($0.kzt), period: .weekly)
      )
    },
    Case(code: .value, words: ["32"]) {
      .putBudget(
        Budget(
          id: .unassigned, name: "B", categories: [], amount: .zero($0.kzt),
          period: .monthly(resetDay: 32)))
    },
    Case(code: .value, words: ["0 weeks", "1 to 1200"]) {
      .putBudget(
        Budget(
          id: .unassigned, name: "B", categories: [], amount: .zero($0.kzt),
          period: .weeks(0, from: $0.today)))
    },
    Case(code: .value, words: ["1201"]) {
      var budget = Budget(
        id: .unassigned, name: "B", categories: [], amount: .zero($0.kzt), period: .halfMonthly)
      budget.earlierPeriods = [
        EarlierValue(until: $0.today, value: .months(1201, from: $0.today))
      ]
      return .putBudget(budget)
    },
    Case(code: .day, words: ["counted"]) {
      .putBudget(
        Budget(
          id: .unassigned, name: "B", categories: [], amount: .zero($0.kzt),
          period: .months(3, from: Day.max.adding(days: 1))))
    },
    Case(code: .day, words: ["ends before it starts"]) {
      var budget = Budget(
        id: .unassigned, name: "B", categories: [], amount: .zero($0.kzt), period: .weekly)
      budget.start = $0.today
      budget.end = $0.today
      return .putBudget(budget)
    },
    Case(code: .value, words: ["no condition"]) { _ in
      .putRule(CategoryRule(id: .unassigned, name: "R", conditions: []))
    },
    Case(code: .transfer, words: ["S", "two accounts"]) {
      .putSeries(
        Series(
          id: .unassigned, name: "S",
          template: SeriesTemplate(
            type: .transfer, amount: try money("1", "KZT"), account: $0.cash, otherAccount: $0.cash),
          schedule: Schedule(.month), anchor: $0.today))
    },
    Case(code: .negative, words: ["S", "-0.01", "positive"]) {
      .putSeries(try dollars(.expense, $0, -1))
    },
    Case(code: .negative, words: ["S", "positive"]) {
      .putSeries(try dollars(.income, $0, .min))
    },
    Case(code: .negative, words: ["S", "positive"]) {
      .putSeries(try dollars(.transfer, $0, .min))
    },
    Case(code: .transfer, words: ["S", "above zero"]) {
      .putSeries(try dollars(.transfer, $0, 0))
    },
    Case(code: .negative, words: ["S", "positive"]) { ledger in
      let series = try dollars(.expense, ledger, nil)
      guard case .entity(_, let id) = try ledger.state.run(.putSeries(series)) else {
        return .putSeries(series)
      }
      var changed = try dollars(.expense, ledger, -1)
      changed.id = SeriesID(id)
      return .amendSeries(changed, .all(from: ledger.today))
    },
    Case(code: .currencyMismatch, words: ["S", "0.05 USD", "Cash", "KZT"]) {
      var series = try dollars(.expense, $0, nil)
      series.template.accountAmount = try money("0.05", "USD")
      return .putSeries(series)
    },
    Case(code: .currencyMismatch, words: ["S", "1.00 USD", "Bank", "KZT"]) {
      // Of a transfer the account it goes to has the say, not the one it comes from.
      var series = try dollars(.transfer, $0, nil)
      series.template.accountAmount = try money("1", "USD")
      return .putSeries(series)
    },
    Case(code: .currencyMismatch, words: ["S", "450.00 KZT", "no account"]) {
      var series = try dollars(.expense, $0, 45_000)
      series.template.account = nil
      return .putSeries(series)
    },
    Case(code: .currencyMismatch, words: ["R", "5.00 USD", "KZT"]) { _ in
      .putRule(
        CategoryRule(
          id: .unassigned, name: "R",
          conditions: [.amount(from: try money("1", "KZT"), through: try money("5", "USD"))]))
    },
    Case(code: .value, words: ["R", "without bounds"]) { _ in
      .putRule(
        CategoryRule(
          id: .unassigned, name: "R", conditions: [.amount(from: nil, through: nil)]))
    },
    Case(code: .missing, words: ["budget"]) { _ in
      .removeBudget(BudgetID(EntityID(high: 8, low: 1)))
    },
  ]

  /// A series in dollars on accounts in tenge, with what they lose or get for it.
  private static func dollars(
    _ type: TransactionType, _ ledger: Fixture, _ units: Int64?
  ) throws -> Series {
    let isTransfer = type == .transfer
    let template = SeriesTemplate(
      type: type, amount: try money("1", "USD"),
      account: isTransfer ? ledger.dollars : ledger.cash,
      otherAccount: isTransfer ? ledger.bank : nil,
      accountAmount: units.map { Money($0, ledger.kzt) })
    return Series(
      id: .unassigned,
      name: "S", template: template, schedule: Schedule(.month), anchor: ledger.today)
  }

  @Test(arguments: commands.indices)
  func commandsAreRefused(_ index: Int) throws {
    try check(Self.commands[index], "command \(index)")
  }
}
