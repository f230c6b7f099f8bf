import ArgumentParser
import Daybook

/// `daybook categories merge`: merges one category into another.
struct CategoriesMergeCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge", abstract: "Merge one category into another.",
    discussion: """
      Moves the first category's transactions, budgets, recurring transactions, rules and \
      subcategories to the second category, and deletes the first. If both have the same name, \
      give their ids.
      """)

  @OptionGroup var ledger: LedgerOptions

  @Argument(
    help: "The category to merge, which is deleted (a name, or a path such as Food:Groceries).",
    completion: LedgerCompletion.categories)
  var category: String

  @Argument(
    help: "The category to merge into.", completion: LedgerCompletion.categories)
  var into: String

  @Option(help: "income or expense, if both have a category of this name.")
  var kind: CategoryKindArgument?

  @OptionGroup var merge: MergeOptions

  func execute() async throws {
    try await ledger.merge(merge) { snapshot in
      let found = try Lookup.category(
        category, kind: kind?.kind, tellingKindsApartBy: "--kind", in: snapshot)
      let heir = try Lookup.category(into, kind: found.kind, in: snapshot)
      let tree = try CategoryTree(snapshot)
      return (
        [.mergeCategories(found.id, into: heir.id)], tree.path(of: found), tree.path(of: heir),
        try snapshot.plans(using: found.id)
      )
    }
  }
}
