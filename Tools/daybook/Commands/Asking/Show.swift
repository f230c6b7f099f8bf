import ArgumentParser
import Daybook
import DaybookTerminal

/// `daybook show`: shows one transaction in full.
struct ShowCommand: PastReportCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show one transaction with all its postings.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var past: PastOptions
  @OptionGroup var output: ReportOptions

  @Argument(help: "The transaction's id, or its place such as 2026-02-14#123.")
  var transaction: String

  func report(_ snapshot: borrowing Snapshot) throws -> Report {
    let row = try Lookup.transaction(transaction, in: snapshot)
    let names = try Names(snapshot)
    var report = Report(
      [
        .data("place"), .text("name", "Posting", wraps: true, yielding: .never), .data("kind"),
        .figure("amount", "Amount"), .fixed("currency"),
        .text("note", "Note", yielding: .below(1)),
      ], ifEmpty: "", json: JSONAnswer(["transaction": row], names))
    let distinct = try row.distinctFrom.map { try snapshot.transaction($0)?.place ?? "\($0)" }
    report.above = [.table(Self.facts(of: row, distinct, names)), .text("")]
    for posting in row.postings {
      let kind =
        switch posting.account {
        case .account: "account"
        case .category: "category"
        }
      report.add([
        .init(row.place), .init(names.name(of: posting.account)), .init(kind),
        .total(Total(posting.amount)), .currency(posting.amount.currency), .init(posting.note),
      ])
    }
    return report
  }

  /// The properties of the whole transaction as a table of names and values.
  private static func facts(
    of row: Transaction, _ distinct: [String], _ names: Names
  ) -> TextTable {
    var table = TextTable.facts
    let facts: [(String, String)] = [
      ("Id", "\(row.id)"), ("Place", row.place), ("Type", "\(row.type), \(row.status)"),
      ("Payee", row.payee), ("Description", row.description), ("Note", row.note),
      ("Code", row.code),
      ("Totals", row.isExcludedFromTotals ? "excluded" : ""),
      (row.arrivalDay == nil ? "Value day" : "Arrives", row.valueDay.map { "\($0)" } ?? ""),
      ("Tags", row.tags.joined(separator: ", ")), ("Category set by", names.chooser(of: row)),
      ("Attachments", row.attachments.map(\.name).joined(separator: ", ")),
      ("Distinct from", distinct.joined(separator: ", ")),
      ("Recurring", row.series.map { "\($0)" } ?? ""),
    ]
    for (name, value) in facts where !value.isEmpty {
      table.add([.init(name, .dim), .init(value)])
    }
    return table
  }
}
