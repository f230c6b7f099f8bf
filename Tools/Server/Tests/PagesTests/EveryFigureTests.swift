// Goal: every figure on every view is the ledger's own, now and after ten commits of the past, and there is none
// that nobody asked for. Method: a household changes in many ways. Its pages are walked as of each commit; the
// figures of each are compared, all of them, with what the library answers as of that commit.
import Daybook
import DaybookFoundation
import DaybookTesting
import Foundation
import Pages
import Testing

@Suite struct EveryFigureTests {
  /// What is on a page: figures that lead somewhere, and the tables below its charts.
  private struct Figures: Equatable {
    var linked: [String]
    var drawn: [String]

    /// Those of a page.
    init(page: String) {
      linked = page.matches(of: /<a class="figure[^"]*" href="[^"]+">([^<]*)<\/a>/)
        .map { String($0.1) }.sorted()
      drawn = page.matches(of: /<td class="num"><a href="[^"]+">([^<]*)<\/a>/)
        .map { String($0.1) }.sorted()
    }

    /// - Parameter texts: what is no amount: a share, so many months.
    init(
      _ totals: [Total], signed: [Total] = [], drawn: [Total] = [], texts: [String] = []
    ) {
      linked =
        (totals.map { Self.text($0) } + signed.map { Self.text($0, isSigned: true) } + texts)
        .sorted()
      self.drawn = drawn.map { Self.text($0) }.sorted()
    }

    private static func text(_ total: Total, isSigned: Bool = false) -> String {
      let plain = AmountFormatStyle<Total>(locale: Locale(identifier: "en-US"))
      let style = isSigned ? plain.sign(strategy: .always(showZero: false)) : plain
      return style.format(total).replacing("&", with: "&amp;").replacing("'", with: "&#39;")
    }
  }

  /// How much of a budget's period has passed.
  private func passed(_ status: BudgetStatus) -> String {
    let style = Decimal.FormatStyle.Percent(locale: Locale(identifier: "en-US"))
    let ratio = Ratio(Int128(status.elapsedDayCount), of: Int128(status.dayCount))
    return style.precision(.fractionLength(0))
      .format(Decimal(ratio?.perMille ?? 0) / 1_000)
  }

  private func row(_ status: BudgetStatus) -> [Total] {
    [status.spent.total, status.available, status.remaining]
  }

  private func upcoming(_ snapshot: borrowing Snapshot, through last: Day) throws -> [Total] {
    try snapshot.upcoming(through: last, today: today).map {
      Total($0.transaction?.amount ?? $0.series.template.amount)
    }
  }

  /// What the overview says of the month beside its totals.
  private func said(
    _ insights: ConvertedInsights
  ) -> (totals: [Total], texts: [String]) {
    var texts: [String] = []
    if let rate = insights.savingsRate {
      let style = Decimal.FormatStyle.Percent(locale: Locale(identifier: "en-US"))
      texts.append(
        style.precision(.fractionLength(0)).format(Decimal(rate.perMille) / 1_000))
    }
    if let runway = insights.runway {
      texts.append("\(runway.tenthsOfMonths / 10).\(runway.tenthsOfMonths % 10) months")
    }
    return (
      [insights.averagePerDay] + insights.spikes.prefix(3).flatMap { [$0.total, $0.usual] }, texts
    )
  }

  /// What accounts of series will hold, week by week.
  private func forecasts(_ snapshot: borrowing Snapshot) throws -> [Total] {
    var ids: [AccountID] = []
    for series in try snapshot.series() {
      for id in [series.template.account, series.template.otherAccount].compactMap({ $0 })
      where !ids.contains(id) { ids.append(id) }
    }
    var totals: [Total] = []
    for id in ids.prefix(4) {
      guard let account = try snapshot.account(id), !account.isClosed, !account.isDeleted else {
        continue
      }
      totals += try snapshot.forecast(
        of: id, through: today.adding(days: 91), today: today, every: .week
      ).balances.map(\.total)
    }
    return totals
  }

  /// How much categories of a kind moved, and by how much that is another than the month before.
  private func categories(
    _ kind: CategoryKind, _ base: Currency, _ snapshot: borrowing Snapshot
  ) throws -> (totals: [Total], moved: [Total], trends: [Total]) {
    func rows(_ month: Month, rollUp: Bool) throws -> [CategoryID: Total] {
      let rows = try snapshot.baseBreakdown(
        in: month.days, kind: kind, rollUp: rollUp, base: base, today: today)
      return Dictionary(
        rows.map { ($0.category.id, $0.amount.total) }, uniquingKeysWith: { first, _ in first })
    }
    let (own, top) = (
      try rows(today.monthOf, rollUp: false), try rows(today.monthOf, rollUp: true)
    )
    let before = try rows(today.monthOf.adding(-1), rollUp: false)
    let all = try snapshot.categories(kind, includingDeleted: true)
    func sum(_ rows: [CategoryID: Total], _ id: CategoryID) throws -> Total {
      try all.filter { $0.parent == id }.reduce(rows[id] ?? .zero(base)) {
        try $0 + sum(rows, $1.id)
      }
    }
    var lines: [(Total, Total)] = []
    let builtins = own.keys.filter { $0.isBuiltin }
    for id in all.filter({ !$0.isDeleted || own[$0.id] != nil }).map(\.id) + builtins {
      let total = try sum(own, id)
      if let rolled = top[id] { #expect(rolled == total, "a parent's total is that of its parts") }
      lines.append((total, try sum(before, id)))
      guard all.contains(where: { $0.parent == id && !$0.isDeleted }), let part = own[id],
        part.units != 0
      else { continue }
      lines.append((part, before[id] ?? .zero(base)))
    }
    // The four largest have a line over twelve months.
    let largest = top.sorted { $0.value.units > $1.value.units }.prefix(4)
    let trends = try largest.flatMap { id, _ in
      try snapshot.baseTrend(
        of: id, over: today.monthOf.adding(-11)..<today.monthOf.adding(1), base: base, today: today
      ).map(\.amount.total)
    }
    return (lines.map(\.0), try lines.map { try $0.0 - $0.1 }, trends)
  }

  /// What accounts hold, what foreign ones are worth, and the sum of each kind with several accounts.
  private func accounts(_ base: Currency, _ snapshot: borrowing Snapshot) throws -> [Total] {
    let all = try snapshot.balances(on: today, includingClosed: true, includingDeleted: true)
      .filter { !$0.account.isDeleted || $0.balance.units != 0 }
    var figures: [Total] = []
    for kind in [AccountKind.asset, .liability, .equity] {
      var sum = Total.zero(base)
      let own = all.filter { $0.account.kind == kind }
      for one in own {
        figures.append(one.balance)
        var value: Total? = one.balance
        if one.account.currency != base {
          let money = Money(Int64(one.balance.units), one.account.currency)
          value = try snapshot.convert(money, to: base, on: today).map { Total($0) }
          if let value { figures.append(value) }
        }
        sum.units += value?.units ?? 0
      }
      if own.count > 1, kind != .equity { figures.append(sum) }
    }
    return figures
  }

  /// What each view has to say, by its path.
  private func expected(_ snapshot: borrowing Snapshot) throws -> [String: Figures] {
    let month = today.monthOf
    let base = try #require(try snapshot.settings().baseCurrency)
    let worth = try snapshot.baseNetWorth(on: today, base: base).total
    let before = try snapshot.baseNetWorth(
      on: month.days.lowerBound.adding(days: -1), base: base
    ).total
    let worths = try snapshot.baseNetWorthSeries(over: month.adding(-23)..<month, base: base)
      .map(\.amount.total)
    let months = try snapshot.baseMonths(
      month.adding(-11)..<month.adding(1), base: base, today: today
    ).map(\.totals)
    let statuses = try snapshot.budgetStatuses(today: today)
    let insights = said(try snapshot.baseInsights(month, base: base, today: today))
    let moved = try CategoryKind.allCases.map { try categories($0, base, snapshot) }
    let soon = try upcoming(snapshot, through: today.adding(days: 30)).prefix(8)
    var views = [
      "/": Figures(
        [worth] + soon + insights.totals
          + months.suffix(2).flatMap { [$0.income.total, $0.expense.total, $0.net] }
          + statuses.prefix(8).flatMap(row),
        signed: [try worth - before],
        drawn: worths + [worth] + months.flatMap { [$0.income.total, $0.expense.total] },
        texts: insights.texts),
      "/accounts": Figures([worth] + (try accounts(base, snapshot))),
      "/categories": Figures(
        moved.flatMap(\.totals), signed: moved.flatMap(\.moved), drawn: moved.flatMap(\.trends)),
      "/budgets": Figures(statuses.flatMap(row)),
      "/recurring": Figures(
        try upcoming(snapshot, through: today.adding(months: 3))
          + snapshot.series().map { Total($0.template.amount) },
        drawn: try forecasts(snapshot)),
    ]
    for status in statuses {
      let periods = try snapshot.budgetHistory(of: status.budget.id, limit: 24, today: today)
      views["/budgets/\(status.budget.id)"] = Figures(
        row(status) + row(status)
          + [status.carriedOver.total, status.planned.total, status.projected]
          + periods.flatMap(row), texts: [passed(status)])
    }
    for category in try snapshot.categories().prefix(4) {
      let trend = try snapshot.baseTrend(
        of: category.id, over: month.adding(-23)..<month.adding(1), base: base, today: today)
      views["/categories/\(category.id)"] = Figures([], drawn: trend.map(\.amount.total))
    }
    views["/statements"] = Figures(
      try snapshot.assertionChecks().flatMap { [Total($0.assertion.balance), $0.balance] })
    // A page of rates ends with a day.
    let rates = try snapshot.rates().sorted { $0.day > $1.day }
    let last = rates.count > 120 ? rates[119].day : .min
    views["/rates"] = Figures([], texts: rates.filter { $0.day > last }.map { "\($0.quote)" })
    return views
  }

  /// So many rows a page of the list has.
  private static let rowCount = 48

  /// What an account holds, also in the base currency, and how much of that is cleared and pending.
  private func summary(
    _ account: AccountID, _ snapshot: borrowing Snapshot
  ) throws -> [Total] {
    let balance = try snapshot.balance(of: account, on: today)
    let pending = TransactionFilter(
      account: account, days: .min..<today.adding(days: 1), status: .pending)
    let sums = try snapshot.transactions(pending, limit: 500).compactMap { $0.amount(on: account) }
    var totals = [balance]
    let units = Money(Int64(balance.units), balance.currency)
    if balance.currency != .eur, let money = try snapshot.convert(units, to: .eur, on: today) {
      totals.append(Total(money))
    }
    guard !sums.isEmpty else { return totals }
    let held = sums.reduce(Int128(0)) { $0 + Int128($1.minorUnits) }
    return totals
      + [balance.units - held, held].map { Total(units: $0, currency: balance.currency) }
  }

  /// What each page of a list of transactions has to say, to its end, and what it is asked with.
  private func pages(
    of account: AccountID?, _ snapshot: borrowing Snapshot
  ) throws -> [(query: [(String, String)], figures: Figures)] {
    var filter = TransactionFilter()
    if let account { filter.accounts = [account] }
    let query = account.map { [("account", "\($0)")] } ?? []
    var pages: [(query: [(String, String)], figures: Figures)] = []
    // A filtered list has its sums above it: what came in, what went out, and the net.
    var above: [Total] = []
    if let account {
      let moved = try snapshot.transactions(filter, limit: 10_000).compactMap {
        $0.amount(on: account).map { Total($0) }
      }
      if let currency = moved.first?.currency {
        let moneyIn = moved.reduce(0) { $0 + max(0, $1.units) }
        let moneyOut = moved.reduce(0) { $0 + max(0, -$1.units) }
        above = [moneyIn, moneyOut, moneyIn - moneyOut].map { Total(units: $0, currency: currency) }
      }
      above += try summary(account, snapshot)
    }
    var last: TransactionPosition?
    while pages.count < 1_000 {
      let rows = try snapshot.transactions(filter, after: last, limit: Self.rowCount)
      if rows.isEmpty { break }
      let balances =
        account == nil
        ? [] : try snapshot.balances(of: [account].compactMap { $0 }, after: rows.map(\.key))
      let amounts = rows.compactMap { row in
        (account.flatMap { row.amount(on: $0) } ?? row.amount).map { Total($0) }
      }
      pages.append(
        (
          query + (last.map { [("after", "\($0.day).\($0.number)")] } ?? []),
          Figures(above + amounts + (balances ?? []).compactMap { $0 })
        ))
      guard rows.count == Self.rowCount else { break }
      last = rows.last?.key
    }
    return pages
  }

  /// A household of two years, and twelve commits that each change what pages say.
  private func changing() async throws -> (ledger: Ledger, commits: [Token]) {
    let household = SampleHousehold(seed: 11, transactionCount: 150, years: 2, through: today)
    let ledger = try await household.ledger()
    try await ledger.append(.setSettings(SettingsChange(baseCurrency: .eur)))
    let (account, other, food, rows) = try ledger.read { snapshot in
      let accounts = try snapshot.accounts().filter { $0.currency == .eur }
      let food = try #require(try snapshot.categories(.expense).first)
      return (accounts[0].id, accounts[1].id, food.id, try snapshot.transactions(limit: 20))
    }
    let rent = Series(
      id: .unassigned, name: "Rent",
      template: SeriesTemplate(
        type: .expense, amount: Money(900_00, .eur), account: account, category: food),
      schedule: Schedule(.month), anchor: today.adding(days: -40))
    let budget = Budget(
      name: "Food", categories: [food], amount: Money(400_00, .eur), period: .monthly(resetDay: 1))
    let day = today.adding(days: -3)
    let steps: [Command] = [
      .putBudget(budget),
      .record(.expense(Money(12_34, .eur), from: account, category: food, on: today)),
      .putSeries(rent),
      .record(.income(Money(2_500_00, .eur), into: account, on: day)),
      .record(.transfer(Money(300_00, .eur), from: account, to: other, on: day)),
      .amend(rows[0].id, Amendment(day: day)), .delete(rows[1].id),
      .openAccount(
        NewAccount(name: "Loan", kind: .liability, currency: .eur, opening: Money(-5_000_00, .eur))),
      .putBudget(
        Budget(name: "All", categories: [], amount: Money(2_000_00, .eur), period: .yearly)),
      .setRate(ExchangeRate(base: .usd, quoted: .eur, day: today, quote: try Quote("0.8"))),
      .assertBalance(account, Money(1_00, .eur), on: day),
      .generateDue(through: today), .deleteCategory(food, .keepRows),
    ]
    var commits: [Token] = []
    for step in steps { commits.append(try await ledger.append(step).token) }
    return (ledger, commits)
  }

  @Test func everyFigureIsTheLedgers() async throws {
    let (ledger, commits) = try await changing()
    let asked = Asked(ledger)
    let newest = try #require(commits.last)
    var seen: Set<[String]> = []
    for commit in commits.suffix(11) {
      let past = try ledger.past(asOf: commit)
      let asOf = commit == newest ? nil : "\(commit.sequence)"
      for (path, figures) in try past.read({ try expected($0) }) {
        let page = await asked.get(path, asOf: asOf)
        #expect(page.status == 200 && Figures(page: page.text) == figures, "\(path) \(asOf ?? "")")
        if path == "/accounts" { seen.insert(figures.linked) }
      }
      let accounts = try past.read { try $0.accounts().prefix(3).map(\.id) }
      for account in [nil] + accounts {
        for page in try past.read({ try pages(of: account, $0) }) {
          let text = await asked.get("/transactions", page.query, asOf: asOf).text
          #expect(Figures(page: text) == page.figures, "\(page.query) \(asOf ?? "")")
        }
      }
    }
    #expect(seen.count > 5, "the commits differ in what pages say")
    try await ledger.close()
  }
}
