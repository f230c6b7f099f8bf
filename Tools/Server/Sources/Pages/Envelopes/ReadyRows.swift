import Daybook

/// The first rows of the table of envelopes: what is ready to assign, and what it is made of.
struct ReadyRows {
  let table: EnvelopeTable

  private var context: PageContext { table.context }

  var html: HTML {
    let months = table.months
    var rows = row(.readyToAssign, style: "sum ready-row", cellStyle: " ready", ready)
    rows += row(.moneyInBudget, money)
    if months.contains(where: { uncovered($0).units != 0 }) {
      rows += row(.uncoveredDebt) { context.figure(uncovered($0), to: "#cards", isSigned: true) }
    }
    rows += row(.availableInEnvelopes) { month in
      context.figure(
        negative(month.envelopes.map(\.available), month), to: "#total", isSigned: true)
    }
    if months.contains(where: { $0.assignedLater.units != 0 }) {
      rows += row(.assignedLater, later)
    }
    if months.contains(where: { $0.needed.units > 0 && isOpen($0) }) {
      rows += row(.missingForGoals, missing)
    }
    if context.canWrite, months.indices.contains(where: { canRepeat($0) }) {
      let cells = months.indices.map { place in
        cell(months[place]) { _ in
          canRepeat(place) ? button("last", months[place], .assignAsLast) : HTML()
        }
      }
      rows += """
        <tr class="part-row"><th scope="row">\(context[.amountsOfLastMonth])</th>\(cells)</tr>
        """
    }
    return rows
  }

  private func row(
    _ word: Word, style: String = "part-row", cellStyle: String = "",
    _ content: (EnvelopeMonth) -> HTML
  ) -> HTML {
    let cells = table.months.map { cell($0, cellStyle, content) }
    return "<tr class=\"\(style)\"><th scope=\"row\">\(context[word])</th>\(cells)</tr>"
  }

  private func cell(
    _ month: EnvelopeMonth, _ style: String = "", _ content: (EnvelopeMonth) -> HTML
  ) -> HTML {
    "<td class=\"num\(style)\(table.far(month.month))\" colspan=\"3\">\(content(month))</td>"
  }

  private func ready(_ month: EnvelopeMonth) -> HTML {
    var html = context.figure(month.readyToAssign, to: "#total")
    if month.readyToAssign.units < 0 {
      html += "<small class=\"over\">\(context[.overassigned])</small>"
    }
    for part in month.money.unconverted + month.unconverted {
      let figure = context.figure(part.total, to: context.link("/rates"))
      html += "<small>\(figure) \(context[.unconverted])</small>"
    }
    return html
  }

  private func money(_ month: EnvelopeMonth) -> HTML {
    let day = min(month.month.last, context.today)
    return context.figure(month.money.total, to: context.link("/accounts", [("on", "\(day)")]))
  }

  private func uncovered(_ month: EnvelopeMonth) -> Total {
    Total(
      units: month.payments.reduce(0) { $0 + $1.uncovered.units },
      currency: month.readyToAssign.currency)
  }

  private func negative(_ totals: [Total], _ month: EnvelopeMonth) -> Total {
    Total(
      units: -totals.reduce(0) { $0 + $1.units }, currency: month.readyToAssign.currency)
  }

  private func later(_ month: EnvelopeMonth) -> HTML {
    let next = context.address.setting("from", "\(month.month)").setting("page", nil)
    return context.figure(
      negative([month.assignedLater], month), to: context.link(next), isSigned: true)
  }

  /// Whether a month isn't over, so that its goals can still be met.
  private func isOpen(_ month: EnvelopeMonth) -> Bool { month.month >= context.today.monthOf }

  private func missing(_ month: EnvelopeMonth) -> HTML {
    guard isOpen(month) else { return "–" }
    let figure = context.figure(month.needed, to: "#total")
    guard context.canWrite, month.needed.units > 0 else { return figure }
    return "\(button("needed", month, .assignMissing)) \(figure)"
  }

  private func button(_ what: String, _ month: EnvelopeMonth, _ word: Word) -> HTML {
    """
    <button form="fill" name="fill" value="\(what).\("\(month.month)")" title="\(context[word])" aria-label="\(context[word]): \(context.month(month.month))">\(context[.assign])</button>
    """
  }

  /// Whether an envelope without an amount in a month had one in the month before.
  private func canRepeat(_ place: Int) -> Bool {
    let month = table.months[place]
    guard isOpen(month), let before = place > 0 ? table.months[place - 1] : table.previous else {
      return false
    }
    return !month.commandsRepeating(before).isEmpty
  }
}
