import ArgumentParser
import Daybook

/// `daybook categories rename`: another name for a category.
struct CategoriesRenameCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename", abstract: "Give a category another name; every row shows it.")

  @OptionGroup var ledger: LedgerOptions

  @Argument(
    help: "The category (a name, or a path such as Food:Groceries).",
    completion: LedgerCompletion.categories)
  var category: String

  @Argument(help: "Its new name, without those above it.")
  var name: String

  @Option(help: "income or expense, where both have a category of that name.")
  var kind: CategoryKindArgument?

  func execute() async throws {
    var old = category
    try await ledger.record { snapshot in
      let found = try Lookup.category(category, kind: kind?.kind, in: snapshot)
      old = found.name
      return [.amendCategory(found.id, CategoryChange(name: name))]
    }
    try ledger.answer(
      [("was", .string(old)), ("name", .string(name))], "\(old) is now \(name).")
  }
}
