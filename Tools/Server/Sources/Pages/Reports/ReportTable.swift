import Daybook

/// A table of figures: a row for each category, payee, tag or account, and a column for each period.
struct ReportTable {
  struct Row {
    var name: HTML
    /// The figures of the periods, and of all of them; `nil` if there is nothing.
    var figures: [Total]
    /// The address of the transactions of each figure.
    var links: [String]
    var isSum = false
    /// The number of rows above it that contain it.
    var depth = 0
  }

  /// Rows under a heading, with their sums.
  struct Section {
    var title: String?
    var rows: [Row]
    var sums: [Row] = []
  }

  /// The maximum number of rows of a page, besides sums.
  static let rowCountMax = 24

  var query: ReportQuery
  var sections: [Section]
  /// Whether the last column is the sum of the others.
  var hasTotals = true

  func html(_ context: PageContext) -> HTML {
    let names = query.periods.map(\.name) + (hasTotals ? [context[.total]] : [])
    let heads = names.map { name -> HTML in "<th scope=\"col\" class=\"num\">\(name)</th>" }
    let count = sections.reduce(0) { $0 + $1.rows.count }
    guard count > 0 else { return "<p class=\"empty\">\(context[.nothingYet])</p>" }
    var left = query.skipped
    var room = Self.rowCountMax
    let bodies = sections.map { section -> HTML in
      let shown = section.rows.dropFirst(left).prefix(room)
      left = max(0, left - section.rows.count)
      room -= shown.count
      let title = section.title.map { title -> HTML in
        "<tr><th scope=\"rowgroup\" colspan=\"\(names.count + 1)\"><h2>\(title)</h2></th></tr>"
      }
      let rows = (shown + section.sums).map { line($0, context) }
      return rows.isEmpty ? HTML() : "<tbody>\(title)\(rows)</tbody>"
    }
    return """
      <div class="scroll card"><table class="figures report"><thead><tr><th scope="col">\(context[query.rows.word])</th>\(heads)</tr></thead>\(bodies)</table></div>
      \(pager(count, context))
      """
  }

  private func line(_ row: Row, _ context: PageContext) -> HTML {
    let cells = zip(row.figures, row.links).map { total, link -> HTML in
      total.units == 0
        ? "<td class=\"num aside\">–</td>"
        : "<td class=\"num\">\(context.figure(total, to: link))</td>"
    }
    let style: HTML? = row.isSum ? " class=\"sum\"" : nil
    let depth: HTML? = row.depth == 0 ? nil : " class=\"depth-\(min(row.depth, 3))\""
    return "<tr\(style)><th scope=\"row\"\(depth)>\(row.name)</th>\(cells)</tr>"
  }

  private func pager(_ count: Int, _ context: PageContext) -> HTML? {
    guard count > Self.rowCountMax else { return nil }
    var links = HTML()
    if query.skipped > 0 {
      let before = query.skipped - Self.rowCountMax
      let link = query.address(skipped: before > 0 ? before : nil, context)
      links += "<a class=\"button\" rel=\"prev\" href=\"\(link)\">‹</a>"
    }
    let next = query.skipped + Self.rowCountMax
    links += "<span>\(min(query.skipped + 1, count))–\(min(next, count)) / \(count)</span>"
    if next < count {
      links +=
        "<a class=\"button\" href=\"\(query.address(skipped: next, context))\">›</a>"
    }
    return "<nav class=\"pager\" aria-label=\"\(context[.reports])\">\(links)</nav>"
  }
}

extension ReportQuery {
  /// Returns a row of transactions that match a query, with a sum over all periods.
  func row(
    _ name: HTML, _ figures: [Total], _ query: [(String, String?)], _ context: PageContext,
    isSum: Bool = false
  ) -> ReportTable.Row {
    let currency = figures[0].currency
    let all = Total(units: figures.reduce(0) { $0 + $1.units }, currency: currency)
    return ReportTable.Row(
      name: name, figures: figures + [all],
      links: (periods.map(\.days) + [days]).map { context.transactions($0, query) }, isSum: isSum)
  }
}
