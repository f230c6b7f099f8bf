import ArgumentParser
import Daybook
import DaybookTerminal

/// `daybook inbox`: lists the items that need a person.
struct InboxCommand: PastReportCommand {
  static let configuration = CommandConfiguration(
    commandName: "inbox", abstract: "List what needs your attention.",
    discussion: """
      Lists transactions without a category, each with a suggested one and the reason for it; due \
      payments; transactions that have been pending for more than two weeks; possible duplicates \
      and transfers of the last three months; and stated balances that differ from the ledger. \
      Nothing is changed. Findings of a shared ledger are listed by `daybook sync findings`.
      """)

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var past: PastOptions
  @OptionGroup var today: TodayOptions
  @OptionGroup var output: ReportOptions

  @Option(help: "The number of entries to show in each section.")
  var limit = 5

  func validate() throws {
    guard (0...100_000).contains(limit) else {
      throw ValidationError("--limit must be from 0 to 100000.")
    }
  }

  func report(_ snapshot: borrowing Snapshot) throws -> Report {
    let inbox = try snapshot.inbox(today: today.day, limit: limit)
    let lines = InboxLines(names: try Names(snapshot))
    var report = Report(
      [
        .data("section"), .fixed("place", "Place"), .text("what", "Payee", yielding: .below(2)),
        .figure("amount", "Amount"), .fixed("currency"),
        .text("next", "Next", wraps: true, yielding: .below(1)),
      ], ifEmpty: "Nothing needs your attention.", json: JSONAnswer(inbox, lines.names))
    func add<Entry>(
      _ name: String, _ title: String, _ section: InboxSection<Entry>,
      _ cells: (Entry) -> [[Report.Cell]]
    ) {
      if section.count == 0 { return }
      let count = Figures.count(section.count) + (section.hasMore ? "+" : "")
      report.addHeading(.init("\(title): \(count)", .bold))
      for entry in section.entries {
        for line in cells(entry) { report.add([.init(name)] + line) }
      }
    }
    add("uncategorized", "To categorise", inbox.uncategorized) { [lines.cells($0)] }
    add("due", "Due or overdue", inbox.due) { [lines.cells($0)] }
    add("pending", "Pending for more than two weeks", inbox.pending) {
      [lines.cells($0, "daybook edit \($0.place) --status cleared")]
    }
    add("duplicates", "Possible duplicates", inbox.duplicates) {
      [
        lines.cells($0.original, ""),
        lines.cells($0.duplicate, "daybook delete \($0.duplicate.place)"),
      ]
    }
    add("transfers", "Possible transfers", inbox.transfers) {
      [
        lines.cells($0.paying, ""),
        lines.cells(
          $0.receiving, "daybook transfers link \($0.paying.place) \($0.receiving.place)"),
      ]
    }
    add("assertions", "Stated balances that differ", inbox.assertions) { [lines.cells($0)] }
    return report
  }
}

/// The cells of the inbox's entries: the place, the payee, the amount and what to do next.
private struct InboxLines {
  let names: Names

  func cells(_ row: Transaction, _ next: String) -> [Report.Cell] {
    let amount = RowSummary(row, names).amount
    let text = row.payee.isEmpty ? row.description : row.payee
    return [
      .init(row.place, .dim), .init(text), .total(amount), .currency(amount?.currency),
      .init(next),
    ]
  }

  func cells(_ open: UncategorizedTransaction) -> [Report.Cell] {
    guard let suggestion = open.suggestion else { return cells(open.transaction, "") }
    let reason =
      suggestion.rule.map { "rule \(names.name(of: $0) ?? "\($0)")" }
      ?? "\(suggestion.count) of \(suggestion.total) at \(open.transaction.payee)"
    return cells(open.transaction, "\(names.path(of: suggestion.category)) (\(reason))")
  }

  func cells(_ payment: UpcomingPayment) -> [Report.Cell] {
    let amount = payment.series.template.amount
    return [
      .init("\(payment.day)", .dim), .init(payment.series.name), .total(Total(amount)),
      .currency(amount.currency), "daybook recurring generate",
    ]
  }

  func cells(_ check: AssertionCheck) -> [Report.Cell] {
    let stated = check.assertion.balance
    return [
      .init("\(check.assertion.day)", .dim), .init(names.name(of: check.assertion.account)),
      .total(Total(stated)), .currency(stated.currency),
      .init("the ledger has \(Figures.text(check.balance))"),
    ]
  }
}
