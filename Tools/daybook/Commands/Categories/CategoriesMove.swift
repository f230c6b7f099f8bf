import ArgumentParser
import Daybook

/// `daybook categories move`: moves a category to another place in the tree.
struct CategoriesMoveCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "move", abstract: "Move a category below another, or to the top level.")

  @OptionGroup var ledger: LedgerOptions

  @Argument(
    help: "The category (a name, or a path such as Food:Groceries).",
    completion: LedgerCompletion.categories)
  var category: String

  @Option(help: "The new parent category.")
  var below: String?

  @Flag(help: "Move it to the top level.")
  var top = false

  @Option(help: "income or expense, if both have a category of this name.")
  var kind: CategoryKindArgument?

  func validate() throws {
    guard (below != nil) != top else { throw ValidationError("Use either --below or --top.") }
  }

  func execute() async throws {
    var old = category
    var path = ""
    let recorded = try await ledger.record { snapshot in
      let found = try Lookup.category(
        category, kind: kind?.kind, tellingKindsApartBy: "--kind", in: snapshot)
      old = try CategoryTree(snapshot).path(of: found)
      let above = try below.map { try Lookup.category($0, kind: found.kind, in: snapshot) }
      let name = CategoryPath([found.name])
      path = "\(try above.flatMap { try snapshot.path(of: $0.id)?.appending(name) } ?? name)"
      return [.amendCategory(found.id, CategoryChange(parent: .some(above?.id)))]
    }
    try ledger.answer(recorded, "Moved \(old) to \(path).")
  }
}
