import Daybook

extension Refusal {
  /// The remedy for the refusal on the command line, in addition to its message.
  var remedy: String? {
    switch code {
    case .noRate:
      "Add a rate with `daybook rate add`, or give the second amount with --account-amount, or "
        + "--to-amount for a transfer."
    case .closedPeriod:
      "To reopen days, run `daybook reopen`. To see which are closed, run `daybook info`."
    case .reconciled: "To unlock it, run `daybook reconcile --undo`."
    case .closed where message.contains("closed"):
      "To reopen an account, run `daybook accounts reopen`."
    case .currencyMismatch: "Write the currency code after the amount, such as \"12.50 USD\"."
    case .importedTotal:
      "Give all parts again, such as --part Food=12.50 --part Uncategorised=7.30. If the bank's "
        + "amount is wrong, add --change-total."
    default: nil
    }
  }
}
