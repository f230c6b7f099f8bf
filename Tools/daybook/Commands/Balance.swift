import ArgumentParser
import Daybook
import Terminal

/// `daybook balance`: what the accounts hold.
struct BalanceCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "balance", abstract: "Show what accounts hold, today or at the end of any day.",
    discussion: """
      Below the accounts stands what all of them are worth in the base currency. With --every the accounts \
      named are shown over time:

        daybook balance Checking Cash --every month --from 2025-01-31
      """)

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var past: PastOptions
  @OptionGroup var today: TodayOptions
  @OptionGroup var base: BaseOptions

  @Argument(help: "Accounts by name; all where none is named.")
  var accounts: [String] = []

  @Option(help: ArgumentHelp("At the end of this day instead of today.", valueName: "yyyy-mm-dd"))
  var on: DayArgument?

  @Flag(help: "Show closed accounts that are empty, too.")
  var all = false

  @OptionGroup var series: SeriesOptions

  func validate() throws {
    guard series.every != nil else { return }
    if accounts.isEmpty {
      throw ValidationError(
        "--every shows how accounts went: name them. For all together see `daybook networth`.")
    }
    if on != nil { throw ValidationError("Give --through instead of --on with --every.") }
    if base.base != nil {
      throw ValidationError("With --every, accounts are in their own currency.")
    }
    if all { throw ValidationError("--every is about the accounts named: leave out --all.") }
  }

  private struct Answer {
    var day: Day
    var balances: [AccountBalance]
    var netWorth: [Total]
    var worth: Converted?
  }

  func execute() async throws {
    if let every = series.every { return try await showSeries(every: every) }
    let day = on?.day(today: today.day) ?? today.day
    let answer = try await ledger.read(past) { snapshot in try self.answer(snapshot, on: day) }
    try ledger.json ? Output.json(json(answer)) : show(answer)
  }

  private func answer(_ snapshot: borrowing Snapshot, on day: Day) throws -> Answer {
    let base = try base.currency(in: snapshot) ?? snapshot.settings().baseCurrency
    if accounts.isEmpty {
      let balances = try snapshot.balances(on: day, includingDeleted: all)
        .filter { all || !$0.account.isClosed || $0.balance.units != 0 }
      return Answer(
        day: day, balances: balances, netWorth: try snapshot.netWorth(on: day),
        worth: try base.map { try snapshot.baseNetWorth(on: day, base: $0) })
    }
    var balances: [AccountBalance] = []
    for name in accounts {
      let account = try Lookup.account(name, in: snapshot)
      balances.append(
        AccountBalance(account: account, balance: try snapshot.balance(of: account.id, on: day)))
    }
    return Answer(day: day, balances: balances, netWorth: [], worth: nil)
  }

  private func show(_ answer: Answer) throws {
    var table = TextTable([
      .init("Account"), .init("Kind"), .init("Balance \(answer.day)", .right), .init(""),
    ])
    for row in answer.balances {
      table.add([
        .init(row.account.name, row.account.isClosed ? .dim : .plain),
        .init("\(row.account.kind)" + (row.account.isClosed ? ", closed" : ""), .dim),
        Figures.cell(row.balance), .init(row.balance.currency.code),
      ])
    }
    if !answer.netWorth.isEmpty {
      table.addRule()
      for total in answer.netWorth {
        table.add([
          .init("Together", .bold), "", Figures.cell(total, .bold), .init(total.currency.code),
        ])
      }
    }
    if let worth = answer.worth, answer.netWorth != [worth.total] {
      table.add([
        .init("Worth", .bold), "", Figures.cell(worth.total, .bold),
        .init(worth.total.currency.code),
      ])
    }
    try Output.table(table, ifEmpty: "No accounts yet: `daybook accounts create` makes one.")
    if let worth = answer.worth { try Conversion.remark(on: worth, what: "account") }
  }

  private func json(_ answer: Answer) -> JSON {
    var members: [(String, JSON)] = [
      ("on", .day(answer.day)),
      (
        "accounts",
        .array(
          answer.balances.map { row in
            .object([
              ("id", .string("\(row.account.id)")), ("name", .string(row.account.name)),
              ("kind", .string("\(row.account.kind)")), ("closed", .bool(row.account.isClosed)),
              ("amount", .string(row.balance.text)),
              ("currency", .string(row.balance.currency.code)),
            ])
          })
      ),
    ]
    if accounts.isEmpty { members.append(("netWorth", .totals(answer.netWorth))) }
    if let worth = answer.worth { members.append(("worth", .converted(worth))) }
    return .object(members)
  }
}
