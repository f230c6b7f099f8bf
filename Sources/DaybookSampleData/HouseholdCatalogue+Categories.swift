import DaybookBookkeeping

extension HouseholdCatalogue {
  /// The categories of all purchases, regular payments and income.
  ///
  /// Parents come before their children.
  static let categories: [(path: [String], kind: CategoryKind)] = {
    var found: [(path: [String], kind: CategoryKind)] = []
    var seen: Set<[String]> = []
    func add(_ path: [String], _ kind: CategoryKind) {
      for count in 1...path.count where seen.insert(Array(path.prefix(count))).inserted {
        found.append((Array(path.prefix(count)), kind))
      }
    }
    add(["Salary"], .income)
    for regular in regulars { add(regular.category, regular.kind == .income ? .income : .expense) }
    for purchase in purchases { add(purchase.category, .expense) }
    for bought in journey { add(bought.category, .expense) }
    return found
  }()

  /// The indices of paths in ``categories``.
  static let categoryIndexes = Dictionary(
    uniqueKeysWithValues: categories.enumerated().map { ($0.element.path, $0.offset) })
}
