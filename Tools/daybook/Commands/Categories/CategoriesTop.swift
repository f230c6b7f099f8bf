import ArgumentParser
import Daybook
import DaybookTerminal

/// `daybook categories top`: lists categories by amount.
struct CategoriesTopCommand: PastReportCommand {
  static let configuration = CommandConfiguration(
    commandName: "top", abstract: "Show each category's total in a period, largest first.",
    discussion: "Amounts are converted to the ledger's base currency, if it has one. The default "
      + "period is the last 12 months.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var past: PastOptions
  @OptionGroup var today: TodayOptions
  @OptionGroup var output: ReportOptions
  @OptionGroup var base: BaseOptions
  @OptionGroup var period: PeriodOptions

  @Option(help: "Income or expense.")
  var kind: CategoryKindArgument = .expense

  @Flag(inversion: .prefixedNo, help: "Include subcategories in their parents' totals.")
  var rollUp = true

  @Option(help: "The number of categories to show; the others share one line.")
  var limit = 20

  func validate() throws {
    guard limit >= 1 else { throw ValidationError("--limit must be at least 1.") }
  }

  private struct Line {
    var path: String
    var id: CategoryID?
    var total: Total
    var unconverted: [Unconverted] = []
  }

  func report(_ snapshot: borrowing Snapshot) throws -> Report {
    let today = today.day
    let days = try period.days(today: today)
    let (found, json) = try self.lines(snapshot, days, today: today)
    let lines = found.sorted { left, right in
      (right.total.currency, left.total.units) > (left.total.currency, right.total.units)
    }
    var report = Report(
      [.data("category"), .data("id"), .data("amount"), .data("currency"), .data("share")],
      ifEmpty: "", json: json)
    report.showsTable = false
    let through = days.upperBound.adding(days: -1)
    report.above = [
      .text("\(kind == .income ? "Income" : "Expense") from \(days.lowerBound) to \(through)")
    ]
    if lines.isEmpty { report.above.append(.text("No transactions in this period.")) }
    for currency in Set(lines.map(\.total.currency)).sorted() {
      add(lines.filter { $0.total.currency == currency }, currency, to: &report)
    }
    return report
  }

  private struct Content<Row: Encodable & Sendable>: Encodable, Sendable {
    var days: DaySpan
    var kind: CategoryKind
    var categories: [Row]
  }

  /// The categories as lines of the table and as JSON.
  private func lines(
    _ snapshot: borrowing Snapshot, _ days: Range<Day>, today: Day
  ) throws -> ([Line], JSONAnswer) {
    let tree = try CategoryTree(snapshot, includingDeleted: true)
    let names = try Names(snapshot)
    let kind = kind.kind
    if let base = try base.currency(in: snapshot) ?? snapshot.settings().baseCurrency {
      let rows = try snapshot.baseBreakdown(
        in: days, kind: kind, rollUp: rollUp, base: base, today: today
      ).sorted { $0.amount.total.units > $1.amount.total.units }
      let lines = rows.map {
        Line(
          path: tree.path(of: $0.category), id: $0.category.id, total: $0.amount.total,
          unconverted: $0.amount.unconverted)
      }
      let content = Content(days: DaySpan(days), kind: kind, categories: rows)
      return (lines, JSONAnswer(content, names))
    }
    let rows = try snapshot.breakdown(in: days, kind: kind, rollUp: rollUp, today: today)
    let lines = rows.flatMap { row in
      row.totals.map {
        Line(path: tree.path(of: row.category), id: row.category.id, total: $0)
      }
    }
    let content = Content(days: DaySpan(days), kind: kind, categories: rows)
    return (lines, JSONAnswer(content, names))
  }

  private func add(_ lines: [Line], _ currency: Currency, to report: inout Report) {
    let whole = lines.reduce(Int128(0)) { $0 + max($1.total.units, 0) }
    func share(_ total: Total) -> Ratio? {
      Ratio(max(total.units, 0), of: whole)
    }
    for line in lines {
      report.add([
        .init(line.path), .init(line.id.map { "\($0)" } ?? ""), .total(line.total),
        .currency(currency), .share(share(line.total)),
      ])
      guard !line.unconverted.isEmpty else { continue }
      report.remarks.append("\(line.path.printable):")
      report.remarks += Conversion.remarks(
        on: Converted(total: line.total, unconverted: line.unconverted), what: "transaction")
    }
    var shown = Array(lines.prefix(limit))
    let rest = lines.dropFirst(limit)
    if !rest.isEmpty {
      let units = rest.reduce(Int128(0)) { $0 + $1.total.units }
      shown.append(
        Line(path: "\(rest.count) others", total: Total(units: units, currency: currency)))
    }
    var chart = BarChart()
    for line in shown {
      let part = (share(line.total).map(Figures.percent) ?? "0.0 %").padded(to: 7, right: true)
      let figure = "\(Figures.withCode(line.total))  \(part)"
      chart.add(
        line.path.truncated(to: 40),
        [.init(name: "", figure: figure, length: line.total.units, style: .cyan)])
    }
    report.above.append(.chart(chart))
  }
}
