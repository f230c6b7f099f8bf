import ArgumentParser
import Daybook
import DaybookTerminal

/// `daybook payees`: lists payees with the last transaction of each.
struct PayeesCommand: PastReportCommand {
  static let configuration = CommandConfiguration(
    commandName: "payees",
    abstract: "List payees with their last transactions, most used first.",
    discussion: """
      With TEXT, lists only payees that begin with it, ignoring case and accents. With --by-month, \
      shows the money in and out of each payee's transactions by month.
      """)

  @Argument(help: "The beginning of the payee's name.")
  var prefix = ""

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var past: PastOptions
  @OptionGroup var today: TodayOptions
  @OptionGroup var output: ReportOptions

  @OptionGroup var months: ByMonthOptions

  @Option(help: "The number of payees to show.")
  var limit = 50

  func validate() throws {
    guard (0...100_000).contains(limit) else {
      throw ValidationError("--limit must be from 0 to 100000.")
    }
  }

  func report(_ snapshot: borrowing Snapshot) throws -> Report {
    if months.byMonth {
      let found = try snapshot.payeeMonths(
        months.range(today: today.day), startingWith: prefix,
        base: months.base.currency(in: snapshot), today: today.day)
      let shown = Array(found.prefix(limit))
      return .months(
        of: shown, ("payee", "Payee"), ifEmpty: "No payees in these months.",
        json: JSONAnswer(["payees": shown]))
    }
    let payees = try snapshot.payees(startingWith: prefix, limit: limit, today: today.day)
    let names = try Names(snapshot)
    var report = Report(
      [
        .text("payee", "Payee", wraps: true), .figure("count", "Count"),
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
