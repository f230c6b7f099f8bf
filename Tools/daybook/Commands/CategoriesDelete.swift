import ArgumentParser
import Daybook

/// `daybook categories delete`: a category goes.
struct CategoriesDeleteCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete a category; say what becomes of its rows.",
    discussion: "The rows of a subcategory move to the one above it where nothing is said.")

  @OptionGroup var ledger: LedgerOptions

  @Argument(
    help: "The category (a name, or a path such as Food:Groceries).",
    completion: LedgerCompletion.categories)
  var category: String

  @Option(help: "income or expense, where both have a category of that name.")
  var kind: CategoryKindArgument?

  @OptionGroup var deletion: DeletionOptions

  func execute() async throws {
    var path = category
    let receipt = try await ledger.record { snapshot in
      let found = try Lookup.category(category, kind: kind?.kind, in: snapshot)
      path = try CategoryTree(snapshot).path(of: found)
      let policy = try deletion.policy {
        try Lookup.category($0, kind: found.kind, in: snapshot).id
      }
      return [.deleteCategory(found.id, policy)]
    }
    let count = receipt.changedRowCount
    try ledger.answer(
      [("path", .string(path)), ("rows", .count(count))],
      "Deleted \(path)\(deletion.sentence(rows: count)).")
  }
}
