import Daybook

/// Finds accounts and categories by the names in a file, and makes up commands for missing ones.
struct NameResolver {
  private struct Path: Hashable {
    var kind: CategoryKind
    var names: CategoryPath
  }

  private var accountIDs: [String: AccountID] = [:]
  private var knownAccounts: [String: AccountID] = [:]
  private var paths: CategoryPaths
  private var knownPaths: [Path: CategoryID] = [:]
  private var openings: [Command] = []
  private(set) var accounts: [String] = []

  /// The numbers that accounts get, in order; of one about to be opened, with its opening.
  private var numbered: [Command] = []

  /// The commands that create what is missing, and give accounts their numbers.
  var commands: [Command] { openings + paths.commands + numbered }
  /// The categories among that.
  var categories: [CreatedCategory] { paths.created }

  init(_ snapshot: borrowing Snapshot) throws {
    for account in try snapshot.accounts() {
      accountIDs[Folding.key(account.name)] = account.id
    }
    paths = try CategoryPaths(snapshot)
  }

  /// The account of a name; one that is missing is opened in `currency`.
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

  /// Whether there is an account of this name, or one about to be opened.
  func hasAccount(_ name: String) -> Bool { accountIDs[Folding.key(name)] != nil }

  /// Whether there is a category at this path, or one about to be created.
  func hasCategory(_ path: CategoryPath, kind: CategoryKind) -> Bool {
    paths.category(at: path, kind: kind) != nil
  }

  /// The category at the end of a path, or `nil` for an empty one; missing levels are created, the last one
  /// with the note.
  mutating func category(
    _ path: CategoryPath, kind: CategoryKind, note: String = ""
  ) -> CategoryID? {
    guard !path.names.isEmpty else { return nil }
    let known = Path(kind: kind, names: path)
    if let id = knownPaths[known] { return id }
    let id = paths.made(path, kind: kind, note: note)
    knownPaths[known] = id
    return id
  }

  /// The category at the end of a path, of the other kind where it is there as that alone.
  mutating func anyCategory(_ path: CategoryPath, kind: CategoryKind) -> CategoryID? {
    let other: CategoryKind = kind == .income ? .expense : .income
    if paths.category(at: path, kind: kind) == nil, !path.names.isEmpty,
      let id = paths.category(at: path, kind: other)
    {
      return id
    }
    return category(path, kind: kind)
  }

  /// Gives an account that is there further numbers.
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
