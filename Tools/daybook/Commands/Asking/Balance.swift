import ArgumentParser
import Daybook
import DaybookTerminal

/// `daybook balance`: shows the balances of accounts.
struct BalanceCommand: PastReportCommand {
  static let configuration = CommandConfiguration(
    commandName: "balance", abstract: "Show account balances, today or at the end of another day.",
    discussion: """
      The last line is the total of all accounts in the base currency. With --every, the named \
      accounts are shown over time:

        daybook balance Checking Cash --every month --from 2025-01-31
      """)

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var past: PastOptions
  @OptionGroup var today: TodayOptions
  @OptionGroup var output: ReportOptions
  @OptionGroup var base: BaseOptions

  @Argument(
    help: "The accounts (default: all).", completion: LedgerCompletion.accounts)
  var accounts: [String] = []

  @Option(
    help: ArgumentHelp(
      "Show balances at the end of this day (default: today).", valueName: "yyyy-mm-dd"))
  var on: DayArgument?

  @Flag(help: "Include closed and deleted accounts with a balance of zero.")
  var all = false

  @OptionGroup var series: SeriesOptions

  func validate() throws {
    guard series.every != nil else { return }
    if accounts.isEmpty {
      throw ValidationError(
        "--every requires at least one account. For the total of all accounts, see `daybook "
          + "networth`.")
    }
    if on != nil {
      throw ValidationError(
        "--on can't be used with --every. Use --through instead.")
    }
    if base.base != nil {
      throw ValidationError(
        "--base can't be used with --every, which shows each account in its own currency.")
    }
    if all {
      throw ValidationError(
        "--all can't be used with --every, which shows only the named accounts.")
    }
  }

  private struct Answer {
    var day: Day
    var balances: [AccountBalance]
    var netWorth: [Total]
    var worth: Converted?
    var names: Names
  }

  private struct Content: Encodable, Sendable {
    var day: Day
    var balances: [AccountBalance]
    var netWorth: [Total]?
    var worth: Converted?
  }

  func report(_ snapshot: borrowing Snapshot) throws -> Report {
    if let every = series.every { return try seriesReport(snapshot, every: every) }
    let day = on?.day(today: today.day) ?? today.day
    return report(of: try answer(snapshot, on: day))
  }

  private func answer(_ snapshot: borrowing Snapshot, on day: Day) throws -> Answer {
    let base = try base.currency(in: snapshot) ?? snapshot.settings().baseCurrency
    if accounts.isEmpty {
      // Also list deleted accounts with a balance, because the totals below include them.
      let balances = try snapshot.balances(on: day, includingDeleted: true)
        .filter { all || !$0.account.isClosed && !$0.account.isDeleted || $0.balance.units != 0 }
      return Answer(
        day: day, balances: balances, netWorth: try snapshot.netWorth(on: day),
        worth: try base.map { try snapshot.baseNetWorth(on: day, base: $0) },
        names: try Names(snapshot))
    }
    var balances: [AccountBalance] = []
    for name in accounts {
      let account = try Lookup.account(name, includingDeleted: true, in: snapshot)
      balances.append(
        AccountBalance(account: account, balance: try snapshot.balance(of: account.id, on: day)))
    }
    return Answer(
      day: day, balances: balances, netWorth: [], worth: nil, names: try Names(snapshot))
  }

  private func report(of answer: Answer) -> Report {
    let content = Content(
      day: answer.day, balances: answer.balances,
      netWorth: accounts.isEmpty ? answer.netWorth : nil, worth: answer.worth)
    var report = Report(
      [
        .text("account", "Account", wraps: true, yielding: .never), .data("id"),
        .text(nil, "Kind", yielding: .goes(1)), .data("kind"), .data("closed"), .data("deleted"),
        .data("day"),
        .figure("amount", "Balance \(answer.day)"), .fixed("currency"),
      ], ifEmpty: "No accounts. Create one with `daybook accounts create`.",
      json: JSONAnswer(content, answer.names))
    for row in answer.balances {
      let account = row.account
      report.add([
        .init(
          data: account.name,
          account.state.map { .init("\(account.name) (\($0))", .dim) } ?? .init(account.name)),
        .init("\(account.id)"), .init("\(account.kind)", .dim),
        .init("\(account.kind)"), .flag(account.isClosed),
        .flag(account.isDeleted), .day(answer.day), .total(row.balance),
        .currency(row.balance.currency),
      ])
    }
    func addSum(_ title: String, _ total: Total) {
      report.addSum([
        .init(title, .bold), "", "", "", "", "", "", .total(total, .bold),
        .currency(total.currency),
      ])
    }
    if !answer.netWorth.isEmpty { report.addRule() }
    for total in answer.netWorth { addSum("Total", total) }
    if let worth = answer.worth {
      if answer.netWorth != [worth.total] { addSum("Net worth", worth.total) }
      report.remarks = Conversion.remarks(on: worth, what: "account")
    }
    return report
  }
}
