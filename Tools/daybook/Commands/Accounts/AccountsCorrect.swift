import ArgumentParser
import Daybook

/// `daybook accounts correct`: records the difference between an account's balance and what it
/// really holds.
struct AccountsCorrectCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "correct",
    abstract: "Say what an account really holds; the difference is recorded.",
    discussion: """
      The difference becomes a row of that day, or with --opening a part of the opening:
        daybook accounts correct Checking 1234.56
        daybook accounts correct Cash 80 --category Groceries --description "not written down"
        daybook accounts correct "Credit card" --owed 384.20 --on 2026-01-31 --opening
      Where there is no difference, nothing is recorded.
      """)

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var today: TodayOptions

  @Argument(help: "The account.", completion: LedgerCompletion.accounts)
  var account: String

  @Argument(help: "What it holds, such as 1200.50; negative for a debt.")
  var amount: String?

  @Option(help: "What is owed, instead of an amount.")
  var owed: String?

  @Option(
    help: ArgumentHelp("At the end of this day; today if not given.", valueName: "yyyy-mm-dd"))
  var on: DayArgument?

  @Flag(help: "Change the opening, and with it the balance of every day.")
  var opening = false

  @Option(
    help: "The category of the row; uncategorised if not given.",
    completion: LedgerCompletion.categories)
  var category: String?

  @Option(help: "What the row says; “Balance corrected” if not given.")
  var description: String?

  func validate() throws {
    guard (amount != nil) != (owed != nil) else {
      throw ValidationError("Give either an amount or --owed.")
    }
    guard !opening || category == nil && description == nil else {
      throw ValidationError(
        "--category and --description are for a row; with --opening there is none.")
    }
  }

  func execute() async throws {
    let day = on?.day(today: today.day) ?? today.day
    let (name, before, after, recorded) = try await ledger.withLedger { opened in
      let (found, money, before, correction) = try opened.read { snapshot in
        let found = try Lookup.account(account, in: snapshot)
        let category = try category.map { try Lookup.category($0, in: snapshot).id }
        return (
          found, try Amounts.held(amount, owed: owed, by: found, snapshot),
          try snapshot.balance(of: found.id, on: day),
          opening
            ? BalanceCorrection.opening
            : .transaction(category: category, description: description ?? "Balance corrected")
        )
      }
      let receipt = try await opened.append(
        .correctBalance(found.id, money, on: day, by: correction))
      let recorded = Recorded(receipt: receipt, names: try ledger.names(in: opened))
      return (found.name, before, Total(money), recorded)
    }
    let difference = Total(units: after.units - before.units, currency: after.currency)
    let said = Figures.withCode(after)
    try ledger.answer(
      recorded,
      with: SortedMembers(["before": before, "balance": after, "difference": difference]),
      difference.units == 0
        ? "\(name) holds \(said) at the end of \(day) already; nothing was recorded."
        : "\(name) holds \(said) at the end of \(day), and not \(Figures.withCode(before)): "
          + "\(Figures.withCode(difference)) \(opening ? "went into its opening" : "was recorded")."
    )
  }
}
