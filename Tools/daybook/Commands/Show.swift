import ArgumentParser
import Daybook
import Terminal

/// `daybook show`: one transaction in full.
struct ShowCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show one transaction with all its postings.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var past: PastOptions

  @Argument(help: "Its id, or its place such as 2026-02-14#123.")
  var transaction: String

  func execute() async throws {
    let (row, names) = try await ledger.read(past) { snapshot in
      (try Lookup.transaction(transaction, in: snapshot), try Names(snapshot))
    }
    if ledger.json { return try Output.json(.transaction(row, names)) }
    try Output.lines(Self.lines(of: row, names, for: .output))
  }

  /// A transaction in full, for people.
  static func lines(of row: Transaction, _ names: Names, for terminal: Terminal) -> [String] {
    var head = TextTable([.init(""), .init("")], showsTitles: false)
    let facts: [(String, String)] = [
      ("Id", "\(row.id)"), ("Place", row.place), ("Type", "\(row.type), \(row.status)"),
      ("Payee", row.payee), ("Description", row.description), ("Note", row.note),
      ("Tags", row.tags.joined(separator: ", ")), ("Category by", names.chooser(of: row)),
      ("Series", row.series.map { "\($0)" } ?? ""),
    ]
    for (name, value) in facts where !value.isEmpty {
      head.add([.init(name, .dim), .init(value)])
    }
    var postings = TextTable([
      .init("Posting"), .init("Amount", .right), .init("", isFlexible: false), .init("Note"),
    ])
    for posting in row.postings {
      postings.add([
        .init(names.name(of: posting.target)), Figures.cell(Total(posting.amount)),
        .init(posting.amount.currency.code), .init(posting.note),
      ])
    }
    return head.lines(for: terminal) + [""] + postings.lines(for: terminal)
  }
}
