import Daybook
import Foundation

/// A calendar of the coming weeks, with the payments due on each day.
enum RecurringCalendar {
  static let weekCount = 5

  static func html(
    _ payments: [UpcomingPayment], _ firstWeekday: Int, _ context: PageContext
  ) -> HTML {
    // Day 0, 1970-01-01, was a Thursday.
    let weekday = ((Int(context.today.rawValue) + 3) % 7 + 7) % 7 + 1
    let start = context.today.adding(days: -((weekday - firstWeekday + 7) % 7))
    let byDay = Dictionary(grouping: payments) { max($0.day, context.today) }
    var calendar = Calendar(identifier: .gregorian)
    calendar.locale = context.locale
    // Foundation's list of weekdays begins with Sunday.
    let names = calendar.shortStandaloneWeekdaySymbols
    let heads = (0..<7).map { index -> HTML in
      "<th scope=\"col\">\(names[(firstWeekday + index) % 7])</th>"
    }
    let weeks = (0..<weekCount).map { week -> HTML in
      let days = (0..<7).map { index -> HTML in
        cell(start.adding(days: week * 7 + index), byDay, context)
      }
      return "<tr>\(days)</tr>"
    }
    return """
      <section class="card"><h2>\(context[.calendar])</h2><table class="calendar"><thead><tr>\(heads)</tr></thead><tbody>\(weeks)</tbody></table></section>
      """
  }

  private static func cell(
    _ day: Day, _ byDay: [Day: [UpcomingPayment]], _ context: PageContext
  ) -> HTML {
    let due = (byDay[day] ?? []).map { payment -> HTML in
      let amount = payment.transaction?.amount ?? payment.series.template.amount
      return """
        <a href="\(RecurringPage.link(to: payment, context))"><span>\(payment.series.name)</span> <span class="num">\(context.amount(amount))</span></a>
        """
    }
    let style: HTML =
      day == context.today ? " class=\"today\"" : day < context.today ? " class=\"gone\"" : ""
    return "<td\(style)><time datetime=\"\(day)\">\(day.components.day)</time>\(due)</td>"
  }
}
