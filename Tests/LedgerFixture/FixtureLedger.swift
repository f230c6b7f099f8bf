package import Daybook

/// The small ledger of which a fixture is made: one of everything that the format can hold.
///
/// All its ids, days and amounts are known; what tests expect is counted by hand from here.
package enum FixtureLedger {
  package static let cash = AccountID(EntityID(high: 1, low: 1))
  package static let card = AccountID(EntityID(high: 1, low: 2))
  package static let dollars = AccountID(EntityID(high: 1, low: 3))
  package static let food = CategoryID(EntityID(high: 2, low: 1))
  package static let bread = CategoryID(EntityID(high: 2, low: 2))
  package static let salary = CategoryID(EntityID(high: 2, low: 3))
  package static let erased = TransactionID(EntityID(high: 3, low: 99))
  package static let rent = SeriesID(EntityID(high: 4, low: 1))
  package static let budget = BudgetID(EntityID(high: 5, low: 1))
  package static let rule = RuleID(EntityID(high: 6, low: 1))
  package static let assertion = AssertionID(EntityID(high: 7, low: 1))
  /// What must be in no byte of the fixture.
  package static let secret = "a visit nobody is to know of"
  /// The key of the commit that can be asked for again.
  package static let key = "salary of March"

  package struct Unknown: Error {}

  /// 2026-04-01 00:00 UTC, in microseconds: when the ledger is made.
  private static let beginning: Int64 = 1_775_001_600_000_000

  package static func currency(_ code: String) throws -> Currency {
    guard let found = Currency.iso(code) else { throw Unknown() }
    return found
  }

  package static func day(_ text: String) throws -> Day {
    guard let day = Day(text) else { throw Unknown() }
    return day
  }

  static func euros(_ units: Int64) throws -> Money { Money(units, try currency("EUR")) }

  /// How the fixture was and is opened: with a clock of its own.
  package static var options: Ledger.Options {
    var options = Ledger.Options(author: "Ada", source: "fixture")
    options.purgesOnOpen = false
    options.adjustsEngine = { engine in
      engine.mapByteCount = 1 << 28
      engine.clock = { beginning }
    }
    return options
  }

  /// Makes the ledger, closed, in a new folder.
  package static func make(at path: String) async throws {
    let ledger = try await Ledger.open(at: path, options: options)
    try await catalogue(ledger)
    try await ledger.register(
      consumer: "phone", .bestEffort(allowanceSeconds: 86_400), after: ledger.token)
    // Twenty rows of January, ten of which are amended and five deleted; all of it is purged later.
    for index in 1...20 as ClosedRange<Int> {
      let id = TransactionID(EntityID(high: 3, low: UInt64(index)))
      try await ledger.append(
        .record(
          .expense(
            euros(Int64(index) * 100), from: cash, category: index % 2 == 0 ? bread : food,
            on: day("2026-01-01").adding(days: index), id: id, description: "January \(index)")))
    }
    for index in 1...10 as ClosedRange<Int> {
      var amendment = Amendment(note: "seen")
      amendment.amount = try euros(Int64(index) * 100 + 1)
      try await ledger.append(
        .amend(TransactionID(EntityID(high: 3, low: UInt64(index))), amendment))
    }
    for index in 16...20 as ClosedRange<Int> {
      try await ledger.append(.delete(TransactionID(EntityID(high: 3, low: UInt64(index)))))
    }
    var purge = PurgeOptions()
    purge.policy = .count(4)
    try await ledger.purge(purge)
    try await later(ledger)
    try await ledger.erase(.transaction, erased.rawValue)
    try await ledger.setRetention(.count(1_000))
    try await ledger.register(consumer: "backup")
    for (name, behind) in [("backup", 3), ("phone", 5)] as [(String, UInt64)] {
      try await ledger.acknowledge(
        ledger.token(at: ledger.token.sequence - behind), by: name,
        putting: [[1]: [UInt8(behind)]])
    }
    try await ledger.append(
      .reconcile([TransactionID(EntityID(high: 3, low: 31))]),
      .closePeriod(through: day("2026-01-31")))
    try await ledger.compact()
    try await ledger.rebuild()
    try await ledger.close()
  }

  private static func catalogue(_ ledger: Ledger) async throws {
    let (euro, dollar) = (try currency("EUR"), try currency("USD"))
    guard let gems = Currency(code: "GEMS", digits: 1) else { throw Unknown() }
    var rent = Series(
      id: rent, name: "Rent",
      template: SeriesTemplate(type: .expense, amount: try euros(50_000), account: cash),
      schedule: Schedule(.month), anchor: try day("2026-01-31"))
    rent.template.category = food
    try await ledger.append(
      .setSettings(SettingsChange(baseCurrency: .some(euro), firstWeekday: 1)),
      .defineCurrency(CurrencyDefinition(currency: gems, name: "Gems")),
      .openAccount(NewAccount(id: cash, name: "Cash", currency: euro, opening: euros(10_000))),
      .openAccount(NewAccount(id: card, name: "Card", kind: .liability, currency: euro)),
      .openAccount(NewAccount(id: dollars, name: "Dollars", currency: dollar)),
      .createCategory(NewCategory(id: food, name: "Food", kind: .expense)),
      .createCategory(NewCategory(id: bread, name: "Bread", kind: .expense, parent: food)),
      .createCategory(NewCategory(id: salary, name: "Salary", kind: .income)),
      .setRate(
        ExchangeRate(base: dollar, quoted: euro, day: day("2026-01-01"), quote: Quote("0.85"))),
      .putBudget(
        Budget(
          id: budget, name: "Eating", categories: [food], amount: euros(30_000),
          period: .monthly(resetDay: 1))),
      .putSeries(rent),
      .putRule(
        CategoryRule(
          id: rule, name: "Bakery", conditions: [.text(.any, .contains, "bakery")],
          category: bread)),
      .assertBalance(card, euros(-2_500), on: day("2026-02-28"), id: assertion))
  }

  /// What happens after the purge.
  private static func later(_ ledger: Ledger) async throws {
    let dollar = try currency("USD")
    func id(_ low: UInt64) -> TransactionID { TransactionID(EntityID(high: 3, low: low)) }
    try await ledger.append(
      [
        .record(
          .income(euros(200_000), into: cash, category: salary, on: day("2026-03-01"), id: id(30)))
      ],
      key: key)
    try await ledger.append(
      .record(
        .split(
          from: cash, parts: [Draft.Part(euros(700), food), Draft.Part(euros(300), bread)],
          on: day("2026-02-03"), id: id(31), tags: ["market"])))
    try await ledger.append(
      .record(.transfer(euros(5_000), from: cash, to: card, on: day("2026-02-04"), id: id(32))))
    try await ledger.append(
      .record(
        .exchange(
          euros(8_500), from: cash, for: Money(10_000, dollar), into: dollars,
          on: day("2026-02-05"), id: id(33))))
    try await ledger.append(
      .record(.refund(euros(50), into: cash, category: food, on: day("2026-02-06"), id: id(34))))
    let row = try ImportRow(
      .expense(
        euros(7_500), from: card, category: food, on: try day("2026-02-07"), description: "Row"),
      line: 2, reference: "r1")
    let other = try ImportRow(
      .expense(
        euros(900), from: card, category: food, on: try day("2026-02-08"), description: "Gone"),
      line: 3)
    let rows = try await ledger.append(.importRows([row, other]))
    guard case .imported(let report) = rows.outcomes.first, let gone = report.recorded.last else {
      throw Unknown()
    }
    // It leaves a fingerprint, by which the row is known should the file come again.
    try await ledger.append(.delete(gone))
    try await ledger.append(.generateDue(through: day("2026-02-28")))
    let draft = Draft.expense(
      try euros(1_234), from: cash, category: food, on: try day("2026-02-09"), id: erased,
      description: secret, payee: secret, note: String(repeating: secret, count: 100))
    try await ledger.append(.record(draft))
    try await ledger.undo(
      commit: ledger.append(.deleteCategory(bread, .move(to: food))).token.sequence)
    try await ledger.append(
      .record(.expense(euros(12), from: cash, on: day("2026-02-10"), description: "bakery")))
  }
}
