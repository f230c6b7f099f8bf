import ArgumentParser
import Daybook
import DaybookTerminal

/// `daybook categories trend`: shows one category by month.
struct CategoriesTrendCommand: PastReportCommand {
  static let configuration = CommandConfiguration(
    commandName: "trend", abstract: "Show a category's monthly totals.",
    discussion: """
      Each currency is shown separately; with --base, amounts are converted at each day's rate. \
      Transactions after today aren't counted.
      """)

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var past: PastOptions
  @OptionGroup var today: TodayOptions
  @OptionGroup var output: ReportOptions

  @Option(
    help: ArgumentHelp("Convert to this currency at each day's rate.", valueName: "currency"))
  var base: String?

  @Argument(
    help: "The category (a name, or a path such as Food:Groceries).",
    completion: LedgerCompletion.categories)
  var category: String

  @Option(help: "income or expense, if both have a category of this name.")
  var kind: CategoryKindArgument?

  @Option(help: "The number of months.")
  var count = 12

  @Option(
    help: ArgumentHelp("The last month (default: the current month).", valueName: "yyyy-mm"))
  var through: MonthArgument?

  @Flag(help: "Leave out subcategories.")
  var noSubcategories = false

  func validate() throws {
    guard (1...1200).contains(count) else {
      throw ValidationError("--count must be from 1 to 1200.")
    }
  }

  private struct Answer {
    var months: [CategoryMonth]
    /// The same months in the requested currency, or `nil` if none was requested.
    var converted: [ConvertedCategoryMonth]?
    var names: Names

    var json: JSONAnswer {
      converted.map { JSONAnswer(["months": $0], names) } ?? JSONAnswer(["months": months], names)
    }
  }

  func report(_ snapshot: borrowing Snapshot) throws -> Report {
    let answer = try answer(snapshot, today.day)
    var report = Report(
      [.data("month"), .data("amount"), .data("currency")], ifEmpty: "", json: answer.json)
    report.showsTable = false
    let currencies = Set(answer.months.flatMap { $0.total.totals.map(\.currency) }).sorted()
    if currencies.isEmpty {
      report.above = [.text("No transactions in these months.")]
    } else if let converted = answer.converted {
      add(converted.map { ($0.month, $0.amount.total) }, to: &report)
      for month in converted where !month.amount.isComplete {
        report.remarks.append("\(month.month):")
        report.remarks += Conversion.remarks(on: month.amount, what: "transaction")
      }
    } else {
      for currency in currencies {
        add(answer.months.map { ($0.month, $0.total.total(in: currency)) }, to: &report)
      }
    }
    return report
  }

  private func answer(_ snapshot: borrowing Snapshot, _ today: Day) throws -> Answer {
    let last = through?.month ?? today.monthOf
    let range = last.adding(1 - count)..<last.adding(1)
    let found = try Lookup.category(
      category, kind: kind?.kind, tellingKindsApartBy: "--kind", in: snapshot)
    var answer = Answer(
      months: try snapshot.trend(
        of: found.id, over: range, includingSubcategories: !noSubcategories, today: today),
      names: try Names(snapshot))
    if let base {
      answer.converted = try snapshot.baseTrend(
        of: found.id, over: range, includingSubcategories: !noSubcategories,
        base: try Lookup.currency(base, in: snapshot), today: today)
    }
    return answer
  }

  private func add(_ figures: [(month: Month, total: Total)], to report: inout Report) {
    var chart = BarChart()
    for (month, total) in figures {
      report.add([.init("\(month)"), .total(total), .currency(total.currency)])
      chart.add(
        "\(month)",
        [.init(name: "", figure: Figures.withCode(total), length: total.units, style: .cyan)])
    }
    report.above.append(.chart(chart))
  }
}
