import ArgumentParser
import Daybook
import DaybookTerminal

/// `daybook accounts list`: lists accounts with their balances.
struct AccountsListCommand: PastReportCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List accounts with their opening balances and balances.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var past: PastOptions
  @OptionGroup var today: TodayOptions
  @OptionGroup var output: ReportOptions

  @Flag(help: "Include closed and deleted accounts.")
  var all = false

  @Option(
    help: ArgumentHelp(
      "Only open accounts without a transaction in this many days.", valueName: "days"))
  var dormant: Int?

  func validate() throws {
    if all, dormant != nil { throw ValidationError("Use either --all or --dormant, not both.") }
    if let dormant, dormant < 1 { throw ValidationError("--dormant must be at least 1.") }
  }

  func report(_ snapshot: borrowing Snapshot) throws -> Report {
    let today = today.day
    if let dormant { return try dormantReport(snapshot, dormant, today: today) }
    let hasOthers =
      try !all
      && snapshot.accounts(includingClosed: true, includingDeleted: false)
        .contains { try snapshot.isKept($0) }
    let rows = try snapshot.balances(on: today, includingClosed: all, includingDeleted: all)
      .filter { try snapshot.isKept($0.account) }
    var report = Report(
      [
        .text("account", "Account", wraps: true, yielding: .never), .data("id"),
        .text(nil, "Kind", yielding: .below(2)), .data("kind"), .data("closed"),
        .data("deleted"), .figure("opening", "Opening", yielding: .goes(1)), .data("openingDay"),
        .figure("balance", "Balance"), .fixed("currency"),
        .text("note", "Note", yielding: .below(3)), .data("numbers"),
      ],
      ifEmpty: hasOthers
        ? "No open accounts. List closed ones with `daybook accounts list --all`."
        : "No accounts. Create one with `daybook accounts create`.",
      json: JSONAnswer(["accounts": rows], try Names(snapshot)))
    for row in rows {
      let account = row.account
      let state = account.state.map { ", \($0)" } ?? ""
      let excluded = account.isExcludedFromTotals ? ", excluded" : ""
      report.add([
        .init(account.name, state.isEmpty ? .plain : .dim), .init("\(account.id)"),
        .init("\(account.kind)\(state)\(excluded)", .dim), .init("\(account.kind)"),
        .flag(account.isClosed), .flag(account.isDeleted),
        .init(
          data: account.opening.text, .init(Figures.text(Total(account.opening)), .dim)),
        .day(account.openingDay), .total(row.balance), .currency(account.currency),
        .init(account.note), .init(account.identifiers.joined(separator: " ")),
      ])
    }
    return report
  }

  private func dormantReport(
    _ snapshot: borrowing Snapshot, _ days: Int, today: Day
  ) throws -> Report {
    let rows = try snapshot.dormantAccounts(days: days, today: today)
    var report = Report(
      [
        .text("account", "Account", wraps: true, yielding: .never), .data("id"),
        .text("kind", "Kind", yielding: .below(1)), .fixed("lastDay", "Last transaction"),
        .figure("balance", "Balance"), .fixed("currency"),
      ], ifEmpty: "No dormant accounts.",
      json: JSONAnswer(["accounts": rows], try Names(snapshot)))
    for row in rows {
      let last = row.lastDay.map { "\($0)" }
      report.add([
        .init(row.account.name), .init("\(row.account.id)"), .init("\(row.account.kind)", .dim),
        .init(data: last ?? "", .init(last ?? "never", .dim)), .total(row.balance),
        .currency(row.account.currency),
      ])
    }
    return report
  }
}

extension Account {
  /// The reason why the account accepts no transactions ("deleted" or "closed"), or `nil` if it
  /// accepts them.
  var state: String? { isDeleted ? "deleted" : isClosed ? "closed" : nil }
}
