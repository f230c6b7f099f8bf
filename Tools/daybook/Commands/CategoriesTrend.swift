import ArgumentParser
import Daybook
import Terminal

/// `daybook categories trend`: one category, month by month.
struct CategoriesTrendCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "trend", abstract: "Show what one category took, month by month.",
    discussion: """
      In each currency by itself; with --base converted into one, each day at its own rate. Rows after \
      today count in no figure.
      """)

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var past: PastOptions
  @OptionGroup var today: TodayOptions

  @Option(
    help: ArgumentHelp("Convert to this currency at each day's rate.", valueName: "currency"))
  var base: String?

  @Argument(help: "A category by its name, or a path such as Food:Groceries.")
  var category: String

  @Option(help: "Income or expense, where both have a category of that name.")
  var kind: CategoryKindArgument?

  @Option(help: "How many months.")
  var count = 12

  @Flag(help: "Leave out subcategories.")
  var noSubcategories = false

  func validate() throws {
    guard (1...1200).contains(count) else {
      throw ValidationError("--count has to be from 1 to 1200.")
    }
  }

  private struct Answer {
    var months: [CategoryMonth]
    /// In the currency that was asked for, if one was.
    var converted: [ConvertedCategoryMonth]?
  }

  func execute() async throws {
    let today = today.day
    let answer = try await ledger.read(past) { try self.answer($0, today) }
    if ledger.json { return try Output.json(json(answer)) }
    let currencies = Set(answer.months.flatMap { $0.total.totals.map(\.currency) }).sorted()
    if currencies.isEmpty { return try Output.line("Nothing was recorded in these months.") }
    if let converted = answer.converted {
      try show(converted.map { ($0.month, $0.amount.total) })
      for month in converted where !month.amount.isComplete {
        try Output.line("\(month.month):")
        try Conversion.remark(on: month.amount, what: "row")
      }
      return
    }
    for currency in currencies {
      try show(answer.months.map { ($0.month, $0.total.total(in: currency)) })
    }
  }

  private func answer(_ snapshot: borrowing Snapshot, _ today: Day) throws -> Answer {
    let last = today.monthOf
    let range = last.adding(1 - count)..<last.adding(1)
    let found = try Lookup.category(category, kind: kind?.kind, in: snapshot)
    var answer = Answer(
      months: try snapshot.trend(
        of: found.id, over: range, includingSubcategories: !noSubcategories, today: today))
    if let base {
      answer.converted = try snapshot.baseTrend(
        of: found.id, over: range, includingSubcategories: !noSubcategories,
        base: try Lookup.currency(base, in: snapshot), today: today)
    }
    return answer
  }

  private func show(_ figures: [(month: Month, total: Total)]) throws {
    var chart = BarChart()
    for (month, total) in figures {
      chart.add(
        "\(month)",
        [.init(name: "", figure: Figures.withCode(total), length: total.units, style: .cyan)])
    }
    try Output.lines(chart.lines(for: .output))
  }

  private func json(_ answer: Answer) -> JSON {
    let rows = answer.months.enumerated().map { place, month in
      var fields: [(String, JSON)] = [
        ("month", .string("\(month.month)")), ("totals", .totals(month.total.totals)),
        ("count", .count(month.total.amounts.reduce(0) { $0 + $1.count })),
      ]
      if let converted = answer.converted {
        fields.append(("converted", .converted(converted[place].amount)))
      }
      return JSON.object(fields)
    }
    return .object([("months", .array(rows))])
  }
}
