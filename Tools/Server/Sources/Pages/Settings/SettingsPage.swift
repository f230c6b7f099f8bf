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
    let days = (1...7).map { ("\($0)", weekdays[$0 % weekdays.count]) }
    let fields: [FormField] = [
      .text("currency", .baseCurrency, isRequired: true),
      .choice("weekday", .firstWeekday, days),
    ]
    return Page(
      context[.settings], .settings,
      body: """
        <dl class="facts card"><dt>\(context[.baseCurrency])</dt><dd>\(settings.baseCurrency?.code ?? "–")</dd>
        <dt>\(context[.firstWeekday])</dt><dd>\(weekday)</dd>
        <dt>\(context[.closedThrough])</dt><dd>\(settings.closedThrough.map { context.day($0) } ?? "–")</dd>
        <dt>\(context[.mergePolicy])</dt><dd>\("\(settings.mergePolicy)")</dd></dl>
        \(SmallForm.html("/settings", .edit, fields, context))
        """)
  }
}
