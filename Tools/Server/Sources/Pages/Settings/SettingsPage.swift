import Daybook
import Foundation

/// What holds for the whole ledger.
enum SettingsPage {
  static func page(_ context: PageContext, _ snapshot: borrowing Snapshot) throws -> Page {
    let settings = try snapshot.settings()
    var calendar = Calendar(identifier: .gregorian)
    calendar.locale = context.locale
    // Foundation counts weekdays from Sunday.
    let weekdays = calendar.standaloneWeekdaySymbols
    let weekday = weekdays[settings.firstWeekday % weekdays.count]
    return Page(
      context[.settings], .settings,
      body: """
        <dl class="facts card"><dt>\(context[.currency])</dt><dd>\(settings.baseCurrency?.code ?? "–")</dd>
        <dt>\(context[.firstWeekday])</dt><dd>\(weekday)</dd>
        <dt>\(context[.closedThrough])</dt><dd>\(settings.closedThrough.map { context.day($0) } ?? "–")</dd>
        <dt>\(context[.mergePolicy])</dt><dd>\("\(settings.mergePolicy)")</dd></dl>
        """)
  }
}
