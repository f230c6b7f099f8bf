import ArgumentParser
import Daybook
import Terminal

/// `daybook categories top`: where the money went.
struct CategoriesTopCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "top", abstract: "Show what each category took in a period, the most first.",
    discussion: "In the base currency where there is one. Without a period: the last 12 months.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var past: PastOptions
  @OptionGroup var today: TodayOptions
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

  func execute() async throws {
    let today = today.day
    let days = try period.days(today: today)
    let lines = try await ledger.read(past) { snapshot in
      try self.lines(snapshot, days, today: today).sorted { left, right in
        (right.total.currency, left.total.units) > (left.total.currency, right.total.units)
      }
    }
    if ledger.json { return try Output.json(json(lines, days)) }
    try Output.line(
      "\(kind == .income ? "Income" : "Expense") from \(days.lowerBound) to \(days.upperBound.adding(days: -1))"
    )
    guard !lines.isEmpty else { return try Output.line("Nothing was recorded in this period.") }
    for currency in Set(lines.map(\.total.currency)).sorted() {
      try show(lines.filter { $0.total.currency == currency }, currency)
    }
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

  private func show(_ lines: [Line], _ currency: Currency) throws {
    var shown = Array(lines.prefix(limit))
    let rest = lines.dropFirst(limit)
    if !rest.isEmpty {
      let units = rest.reduce(Int128(0)) { $0 + $1.total.units }
      shown.append(
        Line(path: "\(rest.count) others", total: Total(units: units, currency: currency)))
    }
    let whole = lines.reduce(Int128(0)) { $0 + max($1.total.units, 0) }
    var chart = BarChart()
    for line in shown {
      let tenths = whole > 0 ? Int(clamping: max(line.total.units, 0) * 1000 / whole) : 0
      let share = "\(tenths / 10).\(tenths % 10) %".padded(to: 7, right: true)
      let figure = "\(Figures.withCode(line.total))  \(share)"
      chart.add(
        line.path.truncated(to: 40),
        [.init(name: "", figure: figure, length: line.total.units, style: .cyan)])
    }
    try Output.lines(chart.lines(for: .output))
    for line in lines where !line.unconverted.isEmpty {
      try Output.line("\(line.path.printable):")
      try Conversion.remark(
        on: Converted(total: line.total, unconverted: line.unconverted), what: "row")
    }
  }

  private func json(_ lines: [Line], _ days: Range<Day>) -> JSON {
    .object([
      ("from", .day(days.lowerBound)), ("before", .day(days.upperBound)),
      ("kind", .string(kind.rawValue)),
      (
        "categories",
        .array(
          lines.map { line in
            .object([
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
