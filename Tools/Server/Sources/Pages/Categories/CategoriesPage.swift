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
      let table = try CategoryTable(kind, month, base, names, context, snapshot)
      let trends = try base.map { base in
        try CategoryTrends.html(
          kind, table.largest, through: month, base, names, context, snapshot)
      }
      body += """
        <section class="card"><h2>\(context[word])</h2><div class="beside">\(table.html)\(trends)</div></section>
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
