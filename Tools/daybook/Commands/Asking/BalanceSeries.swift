import ArgumentParser
import Daybook
import DaybookTerminal

/// The days of a series of balances.
struct SeriesOptions: ParsableArguments {
  /// The interval between two points.
  enum Every: String, ExpressibleByArgument, CaseIterable {
    case day, week, month, year

    var step: Step {
      switch self {
      case .day: .day
      case .week: .week
      case .month: .month
      case .year: .year
      }
    }

    /// Returns the first of twelve points, the last of which is the day `last`.
    func first(before last: Day) -> Day {
      switch self {
      case .day: last.adding(days: -11)
      case .week: last.adding(days: -77)
      case .month: last.adding(months: -11)
      case .year: last.adding(months: -132)
      }
    }
  }

  @Option(help: "Show the named accounts over time: every day, week, month or year.")
  var every: Every?

  @Option(
    help: ArgumentHelp(
      "With --every: the earliest day (default: shows twelve points).",
      valueName: "yyyy-mm-dd"))
  var from: DayArgument?

  @Option(
    help: ArgumentHelp(
      "With --every: the last day, from which the others are counted back (default: today).",
      valueName: "yyyy-mm-dd"))
  var through: DayArgument?

  func validate() throws {
    if every == nil, from != nil || through != nil {
      throw ValidationError("--from and --through require --every.")
    }
  }

  /// Returns the requested days.
  ///
  /// - Throws: `CommandFailure` if `--from` is later than `--through`.
  func days(_ every: Every, today: Day) throws -> Range<Day> {
    let last = through?.day(today: today) ?? today
    let first = from?.day(today: today) ?? every.first(before: last)
    guard first <= last else {
      throw CommandFailure.usage(
        "--from \(first) is after --through \(last).", remedy: "Swap the two days.")
    }
    return first..<last.adding(days: 1)
  }
}

extension BalanceCommand {
  /// The balances of one account over time.
  struct Series: Encodable, Sendable {
    var account: Account
    var balances: [DatedTotal]
  }

  /// The series of balances of the named accounts.
  ///
  /// The table has a column for each account. CSV and TSV have a row for each account and day.
  func seriesReport(
    _ snapshot: borrowing Snapshot, every: SeriesOptions.Every
  ) throws -> Report {
    let days = try series.days(every, today: today.day)
    let found = try accounts.map { name in
      let account = try Lookup.account(name, includingDeleted: true, in: snapshot)
      return Series(
        account: account,
        balances: try snapshot.balanceSeries(of: account.id, over: days, every: every.step))
    }
    var table = TextTable(
      [.init("Day", isFlexible: false)]
        + found.map { .init("\($0.account.name) \($0.account.currency.code)", .right) })
    for (index, point) in (found.first?.balances ?? []).enumerated() {
      table.add([.init("\(point.day)")] + found.map { Figures.cell($0.balances[index].total) })
    }
    var report = Report(
      [.data("day"), .data("account"), .data("amount"), .data("currency")], ifEmpty: "No days.",
      json: JSONAnswer(["accounts": found], try Names(snapshot)))
    for series in found {
      for point in series.balances {
        report.add([
          .day(point.day), .init(series.account.name), .total(point.total),
          .currency(series.account.currency),
        ])
      }
    }
    report.showsTable = false
    report.above = [table.isEmpty ? .text("No days.") : .table(table)]
    return report
  }
}
