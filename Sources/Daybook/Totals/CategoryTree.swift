/// The tree of categories as of one snapshot: whose child is whose.
struct CategoryTree: Sendable {
  /// All categories.
  let list: [Category]
  /// Their numbers.
  let numbers: [UInt32]
  /// The places in the list by id.
  private var places: [CategoryID: Int] = [:]
  /// The places in the list by number; numbers are given densely, so an array serves for nearly all.
  private var dense: [Int32] = []
  private var sparse: [UInt32: Int] = [:]
  private static let denseCountMax = 1 << 16
  /// For each place the places of what is right below.
  private var children: [[Int]]
  /// The number of the category above, for each that has one.
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

  /// The category of an id, if there is one.
  subscript(category: CategoryID) -> Category? { places[category].map { list[$0] } }

  /// Where the category with a number is in the list.
  func place(of number: UInt32) -> Int? {
    guard Int(number) < dense.count else { return sparse[number] }
    let place = dense[Int(number)]
    return place < 0 ? nil : Int(place)
  }

  /// The category with a number.
  func category(_ number: UInt32) -> Category? { place(of: number).map { list[$0] } }

  /// The category of an id; refuses an id that has none.
  func known(_ category: CategoryID) throws(DaybookError) -> Category {
    list[try place(of: category)]
  }

  private func place(of category: CategoryID) throws(DaybookError) -> Int {
    if let found = places[category] { return found }
    throw DaybookError(
      code: .invalidQuery, message: "There is no category \(category).",
      remedy: "List the categories.")
  }

  /// The places in the list of the category alone, or with everything below it, itself first.
  func members(
    _ category: CategoryID, withSubcategories: Bool
  ) throws(DaybookError) -> [Int] {
    let place = try place(of: category)
    guard withSubcategories, !children[place].isEmpty else { return [place] }
    var found: [Int] = []
    found.reserveCapacity(1 + children[place].count)
    found.append(place)
    var next = 0
    // No more members than categories: damage must not turn a query into an endless loop.
    while next < found.count, found.count <= list.count {
      found.append(contentsOf: children[found[next]])
      next += 1
    }
    return found
  }

  /// The category at the top of one: itself, where it is nobody's subcategory.
  func root(of category: Category) -> Category {
    var current = category
    while let parent = current.parent, let above = self[parent] { current = above }
    return current
  }
}

extension Category {
  /// The categories that every ledger has, used where none is given.
  public static let builtins = [CategoryID.uncategorizedExpense, .uncategorizedIncome]
    .compactMap { builtin($0) }
}
