import Daybook

/// What a report shows: its rows, and its columns.
struct ReportQuery {
  /// The rows of a report.
  enum Rows: String, CaseIterable {
    case category, payee, tag, account

    var word: Word {
      switch self {
      case .category: .categories
      case .payee: .payees
      case .tag: .tags
      case .account: .netWorth
      }
    }
  }

  private static let monthCount = 6
  private static let yearCount = 5

  var rows: Rows
  var isYearly: Bool
  /// Whether subcategories have rows of their own.
  var isDetailed: Bool
  /// The last month of the report.
  var last: Month
  /// The number of rows before those of the page.
  var skipped: Int
  var periods: [ReportPeriod]

  init(_ context: PageContext) {
    rows = context.query("by").flatMap { Rows(rawValue: $0) } ?? .category
    isYearly = context.query("per") == "year"
    isDetailed = rows == .category && context.query("subcategories") == "true"
    let this = context.today.monthOf
    let asked = context.query("last").flatMap { Month($0) } ?? this
    let last = max(Day.longAgo.monthOf, min(this, asked))
    self.last = last
    skipped = max(0, context.query("skip").flatMap { Int($0) } ?? 0)
    periods =
      isYearly
      ? Self.years(through: last)
      : (1 - Self.monthCount...0).map { ReportPeriod(last.adding($0), context) }
  }

  private static func years(through last: Month) -> [ReportPeriod] {
    (1 - yearCount...0).map { ReportPeriod(year: last.year + $0) }
  }

  /// All months of the report.
  var months: Range<Month> {
    (periods.first?.months.lowerBound ?? last)..<(periods.last?.months.upperBound ?? last)
  }

  /// All days of the report.
  var days: Range<Day> { months.lowerBound.first..<months.upperBound.first }

  /// Returns the address of this report with other parameters.
  func address(
    rows: Rows? = nil, isYearly: Bool? = nil, isDetailed: Bool? = nil, last: Month? = nil,
    skipped: Int? = nil, _ context: PageContext
  ) -> String {
    let rows = rows ?? self.rows
    let last = last ?? self.last
    return context.link(
      "/reports",
      [
        ("by", rows == .category ? nil : rows.rawValue),
        ("per", isYearly ?? self.isYearly ? "year" : nil),
        ("subcategories", isDetailed ?? self.isDetailed ? "true" : nil),
        ("last", last == context.today.monthOf ? nil : "\(last)"),
        ("skip", skipped.map { "\($0)" }),
      ])
  }

  /// Returns the switches for the rows and columns, and the links to other periods.
  func switches(_ context: PageContext) -> HTML {
    let kinds = Rows.allCases.map { rows in
      chip(context[rows.word], address(rows: rows, context), rows == self.rows)
    }
    let columns = [(Word.byMonth, false), (.byYear, true)].map { word, isYearly in
      chip(context[word], address(isYearly: isYearly, context), isYearly == self.isYearly)
    }
    let detail: HTML? =
      rows == .category
      ? chip(context[.subcategories], address(isDetailed: !isDetailed, context), isDetailed) : nil
    let step = isYearly ? 12 * periods.count : periods.count
    let newest = context.today.monthOf
    let later: HTML? =
      last < newest
      ? "<a class=\"button\" href=\"\(address(last: min(newest, last.adding(step)), context))\">\(context[.later]) ›</a>"
      : nil
    return """
      <div class="tools"><ul class="chips" aria-label="\(context[.reports])">\(kinds)</ul>\
      <ul class="chips" aria-label="\(context[.period])">\(columns)\(detail)</ul>\
      <nav class="pages" aria-label="\(context[.period])"><a class="button" href="\(address(last: last.adding(-step), context))">‹ \(context[.earlier])</a> \(later)</nav></div>
      """
  }

  private func chip(_ name: String, _ link: String, _ isChosen: Bool) -> HTML {
    let current: HTML? = isChosen ? " aria-current=\"true\"" : nil
    return "<li><a class=\"chip\" href=\"\(link)\"\(current)>\(name)</a></li>"
  }
}

/// A column of a report: a month or a year.
struct ReportPeriod {
  var months: Range<Month>
  var name: String

  init(_ month: Month, _ context: PageContext) {
    months = month..<month.adding(1)
    name = OverviewPage.axisLabel(month, context)
  }

  init(year: Int) {
    let first = Month(year: year, month: 1)
    months = first..<first.adding(12)
    name = "\(year)"
  }

  var days: Range<Day> { months.lowerBound.first..<months.upperBound.first }

  /// Returns the last day of the period that a report shows.
  func end(_ context: PageContext) -> Day {
    min(days.upperBound.adding(days: -1), context.today)
  }
}
