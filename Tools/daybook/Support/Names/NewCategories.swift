import Daybook

/// The missing categories in the paths of a command, which are created in the same commit.
///
/// Only paths create categories: a category given by a single name must exist. A path with a likely
/// typo, such as `Food:Groceris` next to `Food:Groceries`, must also exist.
final class NewCategories {
  private var paths: CategoryPaths?

  /// The commands that create the categories, parents first.
  var commands: [Command] { paths?.commands ?? [] }

  /// The remark about created categories, or `nil` if there are none.
  var remark: String? {
    guard let created = paths?.created, !created.isEmpty else { return nil }
    return "Created category \(created.map { "\($0.path)" }.joined(separator: " and "))."
  }

  /// Returns the category with a path, an id or a name, and creates it if the path is new; see
  /// `Lookup.category`.
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

  /// Returns whether a path matches no existing or deleted category, and contains no likely typo.
  private func isNew(
    _ path: CategoryPath, _ kind: CategoryKind?, _ snapshot: borrowing Snapshot
  ) throws -> Bool {
    guard path.names.count > 1 else { return false }
    guard try CategoryTree(snapshot, includingDeleted: true).matches(path).isEmpty else {
      return false
    }
    let names = try snapshot.categories().filter { kind == nil || $0.kind == kind }.map(\.name)
    let known = Set(names.map(Folding.key))
    // Earlier versions used a whole path as a category's name. If there is such a category, the
    // lookup suggests it, so that no second one is created.
    if known.contains(Folding.key(path.names.joined(separator: ":"))) { return false }
    return path.names.allSatisfy {
      known.contains(Folding.key($0)) || Suggestion.nearest(to: $0, among: names) == nil
    }
  }

  /// Returns the kind of the existing top-level category of a path; expense if there is none.
  ///
  /// - Throws: `CommandFailure` if there is one of each kind.
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
