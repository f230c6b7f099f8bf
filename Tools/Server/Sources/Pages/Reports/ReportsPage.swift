import Daybook

/// The page with income and expenses by category, payee or tag, and the net worth by account, of
/// several months or years.
enum ReportsPage {
  static func page(_ context: PageContext, _ snapshot: borrowing Snapshot) throws -> Page {
    let query = ReportQuery(context)
    guard let base = try snapshot.settings().baseCurrency else {
      return Page(
        context[.reports], .reports,
        body: """
          <p class="aside"><a href="\(context.link("/settings"))">\(context[.noBase])</a></p>
          """)
    }
    let table =
      switch query.rows {
      case .category: try CategoryReport.table(query, base, context, snapshot)
      case .payee, .tag: try NamedReport.table(query, base, context, snapshot)
      case .account: try AccountReport.table(query, base, context, snapshot)
      }
    let note: HTML? =
      query.rows == .payee || query.rows == .tag
      ? "<p class=\"aside\">\(context[query.rows == .tag ? .tagNote : .payeeNote])</p>" : nil
    return Page(
      context[.reports], .reports,
      body: """
        \(query.switches(context))\(table.html(context))\(note)
        \(try unconverted(query, base, context, snapshot))
        """)
  }

  /// Returns the amounts that the figures don't include because a rate is missing.
  private static func unconverted(
    _ query: ReportQuery, _ base: Currency, _ context: PageContext, _ snapshot: borrowing Snapshot
  ) throws -> [HTML] {
    if query.rows == .account {
      let worth = try snapshot.baseNetWorth(on: query.periods.last?.end(context) ?? context.today)
      return [OverviewPage.unconverted(worth, context)].compactMap(\.self)
    }
    let totals = try snapshot.baseTotals(in: query.days, base: base, today: context.today)
    return [(Word.income, totals.income), (.expense, totals.expense)].compactMap { word, amount in
      OverviewPage.unconverted(amount, context).map { "<h2>\(context[word])</h2>\($0)" }
    }
  }
}
