import Charts
import Daybook

/// The table of all categories of a kind: what each has in a month, with its subcategories.
struct CategoryTable {
  private let kind: CategoryKind
  private let month: Month
  private let names: NameBook
  private let context: PageContext
  private let outline: CategoryOutline
  /// The totals without subcategories, by currency, in this month and the one before.
  private let now: [CategoryID: [Currency: Int128]]
  private let before: [CategoryID: [Currency: Int128]]
  private let base: Currency?
  private let excluded: Set<CategoryID>

  init(
    _ kind: CategoryKind, _ month: Month, _ base: Currency?, _ names: NameBook,
    _ context: PageContext, _ snapshot: borrowing Snapshot
  ) throws {
    (self.kind, self.month, self.base) = (kind, month, base)
    (self.names, self.context) = (names, context)
    let now = try Self.totals(kind, month, base, context, snapshot)
    before = try Self.totals(kind, month.adding(-1), base, context, snapshot)
    self.now = now
    let builtin: CategoryID = kind == .expense ? .uncategorizedExpense : .uncategorizedIncome
    let all =
      names.categories.filter { $0.kind == kind } + [Category(id: builtin, name: "", kind: kind)]
    excluded = Set(try all.map(\.id).filter { try snapshot.isExcluded($0) })
    // The sizes with subcategories order the table, the largest first.
    var sizes: [CategoryID: Int128] = [:]
    let tree = CategoryOutline(all) { _ in true }
    for row in tree.rows {
      sizes[row.category.id] = ([row.category.id] + row.below).reduce(0) { sum, id in
        sum + (now[id]?.values.reduce(0, +) ?? 0)
      }
    }
    outline = CategoryOutline(all) { left, right in
      let (one, other) = (sizes[left.id] ?? 0, sizes[right.id] ?? 0)
      return one == other ? CategoryOutline.isInOrder(left, right) : one > other
    } isShown: { category in
      now[category.id] != nil
        || !category.isDeleted && !category.isHidden && !category.id.isBuiltin
    }
  }

  /// The categories without a parent that have a total, the largest first.
  var largest: [CategoryID] {
    outline.rows.filter { row in
      row.depth == 0 && ([row.category.id] + row.below).contains { now[$0] != nil }
    }.map(\.category.id)
  }

  var html: HTML {
    guard !outline.rows.isEmpty else {
      return "<p class=\"empty\">\(context[.nothingYet])</p>"
    }
    let largest = outline.rows.flatMap { sums(now, $0).values.map(\.magnitude) }.max() ?? 0
    let rows = outline.rows.map { row(for: $0, largest) }
    return """
      <div class="scroll"><table class="figures outline"><thead><tr><th scope="col">\(context[.category])</th><td class="bar-cell"></td>\
      <th scope="col" class="num">\(context[.total])</th><th scope="col" class="num">\(context[.less])</th></tr></thead><tbody>\(rows)</tbody></table></div>
      """
  }

  private func row(for row: CategoryOutline.Row, _ largest: Int128.Magnitude) -> HTML {
    let id = row.category.id
    var lines = line(
      id.isBuiltin ? context[.uncategorized] : row.category.name, row.category, row.depth,
      sums(now, row), sums(before, row), id, largest)
    // A parent's own transactions have a line of their own, so that the lines add up.
    if !row.below.isEmpty, let own = now[id], own.values.contains(where: { $0 != 0 }) {
      lines += line(
        "\(row.category.name) \(context[.itself])", nil, row.depth + 1, own, before[id] ?? [:],
        id, largest)
    }
    return lines
  }

  private func line(
    _ name: String, _ category: Category?, _ depth: Int, _ totals: [Currency: Int128],
    _ before: [Currency: Int128], _ id: CategoryID, _ largest: Int128.Magnitude
  ) -> HTML {
    // Only the line of a parent's own transactions has no category.
    let query = [("category", "\(id)"), ("subcategories", category == nil ? "false" : nil)]
    let currencies = Set(totals.keys).union(base.map { [$0] } ?? []).sorted()
    let shown = currencies.isEmpty ? [nil] : currencies.map { $0 as Currency? }
    var html = HTML()
    for currency in shown {
      let title: HTML
      if let category {
        let mark: HTML? =
          excluded.contains(category.id)
          ? " <span class=\"status\">\(context[.excluded])</span>" : nil
        title =
          "<a href=\"\(context.link("/categories/\(category.id)"))\">\(name)</a>\(mark)"
      } else {
        title = "\(name)"
      }
      html += """
        <tr><th scope="row" class="depth-\(min(depth, 3))">\(title)</th>\(currency.map { figures($0, totals, before, id, query, largest) } ?? "<td class=\"bar-cell\"></td><td></td><td></td>")</tr>
        """
    }
    return html
  }

  private func figures(
    _ currency: Currency, _ totals: [Currency: Int128], _ before: [Currency: Int128],
    _ id: CategoryID, _ query: [(String, String?)], _ largest: Int128.Magnitude
  ) -> HTML {
    let total = Total(units: totals[currency] ?? 0, currency: currency)
    let change = Total(units: total.units - (before[currency] ?? 0), currency: currency)
    let link = context.transactions(month.days, query)
    let trend = context.link("/categories/\(id)")
    let share = Ratio(
      Int128(clamping: total.units.magnitude), of: Int128(clamping: max(largest, 1)))
    let bar = ShareBar(
      perMille: share?.perMille ?? 0, style: kind == .expense ? "expense" : "income")
    let drawn: HTML? = total.units == 0 ? nil : HTML(unescaped: bar.svg)
    return """
      <td class="bar-cell">\(drawn)</td><td class="num">\(context.figure(total, to: link))</td>\
      <td class="num aside"><a class="figure" href="\(trend)">\(context.signed(change))</a></td>
      """
  }

  private func sums(
    _ totals: [CategoryID: [Currency: Int128]], _ row: CategoryOutline.Row
  ) -> [Currency: Int128] {
    ([row.category.id] + row.below).reduce(into: [:]) { sums, id in
      sums.merge(totals[id] ?? [:]) { $0 + $1 }
    }
  }

  /// Returns the totals of categories without their subcategories, in the base currency if there is
  /// one.
  private static func totals(
    _ kind: CategoryKind, _ month: Month, _ base: Currency?, _ context: PageContext,
    _ snapshot: borrowing Snapshot
  ) throws -> [CategoryID: [Currency: Int128]] {
    var totals: [CategoryID: [Currency: Int128]] = [:]
    if let base {
      for row in try snapshot.baseBreakdown(
        in: month.days, kind: kind, base: base, today: context.today)
      {
        totals[row.category.id] = [base: row.amount.total.units]
      }
      return totals
    }
    for row in try snapshot.breakdown(in: month.days, kind: kind, today: context.today) {
      for total in row.totals {
        totals[row.category.id, default: [:]][total.currency] = total.units
      }
    }
    return totals
  }
}
