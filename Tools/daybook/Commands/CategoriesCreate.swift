import ArgumentParser
import Daybook

/// `daybook categories create`: a new category.
struct CategoriesCreateCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "create", abstract: "Create a category.")

  @OptionGroup var ledger: LedgerOptions

  @Argument(help: "Its name.")
  var name: String

  @Option(help: "The category above it.", completion: LedgerCompletion.categories)
  var parent: String?

  @Option(help: "income or expense; that of the parent if not given, else expense.")
  var kind: CategoryKindArgument?

  @Option(help: "A note.")
  var note: String = ""

  func execute() async throws {
    var path = name
    let receipt = try await ledger.record { snapshot in
      let above = try parent.map { try Lookup.category($0, kind: kind?.kind, in: snapshot) }
      if let above { path = try CategoryTree(snapshot).path(of: above) + ":" + name }
      return [
        .createCategory(
          NewCategory(
            name: name, kind: kind?.kind ?? above?.kind ?? .expense, parent: above?.id,
            note: note))
      ]
    }
    let id = receipt.outcomes.first?.category.map { "\($0)" }
    try ledger.answer([("id", .optional(id)), ("path", .string(path))], "Created \(path).")
  }
}
