import Daybook

/// Insights for this month: average daily spending, the savings rate, and unusual expenses.
enum InsightsCard {
  static func html(
    _ context: PageContext, _ snapshot: borrowing Snapshot, _ base: Currency
  ) throws -> HTML {
    let this = context.today.monthOf
    let insights = try snapshot.baseInsights(this, base: base, today: context.today)
    let month = context.transactions(this.days, [("kind", "expense")])
    var facts: [(String, HTML)] = [
      (context[.perDay], context.figure(insights.averagePerDay, to: month))
    ]
    if let rate = insights.savingsRate {
      let link = context.transactions(this.days)
      facts.append(
        (context[.savingsRate], "<a class=\"figure\" href=\"\(link)\">\(context.percent(rate))</a>")
      )
    }
    if let runway = insights.runway {
      let tenths = runway.tenthsOfMonths
      let text = context.typed("\(tenths / 10).\(tenths % 10)")
      let link = context.link("/accounts")
      facts.append(
        (context[.runway], "<a class=\"figure\" href=\"\(link)\">\(text) \(context[.months])</a>"))
    }
    let rows = facts.map { name, value -> HTML in "<dt>\(name)</dt><dd>\(value)</dd>" }
    let names = try NameBook(snapshot)
    let spikes = insights.spikes.prefix(3).map { spike -> HTML in
      let id = spike.category.id
      let link = context.transactions(this.days, [("category", "\(id)")])
      let usual = context.figure(spike.usual, to: context.link("/categories/\(id)"))
      return """
        <li>\(names.name(id, context)): \(context.figure(spike.total, to: link)), \(context[.usual]) \(usual)</li>
        """
    }
    let more: HTML? =
      spikes.isEmpty ? nil : "<h3>\(context[.spike])</h3><ul class=\"plain\">\(Array(spikes))</ul>"
    return """
      <section class="card full" aria-labelledby="insights"><h2 id="insights">\(context[.insights])</h2><dl class="facts">\(rows)</dl>\(more)</section>
      """
  }
}
