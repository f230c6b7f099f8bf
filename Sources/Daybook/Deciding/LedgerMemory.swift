internal import DaybookEngine

/// Decoded accounts, categories and settings, cached between decisions.
///
/// With the cache, appending one transaction takes two dictionary lookups and no decoding.
///
/// Not `Sendable`: the cache belongs to the writer's thread, and the engine keeps it between
/// decisions. It is valid only in the engine epoch in which it was created; each epoch gets a new
/// cache.
final class LedgerMemory {
  let epoch: UInt64
  private(set) var accounts: [AccountID: Account] = [:]
  /// The categories as stored; ``category(_:)`` adjusts their parents.
  private var categories: [CategoryID: Category] = [:]
  private(set) var settings = LedgerSettings()
  /// The currencies that have rates, or `nil` if they must be looked up again.
  var ratedCurrencies: [Currency]?
  /// The rules, or `nil` if they must be read again.
  ///
  /// Every transaction without a category needs them.
  var rules: [(id: EntityID, number: UInt64, record: Record)]?
  /// The index of changes that aren't yet in the projections' tables.
  var pending: PendingIndex?
  /// The ids of the accounts with each name; a merge can give two accounts the same name.
  private var accountNames: [String: Set<AccountID>] = [:]
  /// The accounts with each number; accounts in several currencies can have the same number.
  private var accountNumbers: [String: Set<AccountID>] = [:]
  /// The categories with each name.
  ///
  /// Categories with the same name can have different parents, which depend on which categories are
  /// deleted.
  private var categoryNames: [CategoryName: Set<CategoryID>] = [:]
  private var accountList: [Account]?
  private var categoryList: [Category]?

  private struct CategoryName: Hashable {
    let key: String
    let kind: CategoryKind

    init(_ name: String, _ kind: CategoryKind) {
      key = Folding.key(name)
      self.kind = kind
    }
  }

  /// Returns the cache for the engine's current epoch.
  static func current(_ context: DecisionContext) throws -> LedgerMemory {
    if let memory = context.memory as? LedgerMemory, memory.epoch == context.memoryEpoch {
      return memory
    }
    let memory = try LedgerMemory(context)
    context.memory = memory
    return memory
  }

  private init(_ context: DecisionContext) throws {
    epoch = context.memoryEpoch
    try context.forEachEntity(.account) { put(try Account(stored: $0)) }
    try context.forEachEntity(.category) { put(try Category(stored: $0)) }
    if let stored = try context.entity(.settings, LedgerSettings.id) {
      settings = try LedgerSettings(stored: stored)
    }
  }

  /// Applies a decision's change to the cache.
  func take(_ change: Change) throws {
    switch change.kind {
    case .account:
      remove(account: AccountID(change.id))
      if let stored = change.stored { put(try Account(stored: stored)) }
    case .category:
      remove(category: CategoryID(change.id))
      if let stored = change.stored { put(try Category(stored: stored)) }
    case .settings:
      settings = try change.stored.map { try LedgerSettings(stored: $0) } ?? LedgerSettings()
    case .rate: ratedCurrencies = nil
    case .rule: rules = nil
    default: break
    }
  }

  func account(named name: String) -> Account? {
    accountNames[Folding.key(name)]?.lazy.compactMap { self.accounts[$0] }
      .min { $0.number < $1.number }
  }

  /// Returns the accounts with a number, in the order in which they were recorded.
  func accounts(numbered key: String) -> [Account] {
    (accountNumbers[key] ?? []).compactMap { accounts[$0] }.sorted { $0.number < $1.number }
  }

  /// Returns a category, placed below its nearest ancestor that isn't deleted.
  func category(_ id: CategoryID) -> Category? {
    categories[id]?.belowLiving { categories[$0] }
  }

  func category(named name: String, kind: CategoryKind, parent: CategoryID?) -> Category? {
    categoryNames[CategoryName(name, kind)]?.lazy.compactMap { self.category($0) }
      .filter { $0.parent == parent }.min { $0.number < $1.number }
  }

  /// Returns all accounts in the order in which they were recorded.
  func allAccounts() -> [Account] {
    if let accountList { return accountList }
    let list = accounts.values.sorted { $0.number < $1.number }
    accountList = list
    return list
  }

  /// Returns all categories in the order in which they were recorded.
  func allCategories() -> [Category] {
    if let categoryList { return categoryList }
    let list = categories.values.sorted { $0.number < $1.number }.belowLiving()
    categoryList = list
    return list
  }

  private func put(_ account: Account) {
    accountList = nil
    accounts[account.id] = account
    if account.isDeleted { return }
    accountNames[Folding.key(account.name), default: []].insert(account.id)
    for number in account.identifiers {
      accountNumbers[Account.identifierKey(number), default: []].insert(account.id)
    }
  }

  private func put(_ category: Category) {
    categoryList = nil
    categories[category.id] = category
    if category.isDeleted { return }
    categoryNames[CategoryName(category.name, category.kind), default: []].insert(category.id)
  }

  private func remove(account id: AccountID) {
    accountList = nil
    guard let old = accounts.removeValue(forKey: id) else { return }
    accountNames[Folding.key(old.name)]?.remove(id)
    for number in old.identifiers { accountNumbers[Account.identifierKey(number)]?.remove(id) }
  }

  private func remove(category id: CategoryID) {
    categoryList = nil
    guard let old = categories.removeValue(forKey: id) else { return }
    categoryNames[CategoryName(old.name, old.kind)]?.remove(id)
  }
}

extension LedgerEntity {
  /// Decodes an entity from State.
  init(stored: StoredEntity) throws(DecodingFault) {
    try self.init(record: stored.record, id: stored.id, number: stored.number)
  }
}

extension Change {
  /// The entity after the change, or `nil` if it was deleted.
  var stored: StoredEntity? {
    after.map { StoredEntity(id: id, number: number, record: $0) }
  }
}
