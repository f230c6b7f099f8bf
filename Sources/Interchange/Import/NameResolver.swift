public import Daybook

/// A category that an import creates.
public struct CreatedCategory: Hashable, Sendable {
  /// Income or expense.
  public var kind: CategoryKind
  /// Its name and those above it, from the top.
  public var path: [String]

  /// A category by its path.
  public init(kind: CategoryKind, path: [String]) {
    self.kind = kind
    self.path = path
  }
}

/// Finds accounts and categories by the names in a file, and makes up commands for missing ones.
struct NameResolver {
  private struct Place: Hashable {
    var kind: CategoryKind
    var parent: CategoryID?
    var key: String
  }
  private struct Path: Hashable {
    var kind: CategoryKind
    var names: [String]
  }

  private var accountIDs: [String: AccountID] = [:]
  private var knownAccounts: [String: AccountID] = [:]
  private var categoryIDs: [Place: CategoryID] = [:]
  private var knownPaths: [Path: CategoryID] = [:]
  private(set) var commands: [Command] = []
  private(set) var accounts: [String] = []
  private(set) var categories: [CreatedCategory] = []

  init(_ snapshot: borrowing Snapshot) throws {
    for account in try snapshot.accounts() {
      accountIDs[Folding.key(account.name)] = account.id
    }
    for category in try snapshot.categories() {
      let place = Place(
        kind: category.kind, parent: category.parent, key: Folding.key(category.name))
      categoryIDs[place] = category.id
    }
  }

  /// The account of a name; one that is missing is opened in `currency`.
  mutating func account(
    _ name: String, currency: Currency, kind: AccountKind = .asset, opening: Int64 = 0,
    openingDay: Day? = nil
  ) -> AccountID {
    if let id = knownAccounts[name] { return id }
    let key = Folding.key(name)
    let id = accountIDs[key] ?? AccountID(Self.newID())
    if accountIDs.updateValue(id, forKey: key) == nil {
      accounts.append(name)
      commands.append(
        .openAccount(
          NewAccount(
            id: id, name: name, kind: kind, currency: currency, openingBalance: opening,
            openingDay: openingDay)))
    }
    knownAccounts[name] = id
    return id
  }

  /// Whether there is an account of this name, or one about to be opened.
  func hasAccount(_ name: String) -> Bool { accountIDs[Folding.key(name)] != nil }

  /// The category at the end of a path, or `nil` for an empty one; missing levels are created.
  mutating func category(_ names: [String], kind: CategoryKind) -> CategoryID? {
    guard !names.isEmpty else { return nil }
    let path = Path(kind: kind, names: names)
    if let id = knownPaths[path] { return id }
    var parent: CategoryID?
    for (depth, name) in names.enumerated() {
      let place = Place(kind: kind, parent: parent, key: Folding.key(name))
      if let id = categoryIDs[place] {
        parent = id
        continue
      }
      let id = CategoryID(Self.newID())
      categoryIDs[place] = id
      categories.append(CreatedCategory(kind: kind, path: Array(names[...depth])))
      commands.append(
        .createCategory(NewCategory(id: id, name: name, kind: kind, parent: parent)))
      parent = id
    }
    knownPaths[path] = parent
    return parent
  }

  static func newID() -> EntityID {
    EntityID(high: .random(in: 1...UInt64.max), low: .random(in: 1...UInt64.max))
  }
}
