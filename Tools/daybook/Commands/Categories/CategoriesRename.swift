import ArgumentParser
import Daybook

/// `daybook categories rename`: renames a category.
struct CategoriesRenameCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename", abstract: "Rename a category.")

  @OptionGroup var ledger: LedgerOptions

  @Argument(
    help: "The category (a name, or a path such as Food:Groceries).",
    completion: LedgerCompletion.categories)
  var category: String

  @Argument(help: "The new name, without its parents; write a : in it as \\:.")
  var name: String

  @Option(help: "income or expense, if both have a category of this name.")
  var kind: CategoryKindArgument?

  func execute() async throws {
    let new = try newName()
    var old = category
    var path = ""
    let recorded = try await ledger.record { snapshot in
      let found = try Lookup.category(
        category, kind: kind?.kind, tellingKindsApartBy: "--kind", in: snapshot)
      old = try CategoryTree(snapshot).path(of: found)
      var renamed = try snapshot.path(of: found.id)?.names.dropLast().map(\.self) ?? []
      renamed.append(new)
      path = "\(CategoryPath(renamed))"
      return [.amendCategory(found.id, CategoryChange(name: new))]
    }
    try ledger.answer(recorded, "Renamed \(old) to \(path).")
  }

  /// The new name with its escaped colons unescaped.
  ///
  /// - Throws: `CommandFailure` if the name is a path.
  private func newName() throws -> String {
    let path = CategoryPath(leavingOutBlanksOf: name)
    guard path.names.count > 1 else { return path.names.first ?? name }
    let escaped = CategoryPath([name])
    throw CommandFailure.usage(
      "Couldn't rename the category: “\(name)” is a path. Give only the category's own name.",
      remedy:
        "To move it below another category, run `daybook categories move`. To use a “:” in the "
        + "name, write '\(escaped)'.")
  }
}
