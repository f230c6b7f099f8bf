import ArgumentParser
import Daybook

/// `daybook opening`: sets the opening balance of an account.
struct OpeningCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "opening", abstract: "Set an account's opening balance.",
    discussion: """
      The opening balance isn't listed as a transaction. With --on, it is included from that day; \
      otherwise, on every day. For a debt, pass --owed, or a negative amount without it:
        daybook opening "Credit card" --owed 384.20
      """)

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var today: TodayOptions

  @Argument(help: "The account.", completion: LedgerCompletion.accounts)
  var account: String

  @Argument(help: "The opening balance, such as 1200.50; negative for a debt.")
  var amount: String?

  @Option(help: "The amount owed, instead of a negative balance.")
  var owed: String?

  @Option(help: ArgumentHelp("The first day that includes it.", valueName: "yyyy-mm-dd"))
  var on: DayArgument?

  func validate() throws {
    guard (amount != nil) != (owed != nil) else {
      throw ValidationError("Use either an amount or --owed.")
    }
  }

  func execute() async throws {
    var name = account
    var set: Money?
    let day = on?.day(today: today.day)
    let recorded = try await ledger.record { snapshot in
      let found = try Lookup.account(account, in: snapshot)
      name = found.name
      let money = try Amounts.held(amount, owed: owed, by: found, snapshot)
      set = money
      return [.setOpening(found.id, money, day)]
    }
    let from = day.map { " from \($0) on" } ?? ""
    try ledger.answer(
      recorded,
      "Set the opening balance of \(name) to "
        + "\(set.map { Figures.withCode(Total($0)) } ?? "")\(from)."
    )
  }
}
