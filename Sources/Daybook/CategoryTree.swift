/// The tree of categories as of one snapshot: whose child is whose.
struct CategoryTree: Sendable {
  private(set) var byID: [CategoryID: Category] = [:]
  /// All categories.
  private(set) var list: [Category] = []
  /// The places in the list by number; numbers are given densely, so an array serves for nearly all.
  private var dense: [Int32] = []
  private var sparse: [UInt32: Int] = [:]
  private static let denseCountMax = 1 << 16
  /// The places in the list of what is right below each.
  private var children: [CategoryID: [Int]] = [:]

  init(_ categories: [Category]) throws {
    for category in categories + Category.builtins {
      byID[category.id] = category
      let number = try keyNumber(category)
      if number < CategoryTree.denseCountMax {
        while dense.count <= Int(number) { dense.append(-1) }
        dense[Int(number)] = Int32(list.count)
      } else {
        sparse[number] = list.count
      }
      if let parent = category.parent { children[parent, default: []].append(list.count) }
      list.append(category)
    }
  }

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
    if let found = byID[category] { return found }
    throw DaybookError(
      code: .invalidQuery, message: "There is no category \(category).",
      remedy: "List the categories.")
  }

  /// The category alone, or with everything below it, itself first.
  func members(_ category: CategoryID, withSubcategories: Bool) throws(DaybookError)
    -> [Category]
  {
    var found = [try known(category)]
    guard withSubcategories else { return found }
    var next = 0
    // No more members than categories: damage must not turn a query into an endless loop.
    while next < found.count, found.count <= list.count {
      for place in children[found[next].id] ?? [] { found.append(list[place]) }
      next += 1
    }
    return found
  }

  /// The number of the category above, for each that has one.
  func parents() throws(DaybookError) -> [UInt32: UInt32] {
    var parents: [UInt32: UInt32] = [:]
    for category in byID.values {
      guard let parent = category.parent.flatMap({ byID[$0] }) else { continue }
      parents[try keyNumber(category)] = try keyNumber(parent)
    }
    return parents
  }

  /// The category at the top of one: itself, where it is nobody's subcategory.
  func root(of category: Category) -> Category {
    var current = category
    while let parent = current.parent, let above = byID[parent] { current = above }
    return current
  }
}

extension Category {
  /// The categories that every ledger has, used where none is given.
  public static let builtins = [CategoryID.uncategorizedExpense, .uncategorizedIncome]
    .compactMap { builtin($0) }
}
