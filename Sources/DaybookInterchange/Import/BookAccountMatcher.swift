import Daybook

/// Finds the ledger's accounts for the accounts of another program's books.
///
/// An account is found by its id in the program and its currency; the name only matters the first
/// time. Programs with ids allow renaming: the account then has a number such as
/// `actual:6f2c…:Giro`, which also says what the program called it at the last import. In journals
/// the full name is the identity: its hash is a number such as `journal:0f3a…`, which another account
/// gets if the two are merged, and the id of the account in the ledger is derived from it.
struct BookAccountMatcher {
  /// An account of the ledger, or the id, name and numbers of a new account.
  enum Match {
    case existing(Account)
    case new(AccountID, name: String, identifiers: [String])
  }

  private let program: String
  private let isJournal: Bool
  private var byName: [String: Account] = [:]
  private var currencies: Set<Currency> = []
  private var byNumber: [String: Account] = [:]
  private var taken: Set<String> = []
  private var used: Set<AccountID> = []
  /// The commands that rename accounts and store their identities.
  private(set) var changes: [Command] = []
  private(set) var notices: [FileNotice] = []

  init(_ books: Books, in snapshot: borrowing Snapshot) throws {
    program = books.program
    isJournal = books.program == "journal"
    for account in try snapshot.accounts() {
      byName[Folding.key(account.name)] = account
      currencies.insert(account.currency)
      taken.insert(Folding.key(account.name))
      guard !program.isEmpty else { continue }
      for number in account.identifiers where number.hasPrefix(program + ":") {
        let parts = number.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        byNumber[parts.prefix(2).joined(separator: ":")] = account
      }
    }
  }

  /// Returns whether an account in the ledger has a number with the account's identity.
  func knows(_ given: BookAccount) -> Bool {
    !program.isEmpty && !given.identity.isEmpty && byNumber[number(of: given)] != nil
  }

  /// Returns the account of the ledger, or a new account.
  ///
  /// Rename and match known accounts first, because this may free names for new accounts.
  mutating func match(_ given: BookAccount, in snapshot: borrowing Snapshot) throws -> Match {
    guard !program.isEmpty, !given.identity.isEmpty else { return matchByName(given) }
    let number = self.number(of: given)
    if let account = byNumber[number], account.currency == given.currency {
      used.insert(account.id)
      return .existing(account)
    }
    if given.isCurrencyAssumed {
      for currency in currencies {
        guard let account = try account(of: given, in: currency, snapshot) else { continue }
        used.insert(account.id)
        return .existing(account)
      }
    }
    var derived: AccountID?
    if isJournal {
      let (id, account) = try derivedID(of: given, in: snapshot)
      if let account {
        used.insert(account.id)
        return .existing(account)
      }
      derived = id
    }
    // Add the number only if no account in another currency has it already.
    let identifiers = byNumber[number] == nil ? [named(number, given)] : []
    if let account = byName[Folding.key(given.name)], fits(account, given) {
      used.insert(account.id)
      remember(account.identifiers + identifiers, of: account)
      return .existing(account)
    }
    // An account of the books in several currencies has the same name in each of them.
    var name = given.name
    if isJournal, let holder = byName[Folding.key(name)],
      try account(of: given, in: holder.currency, snapshot)?.id == holder.id
    {
      name = "\(name) (\(given.currency))"
    }
    let new = unusedName(for: given, preferring: name)
    return .new(
      derived ?? AccountID(NameResolver.newID()), name: new,
      identifiers: given.identifiers + identifiers)
  }

  /// Returns the ledger's account in a currency for an account of the books.
  private func account(
    of given: BookAccount, in currency: Currency, _ snapshot: borrowing Snapshot
  ) throws -> Account? {
    var other = given
    other.currency = currency
    if let account = byNumber[number(of: other)], account.currency == currency { return account }
    return isJournal ? try derivedID(of: other, in: snapshot).1 : nil
  }

  private mutating func matchByName(_ given: BookAccount) -> Match {
    if let account = byName[Folding.key(given.name)] { return .existing(account) }
    taken.insert(Folding.key(given.name))
    return .new(
      AccountID(NameResolver.newID()), name: given.name, identifiers: given.identifiers)
  }

  /// Returns whether an account with the same name is the same account: it hasn't matched another
  /// account of the books, neither in this import nor in an earlier one.
  private func fits(_ account: Account, _ given: BookAccount) -> Bool {
    guard account.currency == given.currency, !used.contains(account.id) else { return false }
    if isJournal { return account.kind == given.kind }
    return !account.identifiers.contains { $0.hasPrefix(program + ":") }
  }

  // MARK: Identities

  /// Returns the prefix of the account number that stores an identity.
  private func number(of given: BookAccount) -> String {
    // The ledger compares numbers by their ASCII letters and digits, so a name is hashed.
    let isShort = given.identity.utf8.count <= 40 && !given.identity.contains(":")
    let id =
      isJournal || !isShort
      ? ContentHash([given.identity, isJournal ? given.currency.code : ""]).text : given.identity
    return "\(program):\(id)"
  }

  /// Returns the whole account number, which includes the name in the program if it can change.
  private func named(_ number: String, _ given: BookAccount) -> String {
    guard !isJournal else { return number }
    return number + ":" + shortTitle(given, after: number)
  }

  private func shortTitle(_ given: BookAccount, after number: String) -> String {
    NoteLines.prefix(
      of: given.title.isEmpty ? given.name : given.title,
      byteCount: Limits.identifierByteCountMax - number.utf8.count - 1)
  }

  /// Returns the id that is derived from a name, and the account if the ledger has it.
  private func derivedID(
    of given: BookAccount, in snapshot: borrowing Snapshot
  ) throws -> (AccountID, Account?) {
    var ordinal = 0
    while true {
      let hash = ContentHash([program, given.identity, given.currency.code, "\(ordinal)"])
      let id = AccountID(hash.id)
      guard let account = try snapshot.account(id) else { return (id, nil) }
      // The id of a deleted account isn't used again.
      if !account.isDeleted, account.currency == given.currency { return (id, account) }
      ordinal += 1
    }
  }

  private mutating func remember(
    _ identifiers: [String], of account: Account, name: String? = nil
  ) {
    var change = AccountChange(name: name)
    if identifiers.count <= Limits.identifierCountMax, identifiers != account.identifiers {
      change.identifiers = identifiers
    }
    if name != nil || change.identifiers != nil {
      changes.append(.amendAccount(account.id, change))
    }
  }

  // MARK: Names

  /// Renames the accounts that were renamed in the program, unless they were also renamed in the
  /// ledger.
  mutating func rename(_ known: [BookAccount]) {
    guard !isJournal else { return }
    var renamed: [(account: Account, given: BookAccount, identifiers: [String])] = []
    for given in known {
      let number = self.number(of: given)
      let prefix = number + ":"
      guard let account = byNumber[number], account.currency == given.currency,
        let index = account.identifiers.firstIndex(where: { $0.hasPrefix(prefix) })
      else { continue }
      let old = String(account.identifiers[index].dropFirst(prefix.count))
      let new = shortTitle(given, after: number)
      guard old != new else { continue }
      var identifiers = account.identifiers
      identifiers[index] = prefix + new
      let isUnchanged =
        account.name == old || account.name.hasSuffix(":" + old)
        || account.name.hasPrefix(old + " (")
      if isUnchanged {
        taken.remove(Folding.key(account.name))
        renamed.append((account, given, identifiers))
      } else {
        remember(identifiers, of: account)
        notices.append(
          FileNotice(
            line: given.line,
            "The account “\(old)” is now called “\(new)” in the books, but “\(account.name)” in "
              + "the ledger. Its name in the ledger was kept."))
      }
    }
    var left = Set(renamed.map(\.account.id))
    for (account, given, identifiers) in renamed {
      let name = unusedName(for: given)
      left.remove(account.id)
      // An account that is renamed later may still have this name, for example if two accounts swap
      // names.
      if let holder = byName[Folding.key(name)], left.contains(holder.id) {
        changes.append(.amendAccount(holder.id, AccountChange(name: "\(holder.id)")))
      }
      remember(identifiers, of: account, name: name)
      notices.append(
        FileNotice(line: given.line, "Renamed the account “\(account.name)” to “\(name)”."))
    }
  }

  /// Returns a name that no account has: the name, the full name, or the name with a number.
  private mutating func unusedName(
    for given: BookAccount, preferring preferred: String? = nil
  ) -> String {
    var names = [preferred ?? given.name]
    if isJournal, !given.name.hasSuffix("(\(given.currency))") { names.append(given.title) }
    names.append("\(given.name) (\(given.currency))")
    for name in names where name.utf8.count <= Limits.nameByteCountMax {
      if taken.insert(Folding.key(name)).inserted { return name }
    }
    let base = NoteLines.prefix(of: given.name, byteCount: Limits.nameByteCountMax - 8)
    var copy = 2
    while !taken.insert(Folding.key("\(base) (\(copy))")).inserted { copy += 1 }
    return "\(base) (\(copy))"
  }
}
