import ArgumentParser

/// The options for a transaction's accounts and category.
struct TargetOptions: ParsableArguments {
  @Option(
    help: "The account; for a transfer, the sending account.", completion: LedgerCompletion.accounts
  )
  var account: String?

  @Option(
    help: "The category (a name, or a path such as Food:Groceries).",
    completion: LedgerCompletion.categories)
  var category: String?

  @Option(help: "For a transfer, the receiving account.", completion: LedgerCompletion.accounts)
  var to: String?
}

/// The options for the parts of a split.
struct PartOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A part of a split; repeatable. A negative amount is a part in the other direction, such as "
        + "a returned item. Uncategorised=7.30 is a part without a category.",
      valueName: "category=amount"))
  var part: [String] = []

  @Option(
    help: ArgumentHelp(
      "A part of a split that goes to another account; repeatable. A negative amount comes from "
        + "it.",
      valueName: "account=amount"))
  var partTo: [String] = []

  /// Whether there is a part.
  var isUsed: Bool { !part.isEmpty || !partTo.isEmpty }
}

/// The options for the fee of a transfer.
struct FeeOptions: ParsableArguments {
  @Option(help: "For a transfer, the fee, which the sending account pays on top of the amount.")
  var fee: String?

  @Option(
    help: "The category of the fee (default: Uncategorised).",
    completion: LedgerCompletion.categories)
  var feeCategory: String?

  /// Whether there is a fee.
  var isUsed: Bool { fee != nil || feeCategory != nil }
}
