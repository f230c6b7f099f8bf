import ArgumentParser
import Daybook
import Terminal

/// `daybook payees`: lists payees with what was last recorded for each.
struct PayeesCommand: PastReportCommand {
  static let configuration = CommandConfiguration(
    commandName: "payees",
    abstract: "List payees, the most used first, each with what was recorded last.",
    discussion: "With a text: those that begin with it, whatever the case and accents.")

  @Argument(help: "What the payee begins with.")
  var prefix = ""

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var past: PastOptions
  @OptionGroup var today: TodayOptions
  @OptionGroup var output: ReportOptions

  @Option(help: "How many payees.")
  var limit = 50

  func validate() throws {
    guard (0...100_000).contains(limit) else {
      throw ValidationError("--limit has to be from 0 to 100000.")
    }
  }

  func report(_ snapshot: borrowing Snapshot) throws -> Report {
    let payees = try snapshot.payees(startingWith: prefix, limit: limit, today: today.day)
    let names = try Names(snapshot)
    var report = Report(
      [
        .text("payee", "Payee", wraps: true), .figure("count", "Rows"),
        .fixed("lastDay", "Last", yielding: .goes(1)),
        .text("account", "Account", yielding: .below(3)),
        .text("category", "Category", yielding: .below(2)), .figure("amount", "Amount"),
        .fixed("currency"),
      ], ifEmpty: "No payees.", json: JSONAnswer(["payees": payees], names))
    for payee in payees {
      report.add([
        .init(payee.payee), .count(payee.count), .day(payee.lastDay, .dim),
        .init(payee.lastAccount.map { names.name(of: $0) } ?? ""),
        .init(payee.lastCategory.map { names.path(of: $0) } ?? ""),
        .total(payee.lastAmount.map { Total($0) }), .currency(payee.lastAmount?.currency),
      ])
    }
    return report
  }
}
