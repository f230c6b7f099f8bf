import ArgumentParser

/// The options for a transaction's accounts and category.
struct TargetOptions: ParsableArguments {
  @Option(
    help: "The account it leaves or arrives in.", completion: LedgerCompletion.accounts)
  var account: String?

  @Option(
    help: "The category (a name, or a path such as Food:Groceries).",
    completion: LedgerCompletion.categories)
  var category: String?

  @Option(help: "The account a transfer goes to.", completion: LedgerCompletion.accounts)
  var to: String?
}
