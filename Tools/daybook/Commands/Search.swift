import ArgumentParser
import Daybook
import Terminal

/// `daybook search`: transactions that hold a text, newest first.
struct SearchCommand: LedgerCommand {
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

  private struct Answer {
    var rows: [Transaction]
    var names: Names
    var viewpoint: AccountID?
  }

  func execute() async throws {
    let today = today.day
    if count {
      let count = try await ledger.read(past) { snapshot in
        try snapshot.count(filter(in: snapshot, today: today))
      }
      return try ledger.json
        ? Output.json(.object([("count", .count(count))])) : Output.line(Figures.count(count))
    }
    let answer = try await ledger.read(past) { snapshot in
      let filter = try filter(in: snapshot, today: today)
      let rows = try snapshot.transactions(
        filter, after: after.flatMap { Lookup.key($0) }, limit: limit)
      return Answer(rows: rows, names: try Names(snapshot), viewpoint: filter.account)
    }
    let next = answer.rows.count == limit ? answer.rows.last?.place : nil
    if ledger.json {
      return try Output.json(
        .object([
          ("transactions", .array(answer.rows.map { .transaction($0, answer.names) })),
          ("next", .optional(next)),
        ]))
    }
    var table = TextTable(RowSummary.columns)
    for row in answer.rows {
      table.add(
        RowSummary.cells(of: row, answer.names, seenFrom: answer.viewpoint, marking: term))
    }
    try Output.table(table, ifEmpty: "No row holds that.")
    guard let next else { return }
    try Output.line("")
    try Output.line("\(Figures.count(answer.rows.count)) rows; the next: --after \(next)")
  }

  private func filter(in snapshot: borrowing Snapshot, today: Day) throws -> TransactionFilter {
    var filter = try filters.filter(in: snapshot, today: today)
    filter.text = words.joined(separator: " ")
    return filter
  }
}
