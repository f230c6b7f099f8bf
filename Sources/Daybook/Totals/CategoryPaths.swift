/// Finds a ledger's categories by path, and collects commands that create missing categories.
///
/// ```swift
/// var paths = try ledger.read { try CategoryPaths($0) }
/// let groceries = paths.made(["Food", "Groceries"], kind: .expense)
/// try await ledger.append(paths.commands)
/// ```
///
/// Later commits don't change the value. If another writer has created one of the missing
/// categories since, the ledger refuses the commands.
public struct CategoryPaths: Sendable {
  private struct Place: Hashable {
    var kind: CategoryKind
    var parent: CategoryID?
    /// The name in the form used for comparisons, which ignores case.
    var key: String
  }

  private var ids: [Place: CategoryID] = [:]
  /// The commands that create the missing categories passed to ``made(_:kind:note:)``, parents
  /// first.
  public private(set) var commands: [Command] = []
  /// The categories that these commands create, in the same order.
  public private(set) var created: [CreatedCategory] = []

  /// Collects the categories of a snapshot, except deleted ones.
  ///
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  /// - Complexity: O(categories).
  public init(_ snapshot: borrowing Snapshot) throws {
    for category in try snapshot.categories() {
      let place = Place(
        kind: category.kind, parent: category.parent, key: Folding.key(category.name))
      ids[place] = category.id
    }
  }

  /// Returns the category at a path, ignoring case, or `nil` if there is none.
  ///
  /// - Complexity: O(names in the path).
  public func category(at path: CategoryPath, kind: CategoryKind) -> CategoryID? {
    var found: CategoryID?
    for name in path.names {
      guard let id = ids[Place(kind: kind, parent: found, key: Folding.key(name))] else {
        return nil
      }
      found = id
    }
    return found
  }

  /// Returns the category with a name below a parent, ignoring case.
  package func category(named name: String, below parent: CategoryID?, kind: CategoryKind)
    -> CategoryID?
  {
    ids[Place(kind: kind, parent: parent, key: Folding.key(name))]
  }

  /// Adds a command that creates a category, which must be missing.
  ///
  /// - Parameter path: The path of the category in messages.
  package mutating func create(
    _ name: String, below parent: CategoryID?, at path: CategoryPath, kind: CategoryKind,
    note: String = "", origins: [String] = []
  ) -> CategoryID {
    let id = CategoryID(
      EntityID(high: .random(in: 1...UInt64.max), low: .random(in: 1...UInt64.max)))
    ids[Place(kind: kind, parent: parent, key: Folding.key(name))] = id
    created.append(CreatedCategory(kind: kind, path: path))
    commands.append(
      .createCategory(
        NewCategory(
          id: id, name: name, kind: kind, parent: parent, note: note, origins: origins)))
    return id
  }

  /// Frees the place of a category, so that another one can take it.
  package mutating func free(_ name: String, below parent: CategoryID?, kind: CategoryKind) {
    ids[Place(kind: kind, parent: parent, key: Folding.key(name))] = nil
  }

  /// Puts a category into a place that is free.
  package mutating func place(
    _ id: CategoryID, named name: String, below parent: CategoryID?, kind: CategoryKind
  ) {
    ids[Place(kind: kind, parent: parent, key: Folding.key(name))] = id
  }

  /// Adds a command about a category, after those of earlier calls.
  package mutating func change(_ id: CategoryID, _ change: CategoryChange) {
    commands.append(.amendCategory(id, change))
  }

  /// Returns the category at a path, adding commands for it and its ancestors if they are missing.
  ///
  /// - Parameters:
  ///   - path: The names from the top level down.
  ///   - kind: Income or expense, for the category and its ancestors.
  ///   - note: The note of the category itself if it is created.
  /// - Returns: `nil` for a path without names.
  public mutating func made(
    _ path: CategoryPath, kind: CategoryKind, note: String = ""
  ) -> CategoryID? {
    var parent: CategoryID?
    for (depth, name) in path.names.enumerated() {
      let place = Place(kind: kind, parent: parent, key: Folding.key(name))
      if let id = ids[place] {
        parent = id
        continue
      }
      let isLast = depth == path.names.count - 1
      parent = create(
        name, below: parent, at: CategoryPath(Array(path.names[...depth])), kind: kind,
        note: isLast ? note : "")
    }
    return parent
  }
}

/// A category that is created because it is missing from a path.
public struct CreatedCategory: Hashable, Sendable {
  /// Income or expense.
  public var kind: CategoryKind
  /// The names of the category and its ancestors.
  public var path: CategoryPath

  /// Creates a description of a category to be created.
  public init(kind: CategoryKind, path: CategoryPath) {
    self.kind = kind
    self.path = path
  }
}

extension Snapshot {
  /// Returns the path of a category from the top level down, or `nil` if there is no such category.
  ///
  /// The category may be built in or deleted.
  ///
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  /// - Complexity: O(depth).
  public func path(of category: CategoryID) throws -> CategoryPath? {
    let tree = try chartOfAccounts().tree
    guard var current = tree[category] else { return nil }
    var names = [current.name]
    // A valid tree has no cycles, but a damaged file must not cause an endless loop.
    while let parent = current.parent, let above = tree[parent],
      names.count <= Limits.categoryDepthMax
    {
      names.append(above.name)
      current = above
    }
    return CategoryPath(names.reversed())
  }
}
