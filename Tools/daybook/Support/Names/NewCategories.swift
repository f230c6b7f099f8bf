import Daybook

/// The categories that the paths of one command name and that are not there yet: they are created in
/// the commit of the command itself.
///
/// A path says where a category belongs, so what is missing of it can be made. A name alone has to be
/// there, and so has what looks like a slip: `Food:Groceris` beside Food:Groceries is asked about.
final class NewCategories {
  private var paths: CategoryPaths?

  /// The commands that create them, those above first.
  var commands: [Command] { paths?.commands ?? [] }

  /// What a person is told; `nil` where nothing was created.
  var remark: String? {
    guard let created = paths?.created, !created.isEmpty else { return nil }
    return "Created category \(created.map { "\($0.path)" }.joined(separator: " and "))."
  }

  /// The category of a path, an id or a name; see `Lookup.category`.
  func id(
    of text: String, kind: CategoryKind?, tellingKindsApartBy flag: String? = nil,
    in snapshot: borrowing Snapshot
  ) throws -> CategoryID {
    if let path = CategoryPath(text), try isNew(path, kind, snapshot) {
      var paths = try paths ?? CategoryPaths(snapshot)
      let made = paths.made(path, kind: try kind ?? Self.kind(above: path, in: snapshot))
      self.paths = paths
      if let made { return made }
    }
    return try Lookup.category(text, kind: kind, tellingKindsApartBy: flag, in: snapshot).id
  }

  /// Whether a path leads to nothing, and to nothing that was deleted, and none of its names is a slip.
  private func isNew(
    _ path: CategoryPath, _ kind: CategoryKind?, _ snapshot: borrowing Snapshot
  ) throws -> Bool {
    guard path.names.count > 1 else { return false }
    guard try CategoryTree(snapshot, includingDeleted: true).matches(path).isEmpty else {
      return false
    }
    let names = try snapshot.categories().filter { kind == nil || $0.kind == kind }.map(\.name)
    let known = Set(names.map(Folding.key))
    // Earlier versions made one category of a path: it is asked about, not hidden behind a second one.
    if known.contains(Folding.key(path.names.joined(separator: ":"))) { return false }
    return path.names.allSatisfy {
      known.contains(Folding.key($0)) || Suggestion.nearest(to: $0, among: names) == nil
    }
  }

  /// The kind of what is there of a path; expense where nothing is.
  static func kind(
    above path: CategoryPath, in snapshot: borrowing Snapshot
  ) throws -> CategoryKind {
    let paths = try CategoryPaths(snapshot)
    guard let top = path.names.first, path.names.count > 1 else { return .expense }
    let isExpense = paths.category(at: [top], kind: .expense) != nil
    guard paths.category(at: [top], kind: .income) != nil else { return .expense }
    guard isExpense else { return .income }
    throw CommandFailure.usage(
      "“\(top)” is ambiguous: it is both an income and an expense category.",
      remedy: "Choose the parent with --kind income or --kind expense.")
  }
}
