import ArgumentParser
import Daybook
import Terminal

/// `daybook accounts list`: every account with its balance.
struct AccountsListCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List accounts with their opening and balance.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var past: PastOptions
  @OptionGroup var today: TodayOptions

  @Flag(help: "Show closed and deleted accounts too.")
  var all = false

  @Option(
    help: ArgumentHelp(
      "Only open accounts without a row on the last days, up to today.", valueName: "days"))
  var dormant: Int?

  func validate() throws {
    if all, dormant != nil { throw ValidationError("Give either --all or --dormant.") }
    if let dormant, dormant < 1 { throw ValidationError("--dormant has to be 1 or more.") }
  }

  func execute() async throws {
    let today = today.day
    if let dormant { return try await listDormant(dormant, today: today) }
    let rows = try await ledger.read(past) { snapshot in
      try snapshot.balances(on: today, includingClosed: all, includingDeleted: all)
    }
    if ledger.json {
      return try Output.json(.object([("accounts", .array(rows.map(Self.json)))]))
    }
    var table = TextTable([
      .init("Account"), .init("Kind"), .init("Opening", .right), .init("Balance", .right),
      .init("", isFlexible: false), .init("Note"),
    ])
    for row in rows {
      let account = row.account
      let state = account.isDeleted ? ", deleted" : account.isClosed ? ", closed" : ""
      table.add([
        .init(account.name, state.isEmpty ? .plain : .dim), .init("\(account.kind)\(state)", .dim),
        .init(Figures.text(Total(account.opening)), .dim), Figures.cell(row.balance),
        .init(account.currency.code), .init(account.note),
      ])
    }
    try Output.table(table, ifEmpty: "No accounts yet: `daybook accounts create` makes one.")
  }

  private func listDormant(_ days: Int, today: Day) async throws {
    let rows = try await ledger.read(past) { try $0.dormantAccounts(days: days, today: today) }
    if ledger.json {
      let answers: [JSON] = rows.map { row in
        .object([
          ("id", .string("\(row.account.id)")), ("name", .string(row.account.name)),
          ("kind", .string("\(row.account.kind)")), ("balance", .string(row.balance.text)),
          ("currency", .string(row.account.currency.code)), ("lastDay", .day(row.lastDay)),
        ])
      }
      return try Output.json(.object([("accounts", .array(answers))]))
    }
    var table = TextTable([
      .init("Account"), .init("Kind"), .init("Last row", isFlexible: false),
      .init("Balance", .right), .init("", isFlexible: false),
    ])
    for row in rows {
      table.add([
        .init(row.account.name), .init("\(row.account.kind)", .dim),
        .init(row.lastDay.map { "\($0)" } ?? "never", .dim), Figures.cell(row.balance),
        .init(row.account.currency.code),
      ])
    }
    try Output.table(table, ifEmpty: "No account is dormant.")
  }

  /// An account with its balance.
  static func json(_ row: AccountBalance) -> JSON {
    let account = row.account
    return .object([
      ("id", .string("\(account.id)")), ("name", .string(account.name)),
      ("kind", .string("\(account.kind)")), ("currency", .string(account.currency.code)),
      ("balance", .string(row.balance.text)), ("opening", .string(account.opening.text)),
      ("openingDay", .day(account.openingDay)), ("closed", .bool(account.isClosed)),
      ("deleted", .bool(account.isDeleted)), ("note", .string(account.note)),
    ])
  }
}
