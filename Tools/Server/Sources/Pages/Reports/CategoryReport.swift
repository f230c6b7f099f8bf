import Daybook

/// Income and expenses by category; each row includes the subcategories, which can have rows below it.
enum CategoryReport {
  static func table(
    _ query: ReportQuery, _ base: Currency, _ context: PageContext, _ snapshot: borrowing Snapshot
  ) throws -> ReportTable {
    let names = try NameBook(snapshot)
    var sections: [ReportTable.Section] = []
    var nets = query.periods.map { _ in Total.zero(base) }
    for kind in [CategoryKind.income, .expense] {
      var found: [CategoryID: [Total]] = [:]
      var sums = query.periods.map { _ in Total.zero(base) }
      for (place, period) in query.periods.enumerated() {
        let rows = try snapshot.baseBreakdown(
          in: period.days, kind: kind, rollUp: !query.isDetailed, base: base,
          today: context.today)
        for row in rows {
          let total = row.amount.total
          found[row.category.id, default: query.periods.map { _ in .zero(base) }][place] = total
          sums[place].units += total.units
          nets[place].units += kind == .income ? total.units : -total.units
        }
      }
      let rows =
        query.isDetailed
        ? outlined(found, kind, names, query, context)
        : Self.sorted(found.map { row(of: $0, names.name($0, context), $1, query, context) })
      let word: Word = kind == .income ? .income : .expense
      sections.append(
        ReportTable.Section(
          title: context[word], rows: rows,
          sums: [
            query.row(
              "\(context[.total])", sums, [("kind", "\(kind)")], context, isSum: true)
          ]))
    }
    sections.append(
      ReportTable.Section(
        rows: [], sums: [query.row("\(context[.net])", nets, [], context, isSum: true)]))
    return ReportTable(query: query, sections: sections)
  }

  private static func row(
    of id: CategoryID, _ name: String, depth: Int = 0, _ totals: [Total], _ query: ReportQuery,
    _ context: PageContext
  ) -> ReportTable.Row {
    let link = context.link("/categories/\(id)")
    var row = query.row(
      "<a href=\"\(link)\">\(name)</a>", totals, [("category", "\(id)")], context)
    row.depth = depth
    return row
  }

  /// Returns a row for each category, below that of its parent, and one for what a parent has itself.
  private static func outlined(
    _ found: [CategoryID: [Total]], _ kind: CategoryKind, _ names: NameBook, _ query: ReportQuery,
    _ context: PageContext
  ) -> [ReportTable.Row] {
    let builtin: CategoryID = kind == .expense ? .uncategorizedExpense : .uncategorizedIncome
    let all =
      names.categories.filter { $0.kind == kind } + [Category(id: builtin, name: "", kind: kind)]
    let outline = CategoryOutline(all) { found[$0.id] != nil }
    return outline.rows.flatMap { line -> [ReportTable.Row] in
      let category = line.category
      let name = category.id.isBuiltin ? context[.uncategorized] : category.name
      let members = ([category.id] + line.below).compactMap { found[$0] }
      let totals = members.dropFirst().reduce(members[0]) { sums, totals in
        zip(sums, totals).map { Total(units: $0.units + $1.units, currency: $0.currency) }
      }
      var rows = [row(of: category.id, name, depth: line.depth, totals, query, context)]
      // A parent's own transactions have a row of their own, so that the rows add up.
      if !line.below.isEmpty, let own = found[category.id], own.contains(where: { $0.units != 0 }) {
        var itself = query.row(
          "\(category.name) \(context[.itself])", own,
          [("category", "\(category.id)"), ("subcategories", "false")], context)
        itself.depth = line.depth + 1
        rows.append(itself)
      }
      return rows
    }
  }

  /// Returns rows with the largest figures over all periods first.
  static func sorted(_ rows: [ReportTable.Row]) -> [ReportTable.Row] {
    rows.sorted { left, right in
      let sizes = (
        left.figures.last?.units.magnitude ?? 0, right.figures.last?.units.magnitude ?? 0
      )
      return sizes.0 != sizes.1 ? sizes.0 > sizes.1 : left.name.text < right.name.text
    }
  }
}
