import ArgumentParser
import Daybook
import Terminal

/// `daybook categories trend`: one category, month by month.
struct CategoriesTrendCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "trend", abstract: "Show what one category took, month by month.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var past: PastOptions
  @OptionGroup var today: TodayOptions

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

  func execute() async throws {
    let today = today.day
    let last = today.monthOf
    let months = try await ledger.read(past) { snapshot in
      let found = try Lookup.category(category, kind: kind?.kind, in: snapshot)
      return try snapshot.trend(
        of: found.id, over: last.adding(1 - count)..<last.adding(1),
        includingSubcategories: !noSubcategories, today: today)
    }
    if ledger.json {
      let rows = months.map { month in
        JSON.object([
          ("month", .string("\(month.month)")), ("totals", .totals(month.total.totals)),
          ("count", .count(month.total.amounts.reduce(0) { $0 + $1.count })),
        ])
      }
      return try Output.json(.object([("months", .array(rows))]))
    }
    let currencies = Set(months.flatMap { $0.total.totals.map(\.currency) }).sorted()
    if currencies.isEmpty { try Output.line("Nothing was recorded in these months.") }
    for currency in currencies {
      var chart = BarChart()
      for month in months {
        let total = month.total.total(in: currency)
        chart.add(
          "\(month.month)",
          [
            .init(
              name: "", figure: Figures.withCode(total), length: total.units, style: .cyan)
          ])
      }
      try Output.lines(chart.lines(for: .output))
    }
  }
}
