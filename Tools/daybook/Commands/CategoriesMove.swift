import ArgumentParser
import Daybook

/// `daybook categories move`: another place in the tree.
struct CategoriesMoveCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "move", abstract: "Put a category below another, or at the top.")

  @OptionGroup var ledger: LedgerOptions

  @Argument(
    help: "The category (a name, or a path such as Food:Groceries).",
    completion: LedgerCompletion.categories)
  var category: String

  @Option(help: "The category it goes below.")
  var below: String?

  @Flag(help: "Make it one of the highest.")
  var top = false

  @Option(help: "income or expense, where both have a category of that name.")
  var kind: CategoryKindArgument?

  func validate() throws {
    guard (below != nil) != top else { throw ValidationError("Give either --below or --top.") }
  }

  func execute() async throws {
    var name = category
    var path = ""
    try await ledger.record { snapshot in
      let found = try Lookup.category(category, kind: kind?.kind, in: snapshot)
      name = found.name
      let above = try below.map { try Lookup.category($0, kind: found.kind, in: snapshot) }
      path = try above.map { try CategoryTree(snapshot).path(of: $0) + ":" + name } ?? name
      return [.amendCategory(found.id, CategoryChange(parent: .some(above?.id)))]
    }
    try ledger.answer([("path", .string(path))], "\(name) is now \(path).")
  }
}
