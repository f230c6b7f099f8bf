import ArgumentParser
import Daybook
import Terminal

/// `daybook payees`: whom one pays, and what was recorded last.
struct PayeesCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "payees",
    abstract: "List payees, the most used first, each with what was recorded last.",
    discussion: "With a text: those that begin with it, whatever the case and accents.")

  @Argument(help: "What the payee begins with.")
  var prefix = ""

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var past: PastOptions
  @OptionGroup var today: TodayOptions

  @Option(help: "How many payees.")
  var limit = 50

  func validate() throws {
    guard (0...100_000).contains(limit) else {
      throw ValidationError("--limit has to be from 0 to 100000.")
    }
  }

  func execute() async throws {
    let today = today.day
    let (payees, names) = try await ledger.read(past) { snapshot in
      (
        try snapshot.payees(startingWith: prefix, limit: limit, today: today),
        try Names(snapshot)
      )
    }
    if ledger.json {
      let answers = payees.map { Self.json($0, names) }
      return try Output.json(.object([("payees", .array(answers))]))
    }
    var table = TextTable([
      .init("Payee"), .init("Rows", .right), .init("Last", isFlexible: false), .init("Account"),
      .init("Category"), .init("Amount", .right), .init("", isFlexible: false),
    ])
    for payee in payees {
      let amount = payee.lastAmount
      table.add([
        .init(payee.payee), .init(Figures.count(payee.count)), .init("\(payee.lastDay)", .dim),
        .init(payee.lastAccount.map { names.name(of: $0) } ?? ""),
        .init(payee.lastCategory.map { names.path(of: $0) } ?? ""),
        .init(amount.map { Figures.text(Total($0)) } ?? ""), .init(amount?.currency.code ?? ""),
      ])
    }
    try Output.table(table, ifEmpty: "No payees.")
  }

  private static func json(_ payee: PayeeUse, _ names: Names) -> JSON {
    .object([
      ("payee", .string(payee.payee)), ("count", .count(payee.count)),
      ("lastDay", .day(payee.lastDay)),
      ("account", .optional(payee.lastAccount.map { names.name(of: $0) })),
      ("category", .optional(payee.lastCategory.map { names.path(of: $0) })),
      ("amount", .optional(payee.lastAmount?.text)),
      ("currency", .optional(payee.lastAmount?.currency.code)),
    ])
  }
}
