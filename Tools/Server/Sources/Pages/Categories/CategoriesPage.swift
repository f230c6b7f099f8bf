import Charts
import Daybook

/// The page with expenses and income by category in a month, and with trends over several months.
enum CategoriesPage {
  static func page(_ context: PageContext, _ snapshot: borrowing Snapshot) throws -> Page {
    let month = context.query("month").flatMap { Month($0) } ?? context.today.monthOf
    let base = try snapshot.settings().baseCurrency
    let names = try NameBook(snapshot)
    var body = steps(month, context)
    for kind in CategoryKind.allCases {
      let word: Word = kind == .expense ? .expense : .income
      let totals = try totals(kind, month, base, context, snapshot)
        .sorted { $0.1.units > $1.1.units }
      let last = Dictionary(
        try self.totals(kind, month.adding(-1), base, context, snapshot).map { ($0.0, $0.1) },
        uniquingKeysWith: { first, _ in first })
      let largest = totals.map { $0.1.units.magnitude }.max() ?? 0
      let rows = totals.map { category, total -> HTML in
        let share = Ratio(Int128(total.units.magnitude), of: Int128(max(largest, 1)))
        let link = context.transactions(month.days, [("category", "\(category)")])
        let before = last[category] ?? .zero(total.currency)
        let moved = try? total - before
        let then = context.transactions(month.adding(-1).days, [("category", "\(category)")])
        let change = moved.map { total -> HTML in
          "<a class=\"figure\" href=\"\(then)\">\(context.signed(total))</a>"
        }
        return """
          <tr><th scope="row"><a href="\(context.link("/categories/\(category)"))">\(names.name(category, context))</a></th>\
          <td class="bar-cell">\(HTML(unescaped: ShareBar(perMille: share?.perMille ?? 0, style: kind == .expense ? "expense" : "income").svg))</td>\
          <td class="num">\(context.figure(total, to: link))</td><td class="num aside">\(change)</td></tr>
          """
      }
      let contents: HTML =
        rows.isEmpty
        ? "<p class=\"empty\">\(context[.nothingYet])</p>"
        : "<div class=\"scroll\"><table class=\"figures\"><thead><tr><th scope=\"col\">\(context[.category])</th><td></td><th scope=\"col\" class=\"num\">\(context[.total])</th><th scope=\"col\" class=\"num\">\(context[.less])</th></tr></thead><tbody>\(rows)</tbody></table></div>"
      let trends = try base.map { base in
        try CategoryTrends.html(
          kind, totals.map(\.0), through: month, base, names, context, snapshot)
      }
      body += """
        <section class="card"><h2>\(context[word])</h2><div class="beside">\(contents)\(trends)</div></section>
        """
    }
    body += try CategoryForm.new(names, context, snapshot)
    return Page(context[.categories], .categories, body: body)
  }

  /// Returns links to the previous and the next month.
  private static func steps(_ month: Month, _ context: PageContext) -> HTML {
    let before = month.adding(-1)
    let after = month.adding(1)
    return """
      <nav class="steps" aria-label="\(context[.month])"><a class="button" href="\(context.link("/categories", [("month", "\(before)")]))">‹ \(context.month(before))</a>\
      <strong>\(context.month(month))</strong>\
      <a class="button" href="\(context.link("/categories", [("month", "\(after)")]))">\(context.month(after)) ›</a></nav>
      """
  }

  /// Returns the totals of top-level categories, in the base currency if there is one.
  private static func totals(
    _ kind: CategoryKind, _ month: Month, _ base: Currency?, _ context: PageContext,
    _ snapshot: borrowing Snapshot
  ) throws -> [(CategoryID, Total)] {
    guard let base else {
      return try snapshot.breakdown(
        in: month.days, kind: kind, rollUp: true, today: context.today
      ).flatMap { row in row.totals.map { (row.category.id, $0) } }
    }
    return try snapshot.baseBreakdown(
      in: month.days, kind: kind, rollUp: true, base: base, today: context.today
    ).map { ($0.category.id, $0.amount.total) }
  }

  static func page(
    of id: CategoryID, _ context: PageContext, _ snapshot: borrowing Snapshot
  ) throws -> Page {
    guard let category = try snapshot.category(id) else { throw PageError.notFound }
    let names = try NameBook(snapshot)
    let this = context.today.monthOf
    let months = this.adding(-23)..<this.adding(1)
    var body = HTML()
    let isExcluded = try snapshot.isExcluded(id)
    if isExcluded {
      body += "<p><span class=\"status\">\(context[.excluded])</span></p>"
    }
    if let base = try snapshot.settings().baseCurrency {
      let trend = try snapshot.baseTrend(of: id, over: months, base: base, today: context.today)
      let series = ChartSeries(
        name: category.name, style: category.kind == .expense ? "expense" : "income",
        points: trend.map { month in
          ChartPoint(
            label: month.month.components.month % 3 == 1
              ? OverviewPage.axisLabel(month.month, context) : "",
            name: context.month(month.month), value: month.amount.total.drawn,
            text: context.amount(month.amount.total),
            link: context.transactions(
              month.month.days, [("category", "\(id)")], isCounted: !isExcluded))
        })
      let chart = SeriesChart(
        .bars, title: "\(category.name): \(context[.last24])", summary: context[.last24],
        series: [series])
      body += """
        <section class="card">\(HTML(unescaped: chart.svg(id: "trend") { context.rounded($0, base) }))
        <details><summary>\(context[.figuresBelow])</summary>\
        \(HTML(unescaped: DataTable(caption: chart.title, nameHeader: context[.month], series: [series]).html))</details></section>
        """
    } else {
      body += "<p class=\"aside\">\(context[.noBase])</p>"
    }
    let below = names.categories.filter { $0.parent == id && !$0.isDeleted }.map { child -> HTML in
      "<li><a href=\"\(context.link("/categories/\(child.id)"))\">\(child.name)</a></li>"
    }
    body += "<ul class=\"plain\">\(below)</ul>"
    body +=
      "<p><a class=\"button\" href=\"\(context.link("/transactions", [("category", "\(id)")]))\">\(context[.transactions])</a></p>"
    let edit: HTML? =
      context.canWrite && !category.isDeleted && !id.isBuiltin
      ? "<a class=\"button\" data-key=\"e\" href=\"/categories/\("\(id)")/edit\">\(context[.edit])</a>"
      : nil
    return Page(names.name(id, context), .categories, actions: "\(edit)", body: body)
  }
}
