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
