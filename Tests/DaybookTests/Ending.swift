/// Goal: every scenario ends the same way. Method: everything a snapshot can tell is gathered into
/// one value, then compared after reopening, after deleting the views, and after a rebuild; the
/// scenario's own expectations are run again at each.
import Daybook
import DaybookEngine
import Foundation
import Testing

/// Everything that a snapshot tells about a ledger.
struct Telling: Equatable {
  var transactions: [Transaction] = []
  var accounts: [AccountBalance] = []
  var past: [AccountBalance] = []
  var categories: [Daybook.Category] = []
  var months: [MonthTotals] = []
  var totals: [CurrencyTotals] = []
  var planned: [CurrencyTotals] = []
  var expenses: [CategoryTotal] = []
  var rolledUp: [CategoryTotal] = []
  var incomes: [CategoryTotal] = []
  var netWorth: [DatedTotals] = []
  var sections: [DaySection] = []
  var accountSections: [[DaySection]] = []
  var counts: [Int] = []
  var base: ConvertedTotals?
  var baseExpenses: [ConvertedCategoryTotal] = []
  var baseWorth: Converted?
  var rates: [ExchangeRate] = []
  var settings: LedgerSettings?
  var series: [Series] = []
  var budgets: [BudgetStatus] = []
  var budgetPeriods: [[BudgetStatus]] = []
  var occurrences: [[Occurrence]] = []
  var upcoming: [UpcomingPayment] = []

  init(_ snapshot: borrowing Snapshot) throws {
    settings = try snapshot.settings()
    series = try snapshot.series()
    budgets = try snapshot.budgetStatuses(today: today, includingArchived: true)
    for one in try snapshot.budgets() {
      budgetPeriods.append(try snapshot.budgetHistory(of: one.id, today: today))
    }
    for one in series { occurrences.append(try snapshot.occurrences(of: one.id)) }
    upcoming = try snapshot.upcoming(through: day("2026-12-31"), today: today)
    transactions = try snapshot.transactions(limit: 10_000)
    accounts = try snapshot.balances(on: today, includingClosed: true, includingDeleted: true)
    past = try snapshot.balances(
      on: day("2026-01-31"), includingClosed: true, includingDeleted: true)
    categories = try snapshot.categories(includingDeleted: true)
    months = try snapshot.months(month("2023-01")..<month("2026-06"), today: today)
    totals = try snapshot.totals(in: always, today: today)
    planned = try snapshot.planned(in: always, today: today)
    expenses = try snapshot.breakdown(in: always, kind: .expense, today: today)
    rolledUp = try snapshot.breakdown(in: always, kind: .expense, rollUp: true, today: today)
    incomes = try snapshot.breakdown(in: always, kind: .income, today: today)
    netWorth = try snapshot.netWorthSeries(over: month("2025-01")..<month("2026-04"))
    sections = try snapshot.sections(limit: 10_000)
    rates = try snapshot.rates()
    counts.append(try snapshot.count())
    for entry in accounts {
      let filter = TransactionFilter(account: entry.account.id)
      counts.append(try snapshot.count(filter))
      accountSections.append(try snapshot.sections(filter, limit: 1_000))
    }
    for category in categories {
      counts.append(try snapshot.count(TransactionFilter(category: category.id)))
    }
    if settings?.baseCurrency != nil {
      base = try snapshot.baseTotals(in: always, today: today)
      baseExpenses = try snapshot.baseBreakdown(in: always, kind: .expense, today: today)
      baseWorth = try snapshot.baseNetWorth(on: today)
    }
  }
}

extension House {
  /// Runs `expectations` now, after reopening, after deleting the views and after a rebuild and a purge; each
  /// time the ledger tells the same.
  ///
  /// Then removes it.
  func ends(_ expectations: (borrowing Snapshot) throws -> Void) async throws {
    let before = try told(expectations)
    try await reopen()
    #expect(try told(expectations) == before, "after reopening")
    try await reopen(deletingViews: true)
    #expect(try told(expectations) == before, "after deleting the views")
    try await ledger.rebuild()
    #expect(try told(expectations) == before, "after a rebuild")
    try await reopen()
    #expect(try told(expectations) == before, "after a rebuild and reopening")
    var options = PurgeOptions()
    options.policy = .count(0)
    try await ledger.purge(options)
    #expect(try told(expectations) == before, "after a purge")
    try await ledger.rebuild()
    #expect(try told(expectations) == before, "after a purge and a rebuild")
    let report = try await ledger.verify()
    #expect(report.findings == [])
    try await end()
  }

  private func told(_ expectations: (borrowing Snapshot) throws -> Void) throws -> Telling {
    try ledger.read { snapshot throws in
      try expectations(snapshot)
      return try Telling(snapshot)
    }
  }

  /// Closes the ledger and opens it again, between the two perhaps without its views.
  func reopen(
    deletingViews: Bool = false, _ adjusts: (@Sendable (inout EventStoreOptions) -> Void)? = nil
  ) async throws {
    try await ledger.close()
    if deletingViews {
      let names = try FileManager.default.contentsOfDirectory(atPath: path)
      for name in names where name.hasPrefix("views-") {
        try FileManager.default.removeItem(atPath: path + "/" + name)
      }
    }
    var options = House.options()
    options.adjustsEngine = {
      $0.mapByteCount = 1 << 30
      adjusts?(&$0)
    }
    ledger = try await Ledger.open(at: path, options: options)
  }
}
