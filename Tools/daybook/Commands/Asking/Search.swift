import ArgumentParser
import Daybook
import Terminal

/// `daybook search`: lists transactions that contain a text, newest first.
struct SearchCommand: PastReportCommand {
  static let configuration = CommandConfiguration(
    commandName: "search", abstract: "Find transactions by a part of their text, newest first.",
    discussion: """
      Looks in descriptions, payees, notes, tags and the names of categories, whatever the case and \
      the accents: “cafe” finds Café. Options narrow it down as they do for list.
      """)

  @Argument(help: "What to look for; several words are one text.")
  var words: [String]

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var past: PastOptions
  @OptionGroup var today: TodayOptions
  @OptionGroup var output: ReportOptions
  @OptionGroup(title: "Filters") var filters: FilterOptions

  @Option(help: "How many rows.")
  var limit = 50

  @Option(
    help: ArgumentHelp("Continue after the row at this place.", valueName: "yyyy-mm-dd#number"))
  var after: String?

  @Flag(help: "Only say how many there are.")
  var count = false

  private var term: SearchTerm { SearchTerm(words.joined(separator: " ")) }

  func validate() throws {
    if filters.text != nil { throw ValidationError("Give the text once, without --text.") }
    if term.isEmpty { throw ValidationError("There is nothing to look for.") }
    guard (0...100_000).contains(limit) else {
      throw ValidationError("--limit has to be from 0 to 100000.")
    }
    if let after, Lookup.key(after) == nil {
      throw ValidationError("--after takes a place such as 2026-02-14#123, not “\(after)”.")
    }
  }

  private struct Content: Encodable, Sendable {
    var count: Int
    var transactions: [Transaction]
    var next: TransactionPosition?
  }

  func report(_ snapshot: borrowing Snapshot) throws -> Report {
    let filter = try filter(in: snapshot, today: today.day)
    let total = try snapshot.count(filter)
    if count { return .count(total) }
    let rows = try snapshot.transactions(
      filter, after: after.flatMap { Lookup.key($0) }, limit: limit)
    let names = try Names(snapshot)
    let content = Content(
      count: total, transactions: rows, next: rows.count == limit ? rows.last?.key : nil)
    var report = Report(
      RowSummary.columns, ifEmpty: "No row holds that.", json: JSONAnswer(content, names))
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
