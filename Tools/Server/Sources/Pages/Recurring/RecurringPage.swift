import Daybook

/// The page with recurring transactions and their next due dates.
enum RecurringPage {
  static func page(_ context: PageContext, _ snapshot: borrowing Snapshot) throws -> Page {
    let series = try snapshot.series()
    let form = try SeriesForm.new(NameBook(snapshot), context, snapshot)
    guard !series.isEmpty else {
      return Page(
        context[.recurring], .recurring,
        body: "<p class=\"empty\">\(context[.noSeries])</p>\(form)")
    }
    let upcoming = try snapshot.upcoming(
      through: context.today.adding(months: 3), today: context.today)
    let rows = series.map { one -> HTML in
      let paused: HTML? =
        one.pausedFrom == nil ? nil : " <span class=\"status\">\(context[.paused])</span>"
      return """
        <tr><th scope="row">\(one.name)\(paused) \(SeriesForm.link(one.entityID, one.name, context))</th><td>\(PropertyText.schedule(one.schedule, context))</td>\
        <td>\(context[.since]) \(context.day(one.anchor))</td>\
        <td class="num">\(context.figure(one.template.amount, to: link(to: one, context)))</td></tr>
        """
    }
    return Page(
      context[.recurring], .recurring,
      body: """
        \(RecurringCalendar.html(upcoming, try snapshot.settings().firstWeekday, context))
        \(try BalanceForecast.html(context, snapshot))
        <section class="card"><h2>\(context[.planned3])</h2><table class="figures"><tbody>\(upcoming.map { row($0, context) })</tbody></table></section>
        <section class="card"><h2>\(context[.everything])</h2><div class="scroll"><table class="figures"><tbody>\(rows)</tbody></table></div></section>
        \(form)
        """)
  }

  /// Returns a link to transactions that are similar to a recurring transaction.
  private static func link(to series: Series, _ context: PageContext) -> String {
    var query: [(String, String?)] = []
    if let account = series.template.account { query.append(("account", "\(account)")) }
    if let category = series.template.category { query.append(("category", "\(category)")) }
    if !series.template.payee.isEmpty { query.append(("payee", series.template.payee)) }
    return context.link("/transactions", query)
  }

  /// Returns a link to a payment's transaction or, if it has none, to similar transactions.
  static func link(to payment: UpcomingPayment, _ context: PageContext) -> String {
    payment.transaction.map { context.link("/transactions/\($0.id)") }
      ?? link(to: payment.series, context)
  }

  /// Returns a row for a due payment.
  static func row(_ payment: UpcomingPayment, _ context: PageContext) -> HTML {
    let overdue: HTML? =
      payment.isOverdue ? " <span class=\"status\">\(context[.overdue])</span>" : nil
    let link = link(to: payment, context)
    return """
      <tr><td class="aside"><time datetime="\(payment.day)">\(context.day(payment.day))</time></td><th scope="row">\(payment.series.name)\(overdue)</th>\
      <td class="num">\(context.figure(payment.transaction?.amount ?? payment.series.template.amount, to: link))</td></tr>
      """
  }
}

extension ScheduleUnit {
  /// Returns the word for the unit, such as `monthly` for a count of 1 and `months` for a higher
  /// count.
  func word(_ count: Int) -> Word {
    switch self {
    case .day: count == 1 ? .daily : .days
    case .week: count == 1 ? .weekly : .weeks
    case .month: count == 1 ? .monthly : .months
    case .year: count == 1 ? .yearly : .years
    }
  }
}
