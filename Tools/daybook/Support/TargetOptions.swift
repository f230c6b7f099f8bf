import ArgumentParser

/// Where the money of a row comes from and goes, on the command line.
struct TargetOptions: ParsableArguments {
  @Option(help: "The account it leaves or arrives in.")
  var account: String?

  @Option(help: "The category (a name, or a path such as Food:Groceries).")
  var category: String?

  @Option(help: "The account a transfer goes to.")
  var to: String?
}
