import Daybook

extension Refusal {
  /// What to do about the refusal on the command line, beyond its message.
  var remedy: String? {
    switch code {
    case .noRate:
      "Add a rate with `daybook rate add`; or say the second amount yourself: --account-amount, of a "
        + "transfer --to-amount."
    case .closedPeriod:
      "`daybook reopen` opens days again, and `daybook info` says which are closed."
    case .reconciled: "`daybook reconcile --undo` unlocks it."
    case .closed where message.contains("closed"):
      "`daybook accounts reopen` opens an account again."
    case .currencyMismatch: "A code after the figures, such as \"12.50 USD\", says their currency."
    case .importedTotal:
      "Give all parts again, such as --part Food=12.50 --part Uncategorised=7.30. If the bank's amount is "
        + "wrong, add --change-total."
    default: nil
    }
  }
}
