import Daybook

/// The categories of a kind in the order of a table: each parent is followed by its subcategories.
struct CategoryOutline {
  struct Row {
    var category: Category
    /// The number of categories above it in the table.
    var depth: Int
    /// The categories below it, at any depth.
    var below: [CategoryID]
  }

  private(set) var rows: [Row] = []

  /// Creates the outline of some categories and of those above them.
  ///
  /// - Parameters:
  ///   - categories: All categories.
  ///   - isBefore: The order of categories with the same parent; by default, that of lists.
  ///   - isShown: Whether a category is in the table, even if nothing below it is.
  init(
    _ categories: [Category], isBefore: (Category, Category) -> Bool = Self.isInOrder,
    isShown: (Category) -> Bool
  ) {
    let byID = Dictionary(categories.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    var shown: Set<CategoryID> = []
    for category in categories where isShown(category) {
      var next: Category? = category
      // A set also ends the walk if damaged data has a cycle.
      while let one = next, shown.insert(one.id).inserted {
        next = one.parent.flatMap { byID[$0] }
      }
    }
    var children: [CategoryID?: [Category]] = [:]
    for category in categories where shown.contains(category.id) {
      let parent = category.parent.flatMap { byID[$0]?.id }
      children[parent, default: []].append(category)
    }
    children = children.mapValues { $0.sorted(by: isBefore) }
    add(children[nil] ?? [], depth: 0, children)
  }

  private mutating func add(
    _ categories: [Category], depth: Int, _ children: [CategoryID?: [Category]]
  ) {
    for category in categories {
      let place = rows.count
      rows.append(Row(category: category, depth: depth, below: []))
      add(children[category.id] ?? [], depth: depth + 1, children)
      rows[place].below = rows[(place + 1)...].map(\.category.id)
    }
  }

  /// The order of lists; what has no category is last.
  static func isInOrder(_ left: Category, _ right: Category) -> Bool {
    (left.id.isBuiltin ? 1 : 0, left.order, left.name)
      < (right.id.isBuiltin ? 1 : 0, right.order, right.name)
  }
}
