import ArgumentParser
import Daybook
import DaybookTerminal

/// `daybook search`: lists transactions that contain a text, newest first.
struct SearchCommand: PastReportCommand {
  static let configuration = CommandConfiguration(
    commandName: "search", abstract: "Find transactions by text, newest first.",
    discussion: """
      Searches descriptions, payees, notes, tags and category names, ignoring case and accents: \
      “cafe” finds Café. The filters of `daybook list` narrow the results.
      """)

  @Argument(help: "The text to search for; several words are searched as one phrase.")
  var words: [String]

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var past: PastOptions
  @OptionGroup var today: TodayOptions
  @OptionGroup var output: ReportOptions
  @OptionGroup(title: "Filters") var filters: FilterOptions

  @Option(help: "The number of transactions to show.")
  var limit = 50

  @Option(
    help: ArgumentHelp(
      "Continue after the transaction at this place.", valueName: "yyyy-mm-dd#number"))
  var after: String?

  @Flag(help: "Show only the number of transactions.")
  var count = false

  @Flag(help: "Show only the sums of all transactions: money in, money out, net and transfers.")
  var sums = false

  @OptionGroup var base: BaseOptions

  private var term: SearchTerm { SearchTerm(words.joined(separator: " ")) }

  func validate() throws {
    if count, sums { throw ValidationError("Use either --count or --sums, not both.") }
    if base.base != nil, !sums { throw ValidationError("--base requires --sums.") }
    if filters.text != nil {
      throw ValidationError(
        "--text can't be used with search. Give the text as an argument only.")
    }
    if term.isEmpty { throw ValidationError("The search text is empty.") }
    guard (0...100_000).contains(limit) else {
      throw ValidationError("--limit must be from 0 to 100000.")
    }
    if let after, Lookup.key(after) == nil {
      throw ValidationError(
        "--after “\(after)” isn't a transaction's place, such as 2026-02-14#123.")
    }
  }

  private struct Content: Encodable, Sendable {
    var count: Int
    var transactions: [Transaction]
    var next: TransactionPosition?
  }

  func report(_ snapshot: borrowing Snapshot) throws -> Report {
    let filter = try filter(in: snapshot, today: today.day)
    if sums { return .sums(try snapshot.sums(of: filter, base: base.currency(in: snapshot))) }
    let total = try snapshot.count(filter)
    if count { return .count(total) }
    let rows = try snapshot.transactions(
      filter, after: after.flatMap { Lookup.key($0) }, limit: limit)
    let names = try Names(snapshot)
    let content = Content(
      count: total, transactions: rows, next: rows.count == limit ? rows.last?.key : nil)
    var report = Report(
      RowSummary.columns, ifEmpty: "No transactions match.", json: JSONAnswer(content, names))
    for row in rows {
      report.add(RowSummary.cells(of: row, names, seenFrom: filter.accounts, marking: term))
    }
    report.addNext(after: rows, limit: limit, of: total)
    return report
  }

  private func filter(in snapshot: borrowing Snapshot, today: Day) throws -> TransactionFilter {
    var filter = try filters.filter(in: snapshot, today: today)
    filter.text = words.joined(separator: " ")
    return filter
  }
}
