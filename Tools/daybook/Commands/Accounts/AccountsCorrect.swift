import ArgumentParser
import Daybook

/// `daybook accounts correct`: records the difference between an account's balance and its actual
/// balance.
struct AccountsCorrectCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "correct",
    abstract: "Correct an account's balance by recording the difference.",
    discussion: """
      The difference is recorded as a transaction on that day. With --opening, it changes the \
      opening balance instead:
        daybook accounts correct Checking 1234.56
        daybook accounts correct Cash 80 --category Groceries --description "not written down"
        daybook accounts correct "Credit card" --owed 384.20 --on 2026-01-31 --opening
      If the balance is already correct, nothing is recorded.
      """)

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var today: TodayOptions

  @Argument(help: "The account.", completion: LedgerCompletion.accounts)
  var account: String

  @Argument(help: "The actual balance, such as 1200.50; negative for a debt.")
  var amount: String?

  @Option(help: "The amount owed, instead of a negative balance.")
  var owed: String?

  @Option(
    help: ArgumentHelp(
      "The balance is correct at the end of this day (default: today).", valueName: "yyyy-mm-dd"))
  var on: DayArgument?

  @Flag(help: "Change the opening balance, and with it the balance on every day.")
  var opening = false

  @Option(
    help: "The transaction's category (default: uncategorised).",
    completion: LedgerCompletion.categories)
  var category: String?

  @Option(help: "The transaction's description (default: “Balance corrected”).")
  var description: String?

  func validate() throws {
    guard (amount != nil) != (owed != nil) else {
      throw ValidationError("Use either an amount or --owed.")
    }
    guard !opening || category == nil && description == nil else {
      throw ValidationError(
        "--category and --description can't be used with --opening, which records no transaction.")
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
        ? "\(name) already has a balance of \(said) on \(day). Nothing was recorded."
        : "Corrected the balance of \(name) on \(day) from \(Figures.withCode(before)) to \(said): "
          + (opening
            ? "changed the opening balance by \(Figures.withCode(difference))."
            : "recorded a transaction of \(Figures.withCode(difference)).")
    )
  }
}
