import ArgumentParser
import Daybook
import Terminal

/// `daybook categories top`: where the money went.
struct CategoriesTopCommand: PastReportCommand {
  static let configuration = CommandConfiguration(
    commandName: "top", abstract: "Show what each category took in a period, the most first.",
    discussion: "In the base currency where there is one. Without a period: the last 12 months.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var past: PastOptions
  @OptionGroup var today: TodayOptions
  @OptionGroup var output: ReportOptions
  @OptionGroup var base: BaseOptions
  @OptionGroup var period: PeriodOptions

  @Option(help: "Income or expense.")
  var kind: CategoryKindArgument = .expense

  @Flag(inversion: .prefixedNo, help: "Count subcategories with those above them.")
  var rollUp = true

  @Option(help: "How many; the others are added up in one line.")
  var limit = 20

  func validate() throws {
    guard limit >= 1 else { throw ValidationError("--limit has to be at least 1.") }
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
    let lines = try self.lines(snapshot, days, today: today).sorted { left, right in
      (right.total.currency, left.total.units) > (left.total.currency, right.total.units)
    }
    var report = Report(
      [.data("category"), .data("id"), .data("amount"), .data("currency"), .data("share")],
      ifEmpty: ""
    ) { json(lines, days) }
    report.showsTable = false
    let through = days.upperBound.adding(days: -1)
    report.above = [
      .text("\(kind == .income ? "Income" : "Expense") from \(days.lowerBound) to \(through)")
    ]
    if lines.isEmpty { report.above.append(.text("Nothing was recorded in this period.")) }
    for currency in Set(lines.map(\.total.currency)).sorted() {
      add(lines.filter { $0.total.currency == currency }, currency, to: &report)
    }
    return report
  }

  private func lines(_ snapshot: borrowing Snapshot, _ days: Range<Day>, today: Day) throws
    -> [Line]
  {
    let tree = try CategoryTree(snapshot, includingDeleted: true)
    if let base = try base.currency(in: snapshot) ?? snapshot.settings().baseCurrency {
      return try snapshot.baseBreakdown(
        in: days, kind: kind.kind, rollUp: rollUp, base: base, today: today
      ).map {
        Line(
          path: tree.path(of: $0.category), id: $0.category.id, total: $0.amount.total,
          unconverted: $0.amount.unconverted)
      }
    }
    return try snapshot.breakdown(in: days, kind: kind.kind, rollUp: rollUp, today: today)
      .flatMap { row in
        row.totals.map {
          Line(path: tree.path(of: row.category), id: row.category.id, total: $0)
        }
      }
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
        on: Converted(total: line.total, unconverted: line.unconverted), what: "row")
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

  private func json(_ lines: [Line], _ days: Range<Day>) -> JSON {
    .object(of: [
      ("from", .day(days.lowerBound)), ("before", .day(days.upperBound)),
      ("kind", .string(kind.rawValue)),
      (
        "categories",
        .array(
          lines.map { line in
            .object(of: [
              ("id", .optional(line.id.map { "\($0)" })), ("path", .string(line.path)),
              (
                "total",
                .converted(Converted(total: line.total, unconverted: line.unconverted))
              ),
            ])
          })
      ),
    ])
  }
}
