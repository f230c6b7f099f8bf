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

  func execute() async throws {
    let today = today.day
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
