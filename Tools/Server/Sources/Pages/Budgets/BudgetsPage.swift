import Charts
import Daybook

/// The page with the status of budgets: spent, remaining, and projected amounts.
enum BudgetsPage {
  static func page(_ context: PageContext, _ snapshot: borrowing Snapshot) throws -> Page {
    let rows = try snapshot.budgetStatuses(today: context.today).map { row($0, context) }
    let body: HTML =
      rows.isEmpty
      ? "<p class=\"empty\">\(context[.noBudgets])</p>"
      : "<ul class=\"plain card\">\(rows)</ul>"
    let names = try NameBook(snapshot)
    let form =
      try snapshot.settings().baseCurrency == nil
      ? "<p class=\"aside\"><a href=\"\(context.link("/settings"))\">\(context[.noBase])</a></p>"
      : BudgetForm.new(names, context, snapshot)
    return Page(context[.budgets], .budgets, body: "\(body)\(form)")
  }

  /// Returns a row for a budget, with a bar, the elapsed time, and the spent and remaining amounts.
  static func row(_ status: BudgetStatus, _ context: PageContext) -> HTML {
    let page = context.link("/budgets/\(status.budget.id)")
    let style = status.isOverspent ? "over" : status.projectedOverspend.units > 0 ? "fast" : "well"
    let bar = ShareBar(
      perMille: status.share?.perMille ?? 0, markPerMille: status.timePassed?.perMille, style: style
    )
    return """
      <li class="budget"><a href="\(page)">\(status.budget.name)</a>\(HTML(unescaped: bar.svg))\
      <span class="pair"><span>\(context.figure(status.spent.total, to: spending(status, context))) / \(context.figure(status.available, to: page))</span>\
      <span>\(context[.remaining]) \(context.figure(status.remaining, to: page))</span></span></li>
      """
  }

  /// Returns the address of the transactions that make up a budget's spending.
  static func spending(_ status: BudgetStatus, _ context: PageContext) -> String {
    let last = min(
      status.days.upperBound, max(status.days.lowerBound, status.today.adding(days: 1)))
    let covered = status.budget.categories(ofPeriodFrom: status.days.lowerBound)
    var query: [(String, String?)] = covered.categories.map { ("category", "\($0)") }
    if query.isEmpty { query.append(("kind", "expense")) }
    if !covered.includesSubcategories { query.append(("subcategories", "false")) }
    return context.transactions(status.days.lowerBound..<last, query)
  }

  static func page(
    of id: BudgetID, _ context: PageContext, _ snapshot: borrowing Snapshot
  ) throws -> Page {
    guard let budget = try snapshot.budget(id) else { throw PageError.notFound }
    let names = try NameBook(snapshot)
    let periods = try snapshot.budgetHistory(of: id, limit: 24, today: context.today)
    var body = HTML()
    if let status = try snapshot.budgetStatus(of: id, today: context.today) {
      let facts: [(Word, HTML)] = [
        (.spent, context.figure(status.spent.total, to: spending(status, context))),
        (.available, context.figure(status.available, to: "#periods")),
        (.carriedOver, context.figure(status.carriedOver.total, to: "#periods")),
        (.remaining, context.figure(status.remaining, to: spending(status, context))),
        (.planned, context.figure(status.planned.total, to: spending(status, context))),
        (.projected, context.figure(status.projected, to: spending(status, context))),
        (.pace, "<a class=\"figure\" href=\"#periods\">\(context.percent(status.timePassed))</a>"),
      ]
      let rows = facts.map { word, value -> HTML in
        "<dt>\(context[word])</dt><dd>\(value)</dd>"
      }
      body +=
        "<ul class=\"plain card\">\(row(status, context))</ul><dl class=\"facts\">\(rows)</dl>"
    }
    let categories = budget.categories.map { category -> HTML in
      "<li><a href=\"\(context.link("/categories/\(category)"))\">\(names.name(category, context))</a></li>"
    }
    let covered: HTML =
      categories.isEmpty ? "<p>\(context[.allExpenses])</p>" : "<ul>\(categories)</ul>"
    let rows = periods.reversed().map { status -> HTML in
      """
      <tr><th scope="row">\(context.day(status.days.lowerBound)) – \(context.day(status.days.upperBound.adding(days: -1)))</th>\
      <td class="num">\(context.figure(status.available, to: "#periods"))</td>\
      <td class="num">\(context.figure(status.spent.total, to: spending(status, context)))</td>\
      <td class="num">\(context.figure(status.remaining, to: spending(status, context)))</td></tr>
      """
    }
    body += """
      <section><h2>\(context[.categories])</h2>\(covered)</section>
      <section id="periods"><h2>\(context[.periods])</h2><div class="scroll"><table class="figures"><thead><tr><th scope="col">\(context[.period])</th>\
      <th scope="col" class="num">\(context[.available])</th><th scope="col" class="num">\(context[.spent])</th>\
      <th scope="col" class="num">\(context[.remaining])</th></tr></thead><tbody>\(rows)</tbody></table></div></section>
      """
    let edit: HTML? =
      context.canWrite
      ? "<a class=\"button\" data-key=\"e\" href=\"/budgets/\("\(id)")/edit\">\(context[.edit])</a>"
      : nil
    return Page(budget.name, .budgets, actions: "\(edit)", body: body)
  }
}

extension BudgetStatus {
  /// The elapsed part of the period.
  var timePassed: Ratio? { Ratio(Int128(elapsedDayCount), of: Int128(dayCount)) }
}
