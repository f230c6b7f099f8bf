import ArgumentParser
import Daybook
import DaybookTerminal

/// `daybook list`: lists transactions, newest first.
struct ListCommand: PastReportCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List transactions, newest first.",
    discussion: """
      The last line shows how to get the next page: --after with the last transaction's place is \
      equally fast at any depth. With --sections, transactions are grouped by day, with each day's \
      totals. With --category and without --account, the amount is that of the transaction's parts \
      in the category. With --sums, shows only the money in and out: what moved on the --account \
      accounts, or the parts in the --category categories, or otherwise income and refunds, \
      expenses, and transfers.
      """)

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var past: PastOptions
  @OptionGroup var today: TodayOptions
  @OptionGroup var output: ReportOptions
  @OptionGroup(title: "Filters") var filters: FilterOptions

  @Option(help: "The number of transactions to show.")
  var limit = 50

  @Option(help: "The number of newest transactions to skip.")
  var offset: Int?

  @Option(
    help: ArgumentHelp(
      "Continue after the transaction at this place.", valueName: "yyyy-mm-dd#number"))
  var after: String?

  @Flag(help: "Group by day, with each day's totals.")
  var sections = false

  @Flag(help: "Show the balance of the --account accounts after each transaction.")
  var balance = false

  @Flag(help: "Show only the number of transactions.")
  var count = false

  @Flag(help: "Show only the sums of all transactions: money in, money out, net and transfers.")
  var sums = false

  @OptionGroup var base: BaseOptions

  func validate() throws {
    if count, sums { throw ValidationError("Use either --count or --sums, not both.") }
    if base.base != nil, !sums { throw ValidationError("--base requires --sums.") }
    if offset != nil, after != nil {
      throw ValidationError("Use either --offset or --after, not both.")
    }
    guard (0...100_000).contains(limit) else {
      throw ValidationError("--limit must be from 0 to 100000.")
    }
    if balance, filters.account.isEmpty {
      throw ValidationError("--balance requires --account.")
    }
    if let offset, offset < 0 { throw ValidationError("--offset must be 0 or more.") }
    if let after, Lookup.key(after) == nil {
      throw ValidationError(
        "--after “\(after)” isn't a transaction's place, such as 2026-02-14#123.")
    }
  }

  private struct Answer {
    var rows: [Transaction] = []
    var sections: [DaySection] = []
    var total = 0
    var names: Names
    var viewpoint: [AccountID]
    /// The categories whose parts of a split are counted; empty for all.
    var parts: Set<CategoryID>
    var balances: RunningBalance?
  }

  func report(_ snapshot: borrowing Snapshot) throws -> Report {
    let filter = try filters.filter(in: snapshot, today: today.day)
    if count { return .count(try snapshot.count(filter)) }
    if sums { return .sums(try snapshot.sums(of: filter, base: base.currency(in: snapshot))) }
    var report = report(of: try answer(filter, snapshot))
    try report.addSums(of: filter, in: snapshot)
    return report
  }

  private func answer(_ filter: TransactionFilter, _ snapshot: borrowing Snapshot) throws -> Answer
  {
    var answer = Answer(
      names: try Names(snapshot), viewpoint: filter.accounts,
      parts: try filter.accounts.isEmpty ? snapshot.categoryMembers(of: filter) : [])
    if let offset {
      answer.rows = try snapshot.transactions(filter, offset: offset, limit: limit)
    } else {
      let key = after.flatMap { Lookup.key($0) }
      answer.rows = try snapshot.transactions(filter, after: key, limit: limit)
    }
    if balance {
      answer.balances = try RunningBalance(
        filter.accounts, after: answer.rows, isEach: false, in: snapshot)
    }
    answer.total = try snapshot.count(filter)
    if sections, let newest = answer.rows.first.map({ filter.day(of: $0) }) {
      let days = Set(answer.rows.map { filter.day(of: $0) }).count
      answer.sections = try snapshot.sections(
        filter, before: newest.adding(days: 1), limit: days)
    }
    return answer
  }

  private func report(of answer: Answer) -> Report {
    let columns = RowSummary.columns + (answer.balances?.columns ?? [])
    var report = Report(columns, ifEmpty: "No transactions.", json: json(answer))
    var day: Day?
    for (index, row) in answer.rows.enumerated() {
      let rowDay = row.day(seenFrom: answer.viewpoint)
      if sections, rowDay != day {
        day = rowDay
        let section = answer.sections.first { $0.day == rowDay }
        let count =
          section.map {
            $0.count == 1
              ? "1 transaction"
              : "\($0.count) transactions"
          } ?? ""
        report.addHeading(
          .init("\(Weekday.name(of: rowDay)) \(rowDay)  \(count)", .bold),
          trailing: (section?.sums ?? []).map { sum in
            // The sums of categories are positive for spending, but the rows' amounts are negative.
            let shown = Total(
              units: answer.parts.isEmpty ? sum.units : -sum.units, currency: sum.currency)
            return .init(Figures.withCode(shown), .bold)
          })
      }
      report.add(
        RowSummary.cells(of: row, answer.names, seenFrom: answer.viewpoint, parts: answer.parts)
          + (answer.balances?.cells(index) ?? []))
    }
    report.addNext(after: answer.rows, limit: limit, of: answer.total)
    return report
  }

  private struct Content: Encodable, Sendable {
    struct Row: Encodable, Sendable {
      var transaction: Transaction
      var day: Day
      var balance: Total?
      var balances: [RunningBalance.Balance]?
    }
    struct Section: Encodable, Sendable {
      var summary: DaySection
      var rows: [Row]
    }

    var count: Int
    var transactions: [Transaction]?
    var rows: [Row]?
    var sections: [Section]?
    var next: TransactionPosition?
  }

  private func json(_ answer: Answer) -> JSONAnswer {
    var content = Content(count: answer.total)
    if sections {
      content.sections = answer.sections.map { section in
        let rows = answer.rows.indices.filter {
          answer.rows[$0].day(seenFrom: answer.viewpoint) == section.day
        }
        return Content.Section(summary: section, rows: rows.map { row($0, answer) })
      }
    } else if balance {
      content.rows = answer.rows.indices.map { row($0, answer) }
    } else {
      content.transactions = answer.rows
    }
    if answer.rows.count == limit, let last = answer.rows.last {
      content.next = TransactionFilter(accounts: answer.viewpoint).position(of: last)
    }
    return JSONAnswer(content, answer.names)
  }

  /// Returns a transaction with the balance after it, or with several balances if the accounts have
  /// several currencies.
  private func row(_ index: Int, _ answer: Answer) -> Content.Row {
    let balances = answer.balances?.balances(index)
    return Content.Row(
      transaction: answer.rows[index], day: answer.rows[index].day(seenFrom: answer.viewpoint),
      balance: balances?.count == 1 ? balances?[0].balance : nil,
      balances: balances?.count == 1 ? nil : balances)
  }
}

/// The names of the weekdays.
enum Weekday {
  private static let names = [
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
  ]

  /// The name of the weekday of a day.
  static func name(of day: Day) -> String { names[day.weekday - 1] }
}
