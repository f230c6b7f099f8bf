import Daybook

/// The rows of the table of envelopes, and the figures in them.
struct EnvelopeTable {
  enum Line {
    /// The total of a category and its subcategories.
    case total(CategoryOutline.Row)
    /// A category's own envelope.
    case envelope(CategoryOutline.Row)
  }

  let context: PageContext
  let names: NameBook
  let range: EnvelopeRange
  /// The shown months.
  let months: [EnvelopeMonth]
  /// The month before the first shown one.
  let previous: EnvelopeMonth?
  private let figures: [[CategoryID: Envelope]]
  private(set) var lines: [Line] = []
  /// The categories that have subcategories.
  private let parents: Set<CategoryID>
  /// The cards with a payment in one of the months.
  let cards: [Account]

  /// - Parameter read: The shown months, the month before them, and further months.
  init(
    _ read: [EnvelopeMonth], _ range: EnvelopeRange, _ names: NameBook, _ context: PageContext
  ) {
    (self.context, self.names, self.range) = (context, names, range)
    previous = read.first { $0.month == range.months.lowerBound.adding(-1) }
    months = read.filter { range.months.contains($0.month) }
    figures = months.map { month in
      Dictionary(month.envelopes.map { ($0.category.id, $0) }, uniquingKeysWith: { $1 })
    }
    var seen: Set<AccountID> = []
    cards = months.flatMap(\.payments).map(\.account).filter { seen.insert($0.id).inserted }
    parents = Set(names.categories.compactMap(\.parent))
    var listed: [CategoryID: Category] = [:]
    for envelope in months.flatMap(\.envelopes) {
      listed[envelope.category.id] = envelope.category
    }
    let builtins = listed.values.filter(\.id.isBuiltin)
    let expenses = names.categories.filter { $0.kind == .expense } + builtins
    for row in CategoryOutline(expenses, isShown: { listed[$0.id] != nil }).rows {
      if !row.below.isEmpty { lines.append(.total(row)) }
      // A parent's own envelope is left out as long as it is empty; its total leads to it.
      let isUsed = figures.contains { $0[row.category.id]?.isUsed == true }
      if listed[row.category.id] != nil, row.below.isEmpty || isUsed {
        lines.append(.envelope(row))
      }
    }
  }

  var isEmpty: Bool { lines.isEmpty }

  /// Whether money is assigned or moved in these or later months.
  var isUsed: Bool {
    months.contains { month in
      month.assignedLater.units != 0 || month.payments.contains { $0.assigned.units != 0 }
        || month.envelopes.contains { $0.assigned.units != 0 || $0.moved.units != 0 }
    }
  }

  /// The first envelope of the table, in the month with which assigning begins.
  var firstEnvelope: (name: String, link: String)? {
    for case .envelope(let row) in lines {
      let id = row.category.id
      return (names.name(id, context), own(id.rawValue, range.focus))
    }
    return nil
  }

  /// Keeps only the lines of a page, and returns whether it is the last one.
  mutating func keep(from start: Int, _ count: Int) -> Bool {
    let isLast = lines.count <= start + count
    lines = Array(lines.dropFirst(start).prefix(count))
    return isLast
  }

  var html: HTML {
    let months = months.map(\.month)
    let list = months.map(\.description).joined(separator: " ")
    let digits = Int(self.months.first?.readyToAssign.currency.digits ?? 2)
    let edit: HTML? =
      context.canWrite
      ? " data-edit data-mark=\"\(context.typed("."))\" data-digits=\"\(digits)\"" : nil
    let fill: HTML? =
      context.canWrite
      ? """
      <form id="fill" method="post" action="/envelopes/fill"><input type="hidden" name="back" value="\(context.address.text)"></form>
      """ : nil
    let titles = months.map { month -> HTML in
      "<th scope=\"colgroup\" colspan=\"3\" class=\"\(far(month))\">\(context.month(month))</th>"
    }
    let columns = months.map { month -> HTML in
      [Word.assigned, .spent, .available].map { word -> HTML in
        "<th scope=\"col\" class=\"\(far(month))\">\(context[word])</th>"
      }.reduce(into: HTML()) { $0 += $1 }
    }
    return """
      \(fill)<div class="scroll card"><table class="figures envelopes" data-months="\(list)"\(edit)>
      <thead><tr><td></td>\(titles)</tr><tr><th scope="col">\(context[.category])</th>\(columns)</tr></thead>
      <tbody class="ready-rows">\(ReadyRows(table: self).html)</tbody>
      <tbody>\(lines.map(html))\(totals)</tbody>\(cards.isEmpty ? nil : payments)</table></div>
      """
  }

  // MARK: Rows

  private func html(_ line: Line) -> HTML {
    switch line {
    case .total(let row):
      let id = row.category.id
      let sums = figures.indices.map { place in
        ([id] + row.below).reduce(into: Sums()) { $0.add(figures[place][$1]) }
      }
      return """
        <tr class="sum"><th scope="row" class="depth-\(min(row.depth, 3))"><a href="\(own(id.rawValue, range.focus))">\(row.category.name)</a></th>\(sums.enumerated().map { place, sum in
          total(sum, self.months[place].month, own(id.rawValue, self.months[place].month), [("category", "\(id)")])
        })</tr>
        """
    case .envelope(let row): return envelope(row)
    }
  }

  private func envelope(_ row: CategoryOutline.Row) -> HTML {
    let category = row.category
    let id = category.id
    let isParent = !row.below.isEmpty
    let name = id.isBuiltin ? context[.uncategorized] : category.name
    let goal = category.goal.map { goal -> HTML in
      "<small>\(context[.goal]): \(GoalText.text(goal, context))</small>"
    }
    let policy: HTML? =
      category.carriesOverspending ? "<small>\(context[.carriesOverspending])</small>" : nil
    let itself: HTML? = isParent ? " \(context[.itself])" : nil
    let deleted: HTML? =
      category.isDeleted ? " <span class=\"status\">\(context[.deleted])</span>" : nil
    let cells = figures.indices.map { place -> HTML in
      let month = months[place].month
      guard let envelope = figures[place][id] else { return blank(month) }
      return self.cells(envelope, month)
    }
    return """
      <tr data-id="\("\(id)")"><th scope="row" class="depth-\(min(row.depth + (isParent ? 1 : 0), 3))"><a href="\(own(id.rawValue, range.focus))">\(name)\(itself)\(goal)\(policy)</a>\(deleted)</th>\(cells)</tr>
      """
  }

  /// Returns the filter for a category without its subcategories.
  private func query(_ id: CategoryID) -> [(String, String?)] {
    [("category", "\(id)"), ("subcategories", parents.contains(id) ? "false" : nil)]
  }

  private func cells(_ envelope: Envelope, _ month: Month) -> HTML {
    let id = envelope.category.id
    let link = own(id.rawValue, month)
    let spent = spending(of: id, in: month, query(id))
    return """
      \(cell("as", month))\(assigned(envelope.assigned, envelope.moved, link))\(missing(envelope, month))</td>\
      \(self.spent(envelope.spent, month, spent))\
      \(cell("av", month))\(available(envelope.available, envelope.carriedOver, link))\(overspent(envelope, month))</td>
      """
  }

  private func blank(_ month: Month) -> HTML {
    let blank: HTML = "\(cell("zero", month))–</td>"
    return "\(blank)\(blank)\(blank)"
  }

  private var totals: HTML {
    let cells = months.map { month -> HTML in
      let sum = month.envelopes.reduce(into: Sums()) { $0.add($1) }
      return total(sum, month.month, "#total", [("type", "expense")])
    }
    return "<tr class=\"sum\" id=\"total\"><th scope=\"row\">\(context[.total])</th>\(cells)</tr>"
  }

  private var payments: HTML {
    let rows = cards.map { card -> HTML in
      let cells = months.map { month -> HTML in
        guard let payment = month.payments.first(where: { $0.account.id == card.id }) else {
          return blank(month.month)
        }
        return self.cells(payment, month.month)
      }
      return """
        <tr data-id="\("\(card.id)")"><th scope="row"><a href="\(own(card.id.rawValue, range.focus))">\(card.name)</a></th>\(cells)</tr>
        """
    }
    return """
      <tbody id="cards"><tr class="sum"><th scope="rowgroup" colspan="4">\(context[.cardPayments])<small>\(context[.cardPaymentsHint])</small></th></tr>\(rows)</tbody>
      """
  }

  private func cells(_ payment: CardPayment, _ month: Month) -> HTML {
    let link = own(payment.account.id.rawValue, month)
    let uncovered: HTML? =
      payment.uncovered.units > 0
      ? "<small><a href=\"\(link)\">\(context.amount(payment.uncovered)) \(context[.notCovered])</a></small>"
      : nil
    let over: HTML? =
      payment.available.units < 0
      ? "<small class=\"over\">\(context[.overspent])</small>" : nil
    let setAside: HTML =
      payment.setAside.units == 0
      ? "–" : "<a href=\"\(link)\">\(context.signed(payment.setAside))</a>"
    return """
      \(cell("as", month))\(assigned(payment.assigned, .zero(payment.assigned.currency), link))</td>\
      \(cell("", month))\(setAside)</td>\
      \(cell("", month))\(available(payment.available, payment.carriedOver, link))\(over)\(uncovered)</td>
      """
  }

  // MARK: Cells

  private func total(
    _ sum: Sums, _ month: Month, _ link: String, _ query: [(String, String?)]
  ) -> HTML {
    guard let currency = months.first?.readyToAssign.currency else { return HTML() }
    func total(_ units: Int128) -> Total { Total(units: units, currency: currency) }
    let given: HTML =
      sum.assigned == 0 && sum.moved == 0
      ? "–" : assigned(total(sum.assigned), total(sum.moved), link)
    return """
      \(cell("", month))\(given)</td>\
      \(spent(total(sum.spent), month, spending(of: nil, in: month, query) ?? link))\
      \(cell("", month))\(figure(total(sum.available), link, nil))</td>
      """
  }

  private func assigned(_ total: Total, _ moved: Total, _ link: String) -> HTML {
    let more: HTML? =
      moved.units == 0
      ? nil : "<small>\(context.signed(moved)) \(context[.moved].lowercased())</small>"
    return figure(total, link, more)
  }

  /// Returns an amount as a link; the table's styles make it a figure without a class.
  private func figure(_ total: Total, _ link: String, _ more: HTML?) -> HTML {
    let style: HTML? =
      total.units < 0 ? " class=\"below\"" : total.units == 0 ? " class=\"zero\"" : nil
    return "<a\(style) href=\"\(link)\">\(context.amount(total))\(more)</a>"
  }

  private func spent(_ total: Total, _ month: Month, _ link: String?) -> HTML {
    guard total.units != 0, let link else {
      return "\(cell("zero", month))–</td>"
    }
    return "\(cell("", month))\(figure(total, link, nil))</td>"
  }

  private func available(_ total: Total, _ carried: Total, _ link: String) -> HTML {
    let more: HTML? =
      carried.units == 0
      ? nil
      : "<small>↷ \(context.amount(carried))</small>"
    if total.units == 0, more == nil { return "–" }
    return figure(total, link, more)
  }

  private func overspent(_ envelope: Envelope, _ month: Month) -> HTML? {
    guard envelope.available.units < 0 else { return nil }
    let link = "/envelopes/move?cover=\(envelope.category.id)&month=\(month)"
    let cover: HTML? =
      context.canWrite && month >= context.today.monthOf
      ? " <a href=\"\(link)\">\(context[.cover])</a>" : nil
    return "<small class=\"over\">\(context[.overspent])\(cover)</small>"
  }

  private func missing(_ envelope: Envelope, _ month: Month) -> HTML? {
    guard month >= context.today.monthOf, let needed = envelope.needed, needed.units > 0 else {
      return nil
    }
    let id = envelope.category.id
    let text = "\(context.amount(needed)) \(context[.missing])"
    guard context.canWrite else {
      return "<small><a href=\"\(own(id.rawValue, month))#goal\">\(text)</a></small>"
    }
    let value = "\(id).\(month)"
    return "<button form=\"fill\" name=\"fill\" value=\"\(value)\">+ \(text)</button>"
  }

  /// Returns the start of a cell, with its style.
  private func cell(_ style: String, _ month: Month) -> HTML {
    let isFar = month != range.focus
    guard isFar || !style.isEmpty else { return "<td>" }
    let separator = isFar && !style.isEmpty ? " " : ""
    return "<td class=\"\(style)\(separator)\(isFar ? "far" : "")\">"
  }

  // MARK: Links

  /// Returns the address of an envelope in a month.
  func own(_ id: EntityID, _ month: Month) -> String {
    context.link("/envelopes/\(id)", [("month", "\(month)")])
  }

  /// The class of cells that narrow screens leave out.
  func far(_ month: Month) -> String { month == range.focus ? "" : " far" }

  /// Returns the address of the transactions that are spent in a month, or `nil` if a list can't show
  /// exactly these.
  private func spending(
    of id: CategoryID?, in month: Month, _ query: [(String, String?)]
  ) -> String? {
    guard !names.hasAccountsOutsideBudget else { return id.map { own($0.rawValue, month) } }
    return EnvelopeSpending.link(month, query, context)
  }

  /// The sums of several envelopes.
  private struct Sums {
    var assigned: Int128 = 0
    var moved: Int128 = 0
    var spent: Int128 = 0
    var available: Int128 = 0

    mutating func add(_ envelope: Envelope?) {
      guard let envelope else { return }
      assigned += envelope.assigned.units
      moved += envelope.moved.units
      spent += envelope.spent.units
      available += envelope.available.units
    }
  }
}

extension Envelope {
  /// Whether the envelope has anything to show, or a goal.
  fileprivate var isUsed: Bool {
    category.goal != nil
      || [carriedOver, assigned, moved, spent].contains { $0.units != 0 }
  }
}
