extension Category {
  /// The category as it is read: below the nearest one above it that is not deleted.
  ///
  /// Deleting a category lifts what is below it, but what was put there on another device meanwhile still names it.
  ///
  /// - Parameter category: a category as it is stored.
  /// - Complexity: O(deleted ones right above it).
  package func belowLiving(_ category: (CategoryID) throws -> Category?) rethrows -> Category {
    var found = self
    // The tree has no cycles, but a damaged file must not hang the caller.
    for _ in 0...Limits.categoryDepthMax {
      guard let id = found.parent, let above = try category(id), above.isDeleted else {
        return found
      }
      found.parent = above.parent
    }
    return self
  }
}

extension [Category] {
  /// All categories of a ledger as they are read; see ``Category/belowLiving(_:)``.
  package func belowLiving() -> [Category] {
    let deleted = Dictionary(
      lazy.filter(\.isDeleted).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    if deleted.isEmpty { return self }
    return map { category in category.belowLiving { deleted[$0] } }
  }
}
