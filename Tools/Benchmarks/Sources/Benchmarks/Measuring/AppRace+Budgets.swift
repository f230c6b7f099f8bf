import Daybook
import Foundation

/// Budgets, recurring transactions and the text index: alternating appends to a ledger with all of
/// them and a ledger without.
extension AppRace {
  func budgets(in folder: String) async throws -> [Row] {
    note("filling two ledgers with \(events) events")
    var options = Ledger.Options(author: "benchmark")
    let planned = try await filled(folder + "/planned", options)
    options.indexesTexts = false
    let plain = try await filled(folder + "/plain", options)
    var rows: [Row] = []

    note("adding budgets")
    let budgets = try budgets(of: planned)
    var changes: [Double] = []
    for budget in budgets {
      changes.append(try await measure { try await planned.append(.putBudget(budget)) }.wall)
    }
    rows.append(
      Row(
        measure: "adding a budget, summed from the totals of days, median ms",
        value: Report.number(median(changes) / 1000)))
    rows.append(
      Row(
        measure: "adding a budget on all expenses, ms",
        value: Report.number((changes.last ?? .nan) / 1000)))

    note("reading budgets")
    rows += try reads(planned, budgets)
    for (name, age) in [("today", 0), ("five years ago", 1_826)] {
      var times: [Double] = []
      for round in 0..<20 {
        try await planned.append(rowsOfToday(1, round, planned, age: age))
        times.append(
          try await measure { _ = try planned.read { try $0.budgetStatuses(today: today) } }.wall)
      }
      rows.append(
        Row(
          measure: "\(budgets.count) budgets read after a row of \(name), median µs",
          value: Report.number(median(times))))
    }
    let series = try series(of: planned)
    for series in series { try await planned.append(.putSeries(series)) }

    note("appending in turns")
    for (name, size, rounds) in [("one event", 1, 400), ("1,000 events", 1000, 20)] {
      var (without, with): ([Double], [Double]) = ([], [])
      for round in 0..<rounds {
        let commands = try rowsOfToday(size, round, plain)
        without.append(try await measure { try await plain.append(commands) }.wall)
        with.append(try await measure { try await planned.append(commands) }.wall)
      }
      let ratio = median(with) / median(without)
      rows.append(
        Row(
          measure: "append of \(name) without index of texts, budgets and series, median µs",
          value: Report.number(median(without))))
      rows.append(
        Row(
          measure: "append of \(name) with the index, \(budgets.count) budgets and "
            + "\(series.count) series, times that",
          value: Report.number(ratio), bar: "≤ 1.5", isMet: ratio <= 1.5))
    }
    rows += try await envelopes(planned)
    try await plain.close()
    try await planned.close()
    return rows
  }

  private static let euros = CategoryID(rawValue: EntityID(high: 2, low: 9_999))

  private var today: Day { Day(rawValue: Int32(WorkGenerator.lastDay)) }

  private func filled(_ folder: String, _ options: Ledger.Options) async throws -> Ledger {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let engine = try await DaybookEngine(opening: folder, options: options)
    var generator = WorkGenerator(size: events)
    var left = events
    while left > 0 {
      let count = min(left, 1000)
      try await engine.append(generator.next(count)[...])
      left -= count
    }
    try await engine.close()
    let ledger = try await Ledger.open(at: folder + "/work.daybook", options: options)
    let rates = ["USD": "1.1", "GBP": "0.9", "CHF": "0.95"].compactMap { code, text -> Command? in
      guard let euro = Currency.iso("EUR"), let other = Currency.iso(code),
        let quote = try? Quote(text)
      else { return nil }
      let day = Day(rawValue: Int32(WorkGenerator.firstDay))
      return .setRate(ExchangeRate(base: euro, quoted: other, day: day, quote: quote))
    }
    try await ledger.append(rates)
    // The generated rows are in four currencies. An additional category has rows in only one.
    let account = try ledger.read { try $0.accounts().first { $0.currency.code == "EUR" } }
    guard let account else { throw BenchmarkError("no account in euros") }
    try await ledger.append(
      .createCategory(NewCategory(id: Self.euros, name: "Euros", kind: .expense)))
    let first = Day(rawValue: Int32(WorkGenerator.firstDay))
    try await ledger.append(
      (0..<WorkGenerator.dayCount + 60).map { index in
        .record(
          .expense(
            Money(Int64(100 + index), account.currency), from: account.id, category: Self.euros,
            on: first.adding(days: index)))
      })
    return ledger
  }

  /// A budget for each expense category, most by month, some by week, some with rollover.
  ///
  /// The last one covers all expenses.
  private func budgets(of ledger: Ledger) throws -> [Budget] {
    let categories = try ledger.read { try $0.categories(.expense) }.filter { $0.parent == nil }
    guard let euro = Currency.iso("EUR") else { throw BenchmarkError("no euro") }
    var budgets: [Budget] = []
    for (index, category) in categories.enumerated() {
      let id = BudgetID(EntityID(high: 9, low: UInt64(index + 1)))
      var budget = Budget(
        id: id, name: "Budget \(index)", categories: [category.id], amount: Money(50_000, euro),
        period: index % 6 == 5 ? .weekly : .monthly(resetDay: 1 + index % 31))
      if index % 4 == 3 { budget.rollover = .both }
      budgets.append(budget)
    }
    if let own = budgets.firstIndex(where: { $0.categories == [Self.euros] }) {
      budgets[own].rollover = .none
      budgets[own].period = .monthly(resetDay: 1)
      let id = BudgetID(EntityID(high: 9, low: 1000))
      var carrying = Budget(
        id: id, name: "Carrying", categories: [Self.euros], amount: Money(50_000, euro),
        period: .monthly(resetDay: 1))
      carrying.rollover = .both
      budgets.append(carrying)
    }
    let id = BudgetID(EntityID(high: 9, low: 1001))
    budgets.append(
      Budget(
        id: id, name: "All", categories: [], amount: Money(50_000, euro),
        period: .monthly(resetDay: 1)))
    return budgets
  }

  /// Recurring transactions such as rents, due on each day of a month.
  private func series(of ledger: Ledger) throws -> [Series] {
    let (accounts, categories) = try ledger.read {
      (try $0.accounts(), try $0.categories(.expense))
    }
    return (0..<28).map { index in
      let account = accounts[index % accounts.count]
      return Series(
        id: SeriesID(EntityID(high: 10, low: UInt64(index + 1))), name: "Series \(index)",
        template: SeriesTemplate(
          type: .expense, amount: Money(10_000, account.currency), account: account.id,
          category: categories[index % categories.count].id),
        schedule: Schedule(.month), anchor: today.adding(days: index))
    }
  }

  private func reads(_ ledger: Ledger, _ budgets: [Budget]) throws -> [Row] {
    guard let all = budgets.last else { return [] }
    let today = today
    func row(_ name: String, bar: Double? = nil, _ body: () throws -> Int) throws -> Row {
      let time = try microsecondsPerCall(body)
      return Row(
        measure: "\(name), µs", value: Report.number(time), bar: bar.map { "< \(Int($0))" } ?? "",
        isMet: bar.map { time < $0 })
    }
    func read(_ budget: Budget, _ day: Day) throws -> Int {
      try ledger.read { try $0.budgetStatus(of: budget.id, today: day) } == nil ? 0 : 1
    }
    let own = budgets.filter { $0.categories == [Self.euros] }
    guard own.count == 2 else { throw BenchmarkError("no budgets in euros") }
    let carried = budgets.first { $0.rollover == .both && $0.period != .weekly } ?? all
    return [
      try row("budget read, this month in its own currency, planned rows in it", bar: 10) {
        try read(own[0], today)
      },
      try row("budget read, a past month in its own currency", bar: 10) {
        try ledger.read {
          try $0.budgetStatus(of: own[0].id, on: today.adding(days: -60), today: today)
        } == nil ? 0 : 1
      },
      try row("budget read, ten years carried over, own currency", bar: 10) {
        try read(own[1], today)
      },
      try row("budget read, all expenses of a month in four currencies", bar: 10) {
        try read(all, today)
      },
      try row("budget read, ten years carried over, four currencies", bar: 10) {
        try read(carried, today)
      },
      try row("\(budgets.count) budgets read") {
        try ledger.read { try $0.budgetStatuses(today: today).count }
      },
    ]
  }

  private func rowsOfToday(
    _ count: Int, _ round: Int, _ ledger: Ledger, age: Int = 0
  ) throws -> [Command] {
    let (accounts, categories) = try ledger.read {
      (try $0.accounts(), try $0.categories(.expense))
    }
    return (0..<count).map { index in
      let account = accounts[(round + index) % accounts.count]
      return .record(
        .expense(
          Money(Int64(100 + index), account.currency), from: account.id,
          category: categories[(round * 7 + index) % categories.count].id,
          on: today.adding(days: -(age + index % 30)), description: "a row of today"))
    }
  }
}
