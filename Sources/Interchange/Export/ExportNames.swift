import Daybook

/// The names of accounts and categories for an export: those of built-in ones, of deleted ones, and
/// the paths of subcategories.
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
    // A deleted one may have the name of a living one, which keeps it.
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

  /// An account's name, with a number after it where a living one has the same.
  func name(_ id: AccountID) -> String { accountNames[id] ?? "\(id)" }

  /// A category's name, with a number after it where a living sibling has the same.
  func name(_ id: CategoryID) -> String { categoryNames[id] ?? "\(id)" }

  func category(_ id: CategoryID) -> Category? { categoryByID[id] }

  /// The category and those above it, from the top.
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
