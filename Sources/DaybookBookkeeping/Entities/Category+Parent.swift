extension Category {
  /// The category with its effective parent: its nearest ancestor that isn't deleted.
  ///
  /// Deleting a category moves its subcategories up, but a subcategory that another device added in
  /// the meantime still refers to the deleted category.
  ///
  /// - Parameter category: Returns a category as it is stored.
  /// - Complexity: O(deleted categories directly above it).
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
  /// All categories with their effective parents; see ``Category/belowLiving(_:)``.
  package func belowLiving() -> [Category] {
    let deleted = Dictionary(
      lazy.filter(\.isDeleted).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    if deleted.isEmpty { return self }
    return map { category in category.belowLiving { deleted[$0] } }
  }
}
