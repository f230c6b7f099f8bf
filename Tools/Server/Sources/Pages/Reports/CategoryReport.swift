import Daybook

/// Income and expenses by category; each row includes the subcategories.
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
          in: period.days, kind: kind, rollUp: true, base: base, today: context.today)
        for row in rows {
          let total = row.amount.total
          found[row.category.id, default: query.periods.map { _ in .zero(base) }][place] = total
          sums[place].units += total.units
          nets[place].units += kind == .income ? total.units : -total.units
        }
      }
      let rows = found.map { id, totals in
        let link = context.link("/categories/\(id)")
        return query.row(
          "<a href=\"\(link)\">\(names.name(id, context))</a>", totals, [("category", "\(id)")],
          context)
      }
      let word: Word = kind == .income ? .income : .expense
      sections.append(
        ReportTable.Section(
          title: context[word], rows: Self.sorted(rows),
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
