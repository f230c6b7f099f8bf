import Daybook

/// Finds accounts and categories by name, and collects commands that create missing accounts and
/// categories.
struct NameResolver {
  private struct Path: Hashable {
    var kind: CategoryKind
    var names: CategoryPath
  }

  private var accountIDs: [String: AccountID] = [:]
  private var knownAccounts: [String: AccountID] = [:]
  var paths: CategoryPaths
  private var knownPaths: [Path: CategoryID] = [:]
  private var openings: [Command] = []
  private(set) var accounts: [String] = []

  /// The commands that add identifiers to existing accounts.
  private var numbered: [Command] = []

  /// The commands that create missing accounts and categories, and add identifiers to existing
  /// accounts.
  var commands: [Command] { openings + paths.commands + numbered }
  /// The categories that the commands create.
  var categories: [CreatedCategory] { paths.created }

  init(_ snapshot: borrowing Snapshot) throws {
    for account in try snapshot.accounts() {
      accountIDs[Folding.key(account.name)] = account.id
    }
    paths = try CategoryPaths(snapshot)
  }

  /// Returns the account with a name.
  ///
  /// A missing account will be created in `currency`.
  mutating func account(
    _ name: String, currency: Currency, kind: AccountKind = .asset, opening: Int64 = 0,
    openingDay: Day? = nil, identifiers: [String] = [], note: String = "", isHidden: Bool = false
  ) -> AccountID {
    if let id = knownAccounts[name] { return id }
    let key = Folding.key(name)
    let id = accountIDs[key] ?? AccountID(Self.newID())
    if accountIDs.updateValue(id, forKey: key) == nil {
      accounts.append(name)
      var new = NewAccount(
        id: id, name: name, kind: kind, currency: currency,
        opening: opening == 0 ? nil : Money(opening, currency), openingDay: openingDay,
        note: note, isHidden: isHidden)
      new.identifiers = identifiers
      openings.append(.openAccount(new))
    }
    knownAccounts[name] = id
    return id
  }

  /// Opens a new account of books.
  mutating func open(
    _ id: AccountID, _ name: String, _ account: BookAccount, identifiers: [String]
  ) {
    accountIDs[Folding.key(name)] = id
    accounts.append(name)
    var new = NewAccount(
      id: id, name: name, kind: account.kind, currency: account.currency, note: account.note,
      isHidden: account.isHidden)
    new.identifiers = identifiers
    new.isOutsideBudget = account.isOutsideBudget
    openings.append(.openAccount(new))
  }

  /// Returns the category with a path, or `nil` for an empty path.
  ///
  /// Missing categories on the path will be created.
  mutating func category(_ path: CategoryPath, kind: CategoryKind) -> CategoryID? {
    guard !path.names.isEmpty else { return nil }
    let known = Path(kind: kind, names: path)
    if let id = knownPaths[known] { return id }
    let id = paths.made(path, kind: kind)
    knownPaths[known] = id
    return id
  }

  /// Returns the category with a path.
  ///
  /// If a category with this path exists only with the other kind, returns that category.
  mutating func anyCategory(_ path: CategoryPath, kind: CategoryKind) -> CategoryID? {
    let other: CategoryKind = kind == .income ? .expense : .income
    if paths.category(at: path, kind: kind) == nil, !path.names.isEmpty,
      let id = paths.category(at: path, kind: other)
    {
      return id
    }
    return category(path, kind: kind)
  }

  /// Adds identifiers to an existing account.
  mutating func remember(_ identifiers: [String], of account: Account) {
    let known = Set(account.identifiers.map(Account.identifierKey))
    let new = identifiers.filter { !known.contains(Account.identifierKey($0)) }
    guard !new.isEmpty else { return }
    var change = AccountChange()
    change.identifiers = Array((account.identifiers + new).prefix(Limits.identifierCountMax))
    numbered.append(.amendAccount(account.id, change))
  }

  static func newID() -> EntityID {
    EntityID(high: .random(in: 1...UInt64.max), low: .random(in: 1...UInt64.max))
  }
}
