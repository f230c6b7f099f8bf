import ArgumentParser
import Daybook
import DaybookTerminal

/// `daybook categories create`: creates a category.
struct CategoriesCreateCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "create", abstract: "Create a category and its missing parents.",
    discussion: """
        daybook categories create Food
        daybook categories create Food:Groceries
        daybook categories create Salary:Bonus --kind income

      A path starts at the top, with a : between names. Write a : inside a name as \\:, and quote \
      it for the shell: 'Hotel\\: breakfast'.
      """)

  @OptionGroup var ledger: LedgerOptions

  @Argument(help: "The category's name, or a path such as Food:Groceries.")
  var name: String

  @Option(
    help: "The parent category (a name or path).", completion: LedgerCompletion.categories)
  var parent: String?

  @Option(help: "income or expense (default: the parent's kind, or expense).")
  var kind: CategoryKindArgument?

  @Option(help: "A note.")
  var note: String = ""

  @OptionGroup var totals: NewTotalsOptions

  func execute() async throws {
    guard let given = CategoryPath(name) else { throw Lookup.noPath(name) }
    var path = given
    var created: [CategoryPath] = []
    var likeNamed: String?
    let recorded = try await ledger.record { snapshot in
      var kind = try kind?.kind ?? NewCategories.kind(above: given, in: snapshot)
      if let parent {
        let above = try Lookup.category(
          parent, kind: self.kind?.kind, tellingKindsApartBy: "--kind", in: snapshot)
        kind = above.kind
        path = try snapshot.path(of: above.id)?.appending(given) ?? given
      }
      var paths = try CategoryPaths(snapshot)
      if let old = paths.category(at: path, kind: kind) {
        path = try snapshot.path(of: old) ?? path
        throw CommandFailure(
          .refused, code: "refused",
          "Couldn't create \(path): \(kind == .income ? "an income" : "an expense") category of "
            + "this name already exists.",
          remedy: "Choose another name.")
      }
      let id = paths.made(path, kind: kind, note: note)
      created = paths.created.map(\.path)
      likeNamed = try Self.category(calledAll: path, kind, in: snapshot)
      guard totals.excludeFromTotals, let id else { return paths.commands }
      var change = CategoryChange()
      change.isExcludedFromTotals = true
      return paths.commands + [.amendCategory(id, change)]
    }
    let above = created.dropLast().map { "\($0)" }
    try ledger.answer(
      recorded,
      "Created category \(path)\(above.isEmpty ? "" : " and its missing parents: \(above.joined(separator: ", "))")."
    )
    if let likeNamed, !ledger.json {
      try Output.remark(
        "Note: “\(likeNamed)” is a different category, with “:” in its name. To move its "
          + "transactions to the new one: daybook categories delete \(likeNamed.asArgument) "
          + "--move-to "
          + "\("\(path)".asArgument)")
    }
  }

  /// Returns the path of an existing category whose name is the whole text of `path`.
  ///
  /// Earlier versions created categories with such names from a path.
  private static func category(
    calledAll path: CategoryPath, _ kind: CategoryKind, in snapshot: borrowing Snapshot
  ) throws -> String? {
    guard path.names.count > 1 else { return nil }
    let name = path.names.joined(separator: ":")
    let found = try snapshot.category(named: name, kind: kind, parent: nil)
    return try found.flatMap { try snapshot.path(of: $0.id).map { "\($0)" } }
  }
}
