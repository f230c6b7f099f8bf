import Daybook
import DaybookFoundation
import Foundation

/// A request, with the language and formats for answering it.
struct PageContext: Sendable {
  let request: PageRequest
  /// The day that counts as today: the day in `on=`, if there is one.
  private(set) var today: Day
  let preferences: Preferences
  let words: Words
  let locale: Locale
  /// Whether the ledger can be changed and the page shows its current state.
  let canWrite: Bool
  /// The moment of the page; `nil` if it shows the current state.
  let past: Token?
  /// The commits recorded in this browser.
  var own = OwnCommits()
  /// The names of the ledger's devices by replica; empty on pages that show no commits.
  var devices: [UInt64: String] = [:]
  /// Whether totals leave nothing out, so that links to transactions needn't.
  var countsEverything = false
  /// The submitted form with its errors, if it is shown again.
  var sent: SentForm?

  init(_ request: PageRequest, today: Day, canWrite: Bool, past: Token?) {
    self.request = request
    self.today = today
    preferences = Preferences(request.headers["cookie"])
    let chosen = Words.choose(preferences.locales(request.locales))
    words = chosen.words
    locale = Locale(identifier: chosen.locale)
    self.canWrite = canWrite && past == nil
    self.past = past
  }

  subscript(word: Word) -> String { words[word] }

  // MARK: Request

  /// Returns the first non-empty value of a query parameter.
  func query(_ name: String) -> String? {
    request.query.first { $0.name == name && !$0.value.isEmpty }?.value
  }

  /// Returns all non-empty values of a query parameter.
  func queries(_ name: String) -> [String] {
    request.query.filter { $0.name == name && !$0.value.isEmpty }.map(\.value)
  }

  /// Returns the first value of a field of the submitted form.
  func field(_ name: String) -> String? { request.form.first { $0.name == name }?.value }

  /// The parameters of an address that only the next page shows: a notice, what the row for adding a
  /// transaction is filled with, and the filter that is opened.
  private static let shownOnce: Set = ["done", "commit", "entryDay", "entryAccount", "filter"]

  /// Returns a context for showing another page of the site in the answer to a form.
  func showing(_ address: Address) -> PageContext {
    var shown = request
    shown.path = address.path
    shown.query = address.query.map { (name: $0.name, value: $0.value) }
    var context = PageContext(shown, today: today, canWrite: canWrite, past: past)
    // The address is that of a page on which the form was, so its day is well-formed.
    if let day = try? ShownDay.asked(context) { context.today = day }
    context.own = own
    return context
  }

  /// The address of the requested page.
  var address: Address {
    // Leave out the parameters of a notice, which is shown only once.
    let query = request.query.filter { !Self.shownOnce.contains($0.name) }
    return Address(request.path, query.map { ($0.name, $0.value) })
  }

  // MARK: Links

  /// Returns the address of another page as of the same moment.
  func link(_ path: String, _ query: [(String, String?)] = []) -> String {
    link(Address(path, query))
  }

  /// Returns an address as of the same moment.
  func link(_ address: Address) -> String {
    var address = address
    let isDated = address.query.contains { $0.name == "on" }
    if let on, !isDated, ShownDay.isShown(on: address.path) {
      address = address.setting("on", "\(on)")
    }
    guard let moment = request.asOf else { return address.text }
    let then = address.setting("asOf", moment)
    // The address of a moment also contains the day that counts as today.
    return (query("today").map { then.setting("today", $0) } ?? then).text
  }

  /// Returns the address of the transactions that make up a figure of a range of days.
  ///
  /// Figures end today and leave out excluded amounts, so that the list's sum is the figure. With
  /// `isCounted: false`, the address is that of all transactions in these days.
  func transactions(
    _ days: Range<Day>, _ query: [(String, String?)] = [], isCounted: Bool = true
  ) -> String {
    let last = days.upperBound.adding(days: -1)
    return link(
      "/transactions",
      query + [
        ("from", "\(days.lowerBound)"), ("through", "\(isCounted ? min(last, today) : last)"),
        ("excluded", isCounted && !countsEverything ? "false" : nil),
      ])
  }

  // MARK: Figures and days

  func amount(_ total: Total) -> String {
    AmountFormatStyle<Total>(locale: locale).format(total)
  }

  func amount(_ money: Money) -> String { amount(Total(money)) }

  /// Formats a total with a plus sign if it is positive.
  func signed(_ total: Total) -> String {
    AmountFormatStyle<Total>(locale: locale).sign(strategy: .always(showZero: false)).format(total)
  }

  /// Formats a value for the axis of a chart, as short as possible without changing it.
  func rounded(_ value: Double, _ currency: Currency) -> String {
    let whole = value.rounded()
    let isThousands = whole.magnitude >= 10_000 && whole.remainder(dividingBy: 1_000) == 0
    let style = Decimal.FormatStyle(locale: locale).precision(.fractionLength(0...2))
    let shown = isThousands ? Decimal(whole / 1_000) : Decimal((value * 100).rounded()) / 100
    return style.format(shown) + (isThousands ? "k" : "")
  }

  /// Returns an amount as a link to its details.
  func figure(_ total: Total, to link: String, isSigned: Bool = false) -> HTML {
    let style = total.units < 0 ? "figure below" : "figure"
    let text = isSigned ? signed(total) : amount(total)
    return "<a class=\"\(style)\" href=\"\(link)\">\(text)</a>"
  }

  func figure(_ money: Money, to link: String) -> HTML { figure(Total(money), to: link) }

  func day(_ day: Day) -> String { DayFormatStyle(locale: locale).date(.abbreviated).format(day) }

  /// Formats a day without its year, for the axis of a chart.
  func shortDay(_ day: Day) -> String {
    let month = shortMonth(day.monthOf)
    return locale.identifier.hasPrefix("en")
      ? "\(month) \(day.components.day)" : "\(day.components.day). \(month)"
  }

  func fullDay(_ day: Day) -> String { DayFormatStyle(locale: locale).date(.complete).format(day) }

  func month(_ month: Month) -> String {
    MonthFormatStyle(locale: locale).month(.wide).format(month)
  }

  func shortMonth(_ month: Month) -> String {
    MonthFormatStyle(locale: locale).month(.abbreviated, year: false).format(month)
  }

  func percent(_ ratio: Ratio?) -> String {
    guard let ratio else { return "–" }
    return percent(perMille: ratio.perMille)
  }

  func percent(perMille: Int) -> String {
    Decimal.FormatStyle.Percent(locale: locale).precision(.fractionLength(0))
      .format(Decimal(perMille) / 1_000)
  }

  /// Formats an instant in the browser's time zone, or in UTC if it isn't known.
  func moment(_ microseconds: Int64) -> String {
    let date = Date(timeIntervalSince1970: Double(microseconds) / 1_000_000)
    var style = Date.FormatStyle(date: .abbreviated, time: .shortened, locale: locale)
    style.timeZone = preferences.zone ?? .gmt
    return style.format(date) + (preferences.zone == nil ? " UTC" : "")
  }

  /// Formats a number with the decimal mark of the language.
  func typed(_ number: String) -> String {
    locale.decimalSeparator == "," ? number.replacing(".", with: ",") : number
  }

  func number(_ value: Int) -> String { IntegerFormatStyle<Int>(locale: locale).format(value) }

  /// Formats a count with the word “transactions”; `isMore` means that there are more than counted.
  func rows(_ count: Int, isMore: Bool = false) -> String {
    "\(number(count))\(isMore ? "+" : "") \(self[count == 1 && !isMore ? .oneRow : .rows])"
  }

  /// Formats a count with the word for commits.
  func commits(_ count: Int) -> String {
    "\(number(count)) \(self[count == 1 ? .oneCommit : .commits])"
  }
}

extension Total {
  /// The approximate amount for drawing; shown texts never use it.
  var drawn: Double { NSDecimalNumber(decimal: decimal).doubleValue }
}
