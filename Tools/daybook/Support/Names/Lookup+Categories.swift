import Daybook
import DaybookTerminal

extension Lookup {
  /// Finds a category by a path such as `Food:Groceries`, by an unambiguous name, or by an id.
  ///
  /// - Parameters:
  ///   - kind: The required kind, or `nil` for both.
  ///   - flag: The flag that distinguishes income and expense categories with the same path, for
  ///     the error's remedy.
  /// - Throws: `CommandFailure` if no category or several categories match.
  static func category(
    _ text: String, kind: CategoryKind? = nil, tellingKindsApartBy flag: String? = nil,
    in snapshot: borrowing Snapshot
  ) throws -> Category {
    guard let path = CategoryPath(text) else { throw noPath(text) }
    let tree = try CategoryTree(snapshot, kind: kind)
    let found = tree.matches(path)
    if found.count == 1 { return found[0] }
    if found.isEmpty {
      if let id = EntityID(text), let category = try snapshot.category(CategoryID(rawValue: id)) {
        return category
      }
      throw try missing(text, path, kind, tree, in: snapshot)
    }
    let paths = Set(found.map { tree.path(of: $0) })
    let list = found.map { "\(tree.path(of: $0)) (\($0.kind))" }.joined(separator: ", ")
    let remedy =
      paths.count > 1
      ? "Give the path from the top, such as \(tree.path(of: found[0]))."
      : (flag.map { "Choose one with \($0), or give" } ?? "Give")
        + " its id, shown by `daybook categories list --json`."
    throw CommandFailure.notFound("“\(text)” is ambiguous: it could be \(list).", remedy: remedy)
  }

  /// Returns the failure for a text that isn't a category path.
  static func noPath(_ text: String) -> CommandFailure {
    CommandFailure.usage(
      "“\(text)” isn't a category path: a name is missing \(placeOfBlank(in: text)).",
      remedy: "Write it from the top with one “:” between names, such as Food:Groceries. Write a "
        + "“:” inside a name as \\:.")
  }

  private static func placeOfBlank(in text: String) -> String {
    if text.allSatisfy(\.isWhitespace) { return "in it" }
    let names = CategoryPath(leavingOutBlanksOf: text).names
    if names.isEmpty { return "in it" }
    if text.first(where: { !$0.isWhitespace }) == ":" { return "before the first “:”" }
    return text.last(where: { !$0.isWhitespace }) == ":" ? "after the last “:”" : "between two “:”"
  }

  private static func missing(
    _ text: String, _ path: CategoryPath, _ kind: CategoryKind?, _ tree: CategoryTree,
    in snapshot: borrowing Snapshot
  ) throws -> CommandFailure {
    let gone = try CategoryTree(snapshot, kind: kind, includingDeleted: true).matches(path)
    let creation =
      "daybook categories create \(text.asArgument)\(kind == .income ? " --kind income" : "")"
    if let gone = gone.last {
      return CommandFailure.notFound(
        "The category “\(tree.path(of: gone))” was deleted and keeps only its transactions.",
        remedy:
          "Name another category. To restore it, run `daybook undelete \(gone.id)`; to create a "
          + "new one of this name, run `\(creation)`.")
    }
    let sort = kind.map { "\($0) " } ?? ""
    if let kind, let other = try CategoryTree(snapshot).matches(path).first {
      return CommandFailure.notFound(
        "“\(tree.path(of: other))” is \(other.kind == .income ? "an income" : "an expense") "
          + "category, "
          + "and \(kind == .income ? "an income" : "an expense") category is needed here.",
        remedy: "Name another category, or create one with `\(creation)`.")
    }
    let paths = tree.paths
    let near = Suggestion.nearest(to: text, among: paths) ?? tree.nearest(to: path)
    let advice =
      if let near {
        "Did you mean “\(near)”? If not, "
      } else if paths.isEmpty {
        "There are none yet; "
      } else if paths.count <= 8 {
        "The categories are \(paths.joined(separator: ", ")); "
      } else {
        "`daybook categories list` lists all \(paths.count); "
      }
    return CommandFailure.notFound(
      "Couldn't find the \(sort)category “\(text)”.", remedy: advice + "`\(creation)` creates it.")
  }
}

/// The categories of a ledger with their full paths.
struct CategoryTree {
  private let categories: [Category]
  /// The built-in categories, which can be named but aren't listed.
  private let builtins: [Category]
  private let pathsByID: [CategoryID: CategoryPath]

  /// Reads the categories of one kind, or of both.
  ///
  /// - Parameter includingDeleted: Whether to include deleted categories whose transactions were
  ///   kept.
  init(
    _ snapshot: borrowing Snapshot, kind: CategoryKind? = nil, includingDeleted: Bool = false
  ) throws {
    let all = try snapshot.categories(includingDeleted: true)
    builtins = Category.builtins.filter { kind == nil || $0.kind == kind }
    var paths: [CategoryID: CategoryPath] = [:]
    for category in all + Category.builtins {
      paths[category.id] = try snapshot.path(of: category.id)
    }
    pathsByID = paths
    categories = try all.filter {
      try (kind == nil || $0.kind == kind)
        && (includingDeleted ? snapshot.isKept($0) : !$0.isDeleted)
    }
  }

  /// All paths in their text form, for suggestions.
  var paths: [String] { categories.map { path(of: $0) } }

  /// The categories in tree order, each with its depth.
  func ordered(kind: CategoryKind) -> [(category: Category, depth: Int)] {
    var children: [CategoryID?: [Category]] = [:]
    let ids = Set(categories.map(\.id))
    for category in categories where category.kind == kind {
      let parent = category.parent.flatMap { ids.contains($0) ? $0 : nil }
      children[parent, default: []].append(category)
    }
    var result: [(Category, Int)] = []
    var pending = (children[nil] ?? []).reversed().map { ($0, 0) }
    while let (category, depth) = pending.popLast() {
      result.append((category, depth))
      for child in (children[category.id] ?? []).reversed() { pending.append((child, depth + 1)) }
    }
    return result
  }

  /// The full path of a category, such as `Food:Groceries`.
  func path(of category: Category) -> String { path(of: category.id) }

  /// The full path of a category by its id, or the id if it is unknown.
  func path(of id: CategoryID) -> String { knownPath(of: id) ?? "\(id)" }

  /// The full path of a category by its id, or `nil` if it is unknown.
  func knownPath(of id: CategoryID) -> String? { pathsByID[id].map { "\($0)" } }

  /// Returns the categories with a path.
  ///
  /// If no category has the path, a single name also matches nested categories.
  func matches(_ path: CategoryPath) -> [Category] {
    let wanted = path.names.map(Folding.key)
    let byPath = (categories + builtins).filter {
      pathsByID[$0.id]?.names.map(Folding.key) == wanted
    }
    guard byPath.isEmpty, wanted.count == 1 else { return byPath }
    return categories.filter { Folding.key($0.name) == wanted[0] }
  }

  /// Returns the path of the category whose name is most similar to the last name of `path`.
  func nearest(to path: CategoryPath) -> String? {
    let names = categories.map(\.name)
    guard let wanted = path.names.last, let name = Suggestion.nearest(to: wanted, among: names)
    else { return nil }
    return categories.first { $0.name == name }.map { self.path(of: $0) }
  }
}
