/// The tree of categories as of one snapshot.
struct CategoryTree: Sendable {
  /// All categories.
  let list: [Category]
  /// The categories' numbers, in the order of ``list``.
  let numbers: [UInt32]
  /// The index of each category in the list, by id.
  private var places: [CategoryID: Int] = [:]
  /// The index of each category in the list, by number.
  ///
  /// Numbers are assigned densely, so nearly all of them fit in this array.
  private var dense: [Int32] = []
  private var sparse: [UInt32: Int] = [:]
  private static let denseCountMax = 1 << 16
  /// For each index, the indices of the direct subcategories.
  private var children: [[Int]]
  /// Maps the number of each category with a parent to the parent's number.
  private(set) var parents: [UInt32: UInt32] = [:]

  init(_ categories: [Category]) throws {
    list = categories + Category.builtins
    numbers = try list.map { try keyNumber($0) }
    for (place, category) in list.enumerated() {
      places[category.id] = place
      let number = numbers[place]
      if number < CategoryTree.denseCountMax {
        while dense.count <= Int(number) { dense.append(-1) }
        dense[Int(number)] = Int32(place)
      } else {
        sparse[number] = place
      }
    }
    children = Array(repeating: [], count: list.count)
    for (place, category) in list.enumerated() {
      guard let parent = category.parent, let above = places[parent] else { continue }
      children[above].append(place)
      parents[numbers[place]] = numbers[above]
    }
  }

  /// Returns the category with the given id, or `nil` if there is none.
  subscript(category: CategoryID) -> Category? { places[category].map { list[$0] } }

  /// Returns the index of the category with the given number.
  func place(of number: UInt32) -> Int? {
    guard Int(number) < dense.count else { return sparse[number] }
    let place = dense[Int(number)]
    return place < 0 ? nil : Int(place)
  }

  /// Returns the category with the given number.
  func category(_ number: UInt32) -> Category? { place(of: number).map { list[$0] } }

  /// Returns the category with the given id; throws if there is no such category.
  func known(_ category: CategoryID) throws(DaybookError) -> Category {
    list[try place(of: category)]
  }

  private func place(of category: CategoryID) throws(DaybookError) -> Int {
    if let found = places[category] { return found }
    throw DaybookError(
      code: .invalidQuery, message: "There is no category \(category).",
      remedy: "List the categories.")
  }

  /// Returns the index of a category and, if requested, of all its descendants; the category comes
  /// first.
  func members(
    _ category: CategoryID, withSubcategories: Bool
  ) throws(DaybookError) -> [Int] {
    let place = try place(of: category)
    guard withSubcategories, !children[place].isEmpty else { return [place] }
    var found: [Int] = []
    found.reserveCapacity(1 + children[place].count)
    found.append(place)
    var next = 0
    // Damaged data must not cause an endless loop, so stop when there are more members than
    // categories.
    while next < found.count, found.count <= list.count {
      found.append(contentsOf: children[found[next]])
      next += 1
    }
    return found
  }

  /// Returns the number of the top-level ancestor of the category with the given number.
  func rootNumber(of number: UInt32) -> UInt32 {
    var (current, steps) = (number, 0)
    // Damaged data must not cause an endless loop.
    while let above = parents[current], steps < list.count { (current, steps) = (above, steps + 1) }
    return current
  }

  /// Returns the top-level ancestor of a category, or the category itself if it has no parent.
  func root(of category: Category) -> Category {
    var current = category
    while let parent = current.parent, let above = self[parent] { current = above }
    return current
  }
}

extension Category {
  /// The built-in categories, used for postings without a category.
  public static let builtins = [CategoryID.uncategorizedExpense, .uncategorizedIncome]
    .compactMap { builtin($0) }
}
