import ArgumentParser
import Daybook

/// Whether totals leave something out.
struct TotalsOptions: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "Leave it out of income, spending and budgets.",
      discussion: "It still changes the balances of accounts."))
  var excludeFromTotals = false

  @Flag(help: "Count it in totals again.")
  var includeInTotals = false

  func validate() throws {
    if excludeFromTotals, includeInTotals {
      throw ValidationError(
        "Use either --exclude-from-totals or --include-in-totals, not both.")
    }
  }

  /// The new value, or `nil` to leave it unchanged.
  var isExcluded: Bool? { excludeFromTotals ? true : includeInTotals ? false : nil }
}

/// The option to leave something new out of totals.
struct NewTotalsOptions: ParsableArguments {
  @Flag(help: "Leave it out of income, spending, budgets and, for an account, net worth.")
  var excludeFromTotals = false
}
