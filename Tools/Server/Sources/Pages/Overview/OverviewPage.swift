import Charts
import Daybook

// The overview: net worth, recent months, and changes.
extension LedgerSite {
  func overview(_ context: PageContext) async throws -> Page {
    let commits = try commits(context, limit: 6)
    let look = try lastLook(context)
    let waiting = FindingsSection.notice(try await findings(context), context)
    let subjects = try subjects(of: commits)
    return try await read(context) { context, snapshot in
      var names = try NameBook(snapshot)
      names.subjects = subjects
      guard !names.accounts.isEmpty else {
        return Page(context[.overview], .overview, body: OverviewPage.beginning(context))
      }
      let base = try snapshot.settings().baseCurrency
      var body = HTML()
      // The inbox and the latest changes are the same on every day.
      if context.on == nil {
        body += SinceLastLook.html(look, commits, context, names) ?? HTML()
        body += try InboxPage.card(context, snapshot) ?? HTML()
      }
      if let base {
        body += try OverviewPage.netWorth(context, snapshot, base)
        body += try OverviewPage.months(context, snapshot, base)
      } else {
        body += try OverviewPage.netWorthByCurrency(context, snapshot)
      }
      body += try OverviewPage.budgets(context, snapshot)
      if context.on == nil { body += try OverviewPage.upcoming(context, snapshot) }
      if let base { body += try InsightsCard.html(context, snapshot, base) }
      if context.on == nil { body += OverviewPage.changes(context, commits, names) }
      return Page(
        context[.overview], .overview, body: "\(waiting)<div class=\"cards\">\(body)</div>")
    }
  }
}

/// The parts of the overview.
enum OverviewPage {
  /// Returns the first steps, shown while the ledger is empty.
  static func beginning(_ context: PageContext) -> HTML { FirstSteps.html(context) }

  static func netWorth(
    _ context: PageContext, _ snapshot: borrowing Snapshot, _ base: Currency
  ) throws -> HTML {
    let this = context.today.monthOf
    let months = this.adding(-23)..<this
    let worth = try snapshot.baseNetWorth(on: context.today, base: base)
    let points =
      try snapshot.baseNetWorthSeries(over: months, base: base).map {
        ($0.day.monthOf, $0.day, $0.amount.total)
      } + [(this, context.today, worth.total)]
    let series = ChartSeries(
      name: context[.netWorth], style: "worth",
      points: points.map { month, day, total in
        ChartPoint(
          label: month.components.month % 3 == 1 ? axisLabel(month, context) : "",
          name: context.day(day), value: total.drawn, text: context.amount(total),
          link: context.link("/accounts", [("on", "\(day)")]))
      })
    let before = points.dropLast().last?.2
    let change = before.flatMap { try? worth.total - $0 }
    let chart = LineChart(
      title: "\(context[.netWorth]): \(context[.last24])",
      summary: "\(context.amount(worth.total)), \(context.day(context.today))", series: series)
    return """
      <section class="card wide" aria-labelledby="worth"><h2 id="worth">\(context[.netWorth])</h2>
      <p class="large">\(context.figure(worth.total, to: context.link("/accounts")))</p>
      \(change.map { total -> HTML in "<p class=\"aside\">\(context.figure(total, to: context.transactions(this.days), isSigned: true)) \(context[.thisMonth])</p>" })
      \(unconverted(worth, context))
      \(HTML(unescaped: chart.svg(id: "net-worth") { context.rounded($0, base) }))
      <details><summary>\(context[.figuresBelow])</summary>\
      \(HTML(unescaped: DataTable(caption: chart.title, nameHeader: context[.day], series: [series]).html))</details>
      </section>
      """
  }

  /// Returns the amounts that a figure doesn't include because a rate is missing.
  static func unconverted(_ amount: Converted, _ context: PageContext) -> HTML? {
    guard !amount.isComplete else { return nil }
    let parts = amount.unconverted.map { context.amount($0.total) }.joined(separator: ", ")
    return
      "<p class=\"aside\"><a href=\"\(context.link("/rates"))\">\(context[.noConversion])</a>: \(parts)</p>"
  }

  static func axisLabel(_ month: Month, _ context: PageContext) -> String {
    let year = month.year % 100
    return "\(context.shortMonth(month)) \(year < 10 ? "0" : "")\(year)"
  }

  static func netWorthByCurrency(
    _ context: PageContext, _ snapshot: borrowing Snapshot
  ) throws -> HTML {
    let totals = try snapshot.netWorth(on: context.today).map { total -> HTML in
      "<p class=\"large\">\(context.figure(total, to: context.link("/accounts")))</p>"
    }
    return """
      <section class="card wide" aria-labelledby="worth"><h2 id="worth">\(context[.netWorth])</h2>\(totals)
      <p class="aside"><a href="\(context.link("/settings"))">\(context[.noBase])</a></p></section>
      """
  }

  static func months(
    _ context: PageContext, _ snapshot: borrowing Snapshot, _ base: Currency
  ) throws -> HTML {
    let this = context.today.monthOf
    let months = try snapshot.baseMonths(
      this.adding(-11)..<this.adding(1), base: base, today: context.today)
    let kinds: [(Word, String, (ConvertedTotals) -> Total)] = [
      (.income, "income", { $0.income.total }), (.expense, "expense", { $0.expense.total }),
    ]
    let series = kinds.map { word, type, total in
      ChartSeries(
        name: context[word], style: type,
        points: months.map { month in
          ChartPoint(
            label: context.shortMonth(month.month), name: context.month(month.month),
            value: total(month.totals).drawn, text: context.amount(total(month.totals)),
            link: context.transactions(month.month.days, [("kind", type)]))
        })
    }
    let chart = SeriesChart(
      .bars, title: "\(context[.income]), \(context[.expense]): \(context[.last12])",
      summary: "\(context.month(this.adding(-11))) – \(context.month(this))", series: series)
    let rows = kinds.map { word, type, total -> HTML in
      let pair = months.suffix(2).map { month -> HTML in
        let link = context.transactions(month.month.days, [("kind", type)])
        return "<td class=\"num\">\(context.figure(total(month.totals), to: link))</td>"
      }
      return "<tr><th scope=\"row\">\(context[word])</th>\(Array(pair.reversed()))</tr>"
    }
    let net = months.suffix(2).reversed().map { month -> HTML in
      "<td class=\"num\">\(context.figure(month.totals.net, to: context.transactions(month.month.days)))</td>"
    }
    return """
      <section class="card wide" aria-labelledby="months"><h2 id="months">\(context[.thisMonth])</h2>
      <div class="scroll"><table class="figures"><thead><tr><td></td><th scope="col" class="num">\(context.month(this))</th>\
      <th scope="col" class="num">\(context.month(this.adding(-1)))</th></tr></thead>
      <tbody>\(rows)<tr class="sum"><th scope="row">\(context[.net])</th>\(Array(net))</tr></tbody></table></div>
      \(HTML(unescaped: chart.svg(id: "by-month") { context.rounded($0, base) }))
      <p class="legend"><span class="key income"></span>\(context[.income]) <span class="key expense"></span>\(context[.expense])</p>
      <details><summary>\(context[.figuresBelow])</summary>\
      \(HTML(unescaped: DataTable(caption: chart.title, nameHeader: context[.month], series: series).html))</details>
      </section>
      """
  }

  static func budgets(_ context: PageContext, _ snapshot: borrowing Snapshot) throws -> HTML {
    let statuses = try snapshot.budgetStatuses(today: context.today)
    let rows = statuses.prefix(8).map { BudgetsPage.row($0, context) }
    let contents: HTML =
      rows.isEmpty
      ? "<p class=\"empty\">\(context[.noBudgets])</p>" : "<ul class=\"plain\">\(rows)</ul>"
    return """
      <section class="card" aria-labelledby="budgets"><h2 id="budgets"><a href="\(context.link("/budgets"))">\(context[.budgets])</a></h2>
      \(contents)</section>
      """
  }

  static func upcoming(_ context: PageContext, _ snapshot: borrowing Snapshot) throws -> HTML {
    let payments = try snapshot.upcoming(
      through: context.today.adding(days: 30), today: context.today)
    let rows = payments.prefix(8).map { RecurringPage.row($0, context) }
    let contents: HTML =
      rows.isEmpty
      ? "<p class=\"empty\">\(context[.noUpcoming])</p>"
      : "<table class=\"figures\"><tbody>\(Array(rows))</tbody></table>"
    return """
      <section class="card" aria-labelledby="upcoming"><h2 id="upcoming"><a href="\(context.link("/recurring"))">\(context[.upcoming])</a></h2>
      \(contents)</section>
      """
  }

  static func changes(_ context: PageContext, _ commits: [HistoryEntry], _ names: NameBook) -> HTML
  {
    let rows = commits.map { CommitText.row($0, context, names, isNumbered: false) }
    return """
      <section class="card full" aria-labelledby="changes"><h2 id="changes"><a href="\(context.link("/history"))">\(context[.latestChanges])</a></h2>
      <ul class="plain commits">\(rows)</ul></section>
      """
  }
}
