import Daybook
import Foundation

/// The page with the ledger's settings.
enum SettingsPage {
  static func page(_ context: PageContext, _ snapshot: borrowing Snapshot) throws -> Page {
    let settings = try snapshot.settings()
    var calendar = Calendar(identifier: .gregorian)
    calendar.locale = context.locale
    // Foundation's list of weekdays begins with Sunday.
    let weekdays = calendar.standaloneWeekdaySymbols
    let weekday = weekdays[settings.firstWeekday % weekdays.count]
    let days = (1...7).map { ("\($0)", weekdays[$0 % weekdays.count]) }
    let policies = MergePolicy.allCases.map { ("\($0)", context[$0.word]) }
    let fields: [FormField] = [
      .text("currency", .baseCurrency, isRequired: true),
      .choice("weekday", .firstWeekday, days),
      .text("closed", .closedThrough, type: "date"), .choice("policy", .mergePolicy, policies),
    ]
    let form =
      context.sent
      ?? SentForm([
        "currency": settings.baseCurrency?.code ?? "", "weekday": "\(settings.firstWeekday)",
        "closed": settings.closedThrough?.description ?? "", "policy": "\(settings.mergePolicy)",
      ])
    let isBegun = context.sent == nil && settings.baseCurrency != nil
    let open: HTML = isBegun ? "" : " open"
    let edit: HTML? =
      context.canWrite
      ? "<details class=\"card add\"\(open)><summary>\(context[.edit])</summary>\(FormText.html("/settings", fields, form, context))</details>"
      : nil
    return Page(
      context[.settings], .settings,
      body: """
        <dl class="facts card"><dt>\(context[.baseCurrency])</dt><dd>\(settings.baseCurrency?.code ?? "–")</dd>
        <dt>\(context[.firstWeekday])</dt><dd>\(weekday)</dd>
        <dt>\(context[.closedThrough])</dt><dd>\(settings.closedThrough.map { context.day($0) } ?? "–")</dd>
        <dt>\(context[.mergePolicy])</dt><dd>\(context[settings.mergePolicy.word])</dd></dl>
        \(edit)\(Appearance.html(context))\(Appearance.exports(context))
        """)
  }
}

extension LedgerSite {
  /// Records the settings from the submitted form.
  func setSettings(_ context: PageContext) async throws -> PageAnswer {
    var form = SentForm(context)
    let commands = try ledger.read { snapshot -> [Command] in
      let settings = try snapshot.settings()
      let currency = try form.currency("currency", context, snapshot)
      let weekday = form.number("weekday", in: 1...7, context)
      let policy = form.choice("policy", as: MergePolicy.self)
      guard let currency else { return [] }
      var commands: [Command] = [
        .setSettings(
          SettingsChange(baseCurrency: currency, firstWeekday: weekday, mergePolicy: policy))
      ]
      let closed = form.day("closed", context)
      if let closed, closed > settings.closedThrough ?? .min {
        commands.append(.closePeriod(through: closed))
      } else if closed != settings.closedThrough {
        commands.append(.reopenPeriod(after: closed))
      }
      return commands
    }
    if form.faults.isEmpty {
      do {
        try await append(commands, context)
        return redirect(Address("/settings", [("done", "saved")]))
      } catch {
        form.refuse(error, ["currency"], context)
      }
    }
    var again = context
    again.sent = form
    var page = try await page(again)
    page.status = 422
    return try laidOut(page, again)
  }
}

extension MergePolicy {
  var word: Word {
    switch self {
    case .lastWriter: .policyLast
    case .firstWriter: .policyFirst
    case .error: .policyError
    }
  }
}
