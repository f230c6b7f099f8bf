import ArgumentParser
import Daybook

/// `daybook categories merge`: merges one category into another.
struct CategoriesMergeCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge", abstract: "Make one category of two.",
    discussion: """
      Rows, budgets, series and rules of the first one become the second one's, what is below it goes \
      below the second one, and the first one is deleted. Where both have one name, say which by their \
      ids.
      """)

  @OptionGroup var ledger: LedgerOptions

  @Argument(
    help: "The category that goes (a name, or a path such as Food:Groceries).",
    completion: LedgerCompletion.categories)
  var category: String

  @Argument(
    help: "The category that takes everything.", completion: LedgerCompletion.categories)
  var into: String

  @Option(help: "income or expense, where both have a category of that name.")
  var kind: CategoryKindArgument?

  @OptionGroup var merge: MergeOptions

  func execute() async throws {
    try await ledger.merge(merge) { snapshot in
      let found = try Lookup.category(
        category, kind: kind?.kind, tellingKindsApartBy: "--kind", in: snapshot)
      let heir = try Lookup.category(into, kind: found.kind, in: snapshot)
      let tree = try CategoryTree(snapshot)
      return (
        .mergeCategories(found.id, into: heir.id), tree.path(of: found), tree.path(of: heir)
      )
    }
  }
}
