import Daybook

/// Finds the ledger's categories for the categories of another program's books.
///
/// A category is found by its identity, which it keeps among its origins: in programs with ids, the
/// id and the path at the last import, such as `actual:6f2c…:Food:Bread`; in journals, a hash of the
/// path. The path only matters the first time.
struct BookCategoryMatcher {
  private struct Place: Hashable {
    var kind: CategoryKind
    var names: [String]

    init(_ path: CategoryPath, _ kind: CategoryKind) {
      self.kind = kind
      names = path.names.map(Folding.key)
    }
  }

  private struct Moved {
    var category: Category
    var given: BookCategory
    var old: CategoryPath
  }

  private let program: String
  private var known: [String: Category] = [:]
  private var existing: [CategoryID: Category] = [:]
  private var given: [Place: BookCategory] = [:]
  private var matched: [Place: CategoryID] = [:]
  private(set) var notices: [FileNotice] = []

  init(_ books: Books, in snapshot: borrowing Snapshot) throws {
    program = books.program
    for category in books.categories {
      let place = Place(category.path, category.kind)
      if given[place] == nil { given[place] = category }
    }
    guard !program.isEmpty else { return }
    for category in try snapshot.categories() {
      existing[category.id] = category
      for origin in category.origins where origin.hasPrefix(program + ":") {
        known[Self.key(origin)] = category
      }
    }
  }

  /// The part of an origin that identifies a category: the program and the id.
  private static func key(_ origin: String) -> String {
    origin.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).prefix(2)
      .joined(separator: ":")
  }

  /// The origin of a category of the books; `nil` if it has no identity.
  private func origin(of path: CategoryPath, _ kind: CategoryKind) -> String? {
    if program == "journal" {
      return "journal:" + ContentHash(["\(kind)"] + path.names.map(Folding.key)).text
    }
    let id = given[Place(path, kind)]?.identity ?? ""
    guard !program.isEmpty, !id.isEmpty else { return nil }
    let isShort = id.utf8.count <= 40 && !id.contains(":")
    let key = "\(program):" + (isShort ? id : ContentHash([id]).text)
    return NoteLines.prefix(
      of: "\(key):\(path)", byteCount: Limits.identifierByteCountMax)
  }

  /// Returns the category for a path in the books, which is created if it is missing; `nil` for an
  /// empty path.
  mutating func category(
    _ path: CategoryPath, kind: CategoryKind, note: String = "", _ paths: inout CategoryPaths
  ) -> CategoryID? {
    guard let name = path.names.last else { return nil }
    let place = Place(path, kind)
    if let id = matched[place] { return id }
    let origin = origin(of: path, kind)
    let id: CategoryID
    if let origin, let found = known[Self.key(origin)], found.kind == kind {
      id = found.id
    } else {
      let parent = category(CategoryPath(Array(path.names.dropLast())), kind: kind, &paths)
      if let found = paths.category(named: name, below: parent, kind: kind) {
        if let origin { remember(origin, of: found, &paths) }
        id = found
      } else {
        id = paths.create(
          name, below: parent, at: path, kind: kind, note: note,
          origins: origin.map { [$0] } ?? [])
      }
    }
    matched[place] = id
    return id
  }

  /// Adds an origin to a category, or replaces the one with the same id.
  private mutating func remember(
    _ origin: String, of id: CategoryID, _ paths: inout CategoryPaths
  ) {
    guard let changed = origins(of: id, with: origin) else { return }
    var change = CategoryChange()
    change.origins = changed
    paths.change(id, change)
  }

  /// Returns the changed origins of an existing category; `nil` if they don't change.
  private mutating func origins(of id: CategoryID, with origin: String) -> [String]? {
    guard var origins = existing[id]?.origins, !origins.contains(origin) else { return nil }
    if let index = origins.firstIndex(where: { Self.key($0) == Self.key(origin) }) {
      origins[index] = origin
    } else if origins.count < Limits.identifierCountMax {
      origins.append(origin)
    } else {
      return nil
    }
    existing[id]?.origins = origins
    return origins
  }

  // MARK: Names

  /// Renames and moves the categories that were renamed or moved in the program, unless they were
  /// renamed or moved in the ledger, too.
  mutating func rename(_ paths: inout CategoryPaths) {
    guard program != "journal" else { return }
    let order = given.values.sorted {
      ($0.path.names.count, $0.line, "\($0.path)") < ($1.path.names.count, $1.line, "\($1.path)")
    }
    var wanted: Set<Place> = []
    var moved: [Moved] = []
    for category in order {
      wanted.insert(Place(category.path, category.kind))
      guard let origin = origin(of: category.path, category.kind),
        let found = known[Self.key(origin)], found.kind == category.kind,
        let old = found.origins.first(where: { Self.key($0) == Self.key(origin) }), old != origin
      else { continue }
      let path = self.path(of: found)
      let key = Self.key(origin)
      if NoteLines.prefix(of: "\(key):\(path)", byteCount: Limits.identifierByteCountMax) == old {
        moved.append(Moved(category: found, given: category, old: path))
        continue
      }
      remember(origin, of: found.id, &paths)
      notices.append(
        FileNotice(
          line: category.line,
          "The category “\(old.dropFirst(key.count + 1))” is now called “\(category.path)” there, "
            + "but “\(path)” here. It keeps its name here."))
    }
    for one in moved {
      paths.free(one.category.name, below: one.category.parent, kind: one.category.kind)
      // Another category takes the name.
      if wanted.contains(Place(one.old, one.category.kind)) {
        paths.change(one.category.id, CategoryChange(name: "\(one.category.id)"))
      }
    }
    for one in moved { move(one, &paths) }
  }

  private mutating func move(_ one: Moved, _ paths: inout CategoryPaths) {
    let (id, kind, path) = (one.category.id, one.category.kind, one.given.path)
    let parent = category(CategoryPath(Array(path.names.dropLast())), kind: kind, &paths)
    var name = path.names.last ?? one.category.name
    let base = NoteLines.prefix(of: name, byteCount: Limits.nameByteCountMax - 8)
    var copy = 2
    while paths.category(named: name, below: parent, kind: kind) != nil {
      name = "\(base) (\(copy))"
      copy += 1
    }
    paths.place(id, named: name, below: parent, kind: kind)
    var change = CategoryChange(name: name)
    if parent != one.category.parent { change.parent = .some(parent) }
    if let origin = origin(of: path, kind) { change.origins = origins(of: id, with: origin) }
    paths.change(id, change)
    matched[Place(path, kind)] = id
    // Subcategories aren't reported if only a category above them was renamed.
    guard name != one.category.name || parent != one.category.parent else { return }
    notices.append(
      FileNotice(
        line: one.given.line,
        "Renamed the category “\(one.old)” to "
          + "“\(CategoryPath(path.names.dropLast() + [name]))”."))
  }

  /// The path of a category before the import.
  private func path(of category: Category) -> CategoryPath {
    var names = [category.name]
    var next = category.parent
    while let id = next, let above = existing[id], names.count <= Limits.categoryDepthMax {
      names.append(above.name)
      next = above.parent
    }
    return CategoryPath(names.reversed())
  }
}
