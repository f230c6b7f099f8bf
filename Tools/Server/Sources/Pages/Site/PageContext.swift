import Daybook
import DaybookFoundation
import Foundation

/// A request, and how whoever asks reads words, figures and days.
struct PageContext: Sendable {
  let request: PageRequest
  let today: Day
  let words: Words
  let locale: Locale
  /// Whether the ledger takes changes, and the page is of now.
  let canWrite: Bool
  /// The moment that the page is of, where it is not now.
  let past: Token?
  /// What was recorded in this browser.
  var own = OwnCommits()
  /// What the devices that share the ledger are called, by their replicas; none on pages that tell of no commit.
  var devices: [UInt64: String] = [:]
  /// The form that was sent and comes back, with what is wrong.
  var sent: SentForm?

  init(_ request: PageRequest, today: Day, canWrite: Bool, past: Token?) {
    self.request = request
    self.today = today
    let chosen = Words.choose(request.locales)
    words = chosen.words
    locale = Locale(identifier: chosen.locale)
    self.canWrite = canWrite && past == nil
    self.past = past
  }

  subscript(word: Word) -> String { words[word] }

  // MARK: What is asked

  /// The first value of a name in the address that is not empty.
  func query(_ name: String) -> String? {
    request.query.first { $0.name == name && !$0.value.isEmpty }?.value
  }

  /// All values of a name in the address.
  func queries(_ name: String) -> [String] {
    request.query.filter { $0.name == name && !$0.value.isEmpty }.map(\.value)
  }

  /// A field of the form that was sent.
  func field(_ name: String) -> String? { request.form.first { $0.name == name }?.value }

  /// The page that is asked for.
  var address: Address {
    // What was said once is no part of it.
    let query = request.query.filter { !["done", "commit"].contains($0.name) }
    return Address(request.path, query.map { ($0.name, $0.value) })
  }

  // MARK: Links

  /// A link to another page, of the same moment.
  func link(_ path: String, _ query: [(String, String?)] = []) -> String {
    link(Address(path, query))
  }

  /// The same.
  func link(_ address: Address) -> String {
    guard let moment = request.asOf else { return address.text }
    let then = address.setting("asOf", moment)
    // A day that the address gives for today is part of its moment.
    return (query("today").map { then.setting("today", $0) } ?? then).text
  }

  /// The transactions of a span of days that are like this.
  func transactions(_ days: Range<Day>, _ query: [(String, String?)] = []) -> String {
    let last = days.upperBound.adding(days: -1)
    return link(
      "/transactions", query + [("from", "\(days.lowerBound)"), ("through", "\(last)")])
  }

  // MARK: Figures and days

  func amount(_ total: Total) -> String {
    AmountFormatStyle<Total>(locale: locale).format(total)
  }

  func amount(_ money: Money) -> String { amount(Total(money)) }

  /// With a sign also where it is more than nothing.
  func signed(_ total: Total) -> String {
    AmountFormatStyle<Total>(locale: locale).sign(strategy: .always(showZero: false)).format(total)
  }

  /// As short as it can be without another value, for the axis of a chart.
  func rounded(_ value: Double, _ currency: Currency) -> String {
    let whole = value.rounded()
    let isThousands = whole.magnitude >= 10_000 && whole.remainder(dividingBy: 1_000) == 0
    let style = Decimal.FormatStyle(locale: locale).precision(.fractionLength(0...2))
    let shown = isThousands ? Decimal(whole / 1_000) : Decimal((value * 100).rounded()) / 100
    return style.format(shown) + (isThousands ? "k" : "")
  }

  /// A figure that leads to what it is made of.
  func figure(_ total: Total, to link: String, isSigned: Bool = false) -> HTML {
    let style = total.units < 0 ? "figure below" : "figure"
    let text = isSigned ? signed(total) : amount(total)
    return "<a class=\"\(style)\" href=\"\(link)\">\(text)</a>"
  }

  func figure(_ money: Money, to link: String) -> HTML { figure(Total(money), to: link) }

  func day(_ day: Day) -> String { DayFormatStyle(locale: locale).date(.abbreviated).format(day) }

  /// Day and month, for the axis of a chart.
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

  /// A moment, in UTC.
  func moment(_ microseconds: Int64) -> String {
    let date = Date(timeIntervalSince1970: Double(microseconds) / 1_000_000)
    var style = Date.FormatStyle(date: .abbreviated, time: .shortened, locale: locale)
    style.timeZone = .gmt
    return style.format(date) + " UTC"
  }

  /// A plain number with the decimal mark of the language.
  func typed(_ number: String) -> String {
    locale.decimalSeparator == "," ? number.replacing(".", with: ",") : number
  }

  func number(_ value: Int) -> String { IntegerFormatStyle<Int>(locale: locale).format(value) }

  /// How many rows; `isMore` where there are more than were counted.
  func rows(_ count: Int, isMore: Bool = false) -> String {
    "\(number(count))\(isMore ? "+" : "") \(self[count == 1 && !isMore ? .oneRow : .rows])"
  }

  /// How many commits.
  func commits(_ count: Int) -> String {
    "\(number(count)) \(self[count == 1 ? .oneCommit : .commits])"
  }
}

extension Total {
  /// How large it is to draw; what is read is never this.
  var drawn: Double { NSDecimalNumber(decimal: decimal).doubleValue }
}
