import Daybook

/// The unique names of accounts and categories for an export, including deleted ones, and the paths
/// of subcategories.
struct ExportNames {
  private(set) var accounts: [Account]
  private(set) var categories: [Category]
  private var categoryByID: [CategoryID: Category] = [:]
  private var accountNames: [AccountID: String] = [:]
  private var categoryNames: [CategoryID: String] = [:]

  init(_ snapshot: borrowing Snapshot) throws {
    accounts = try snapshot.accounts(includingDeleted: true).filter { try snapshot.isKept($0) }
    categories = try snapshot.categories(includingDeleted: true).filter { try snapshot.isKept($0) }
    for category in categories { categoryByID[category.id] = category }
    // If a deleted account or category has the same name as an existing one, the existing one keeps
    // the name.
    var taken: Set<String> = []
    for account in accounts.sorted(by: { !$0.isDeleted && $1.isDeleted }) {
      accountNames[account.id] = Self.unique(account.name, "", &taken)
    }
    for category in categories.sorted(by: { !$0.isDeleted && $1.isDeleted }) {
      let place = "\(category.kind) \(category.parent.map(String.init(describing:)) ?? "") "
      categoryNames[category.id] = Self.unique(category.name, place, &taken)
    }
  }

  private static func unique(
    _ name: String, _ place: String, _ taken: inout Set<String>
  ) -> String {
    var candidate = name
    var copy = 2
    while !taken.insert(place + Folding.key(candidate)).inserted {
      candidate = "\(name) (\(copy))"
      copy += 1
    }
    return candidate
  }

  /// Returns the name of an account, with a number appended if an existing account has the same
  /// name.
  func name(_ id: AccountID) -> String { accountNames[id] ?? "\(id)" }

  /// Returns the name of a category, with a number appended if an existing sibling has the same
  /// name.
  func name(_ id: CategoryID) -> String { categoryNames[id] ?? "\(id)" }

  func category(_ id: CategoryID) -> Category? { categoryByID[id] }

  /// Returns the category and its ancestors, from the top.
  func path(_ id: CategoryID) -> [Category] {
    var path: [Category] = []
    var next = categoryByID[id]
    while let category = next, path.count < Limits.categoryDepthMax {
      path.append(category)
      next = category.parent.flatMap { categoryByID[$0] }
    }
    return path.reversed()
  }
}
