import Daybook

/// Which account of the ledger an account of a file is.
struct AccountMatcher {
  private let accounts: [Account]
  private var byNumber: [String: Account] = [:]
  private var byName: [String: Account] = [:]
  private let choice: AccountChoice

  init(_ accounts: [Account], _ choice: AccountChoice) {
    self.accounts = accounts
    self.choice = choice
    for account in accounts where !account.isDeleted {
      byName[Folding.key(account.name)] = account
      for number in account.identifiers { byNumber[Account.identifierKey(number)] = account }
    }
  }

  /// An account that is there, or the name under which one is to be opened.
  enum Match {
    case account(Account)
    case new(name: String)
  }

  /// The account of a statement: what was chosen, then what its numbers say, then its name.
  ///
  /// - Returns: `nil` where nothing tells.
  func match(_ given: StatementAccount) -> Match? {
    for number in given.identifiers {
      if let name = choice.names[Account.identifierKey(number)] { return named(name) }
    }
    if let name = choice.names[Folding.key(given.name)], !given.name.isEmpty { return named(name) }
    if let name = choice.all { return named(name) }
    for number in given.identifiers {
      if let account = byNumber[Account.identifierKey(number)] { return .account(account) }
    }
    if let account = inside(given) { return .account(account) }
    // A file that knows accounts by their names alone means them.
    if given.identifiers.isEmpty, !given.name.isEmpty { return named(given.name) }
    return nil
  }

  private func named(_ name: String) -> Match {
    byName[Folding.key(name)].map(Match.account) ?? .new(name: name)
  }

  /// The only account whose IBAN ends with the number of a file, or the other way round.
  private func inside(_ given: StatementAccount) -> Account? {
    let keys = given.identifiers.map(Account.identifierKey).filter { $0.count >= 8 }
    let found = accounts.filter { account in
      !account.isDeleted
        && account.identifiers.contains { number in
          let mine = Account.identifierKey(number)
          return mine.count >= 8
            && keys.contains {
              Self.isIBAN(mine) && mine.hasSuffix($0) || Self.isIBAN($0) && $0.hasSuffix(mine)
            }
        }
    }
    return found.count == 1 ? found[0] : nil
  }

  /// Whether a key looks as an international number does: a country, two digits, and 11 to 30 more.
  private static func isIBAN(_ key: String) -> Bool {
    let bytes = Array(key.utf8)
    guard (15...34).contains(bytes.count) else { return false }
    return bytes[..<2].allSatisfy { (0x41...0x5A).contains($0) }
      && bytes[2..<4].allSatisfy { (0x30...0x39).contains($0) }
  }
}

/// Which accounts a file's accounts are, as far as somebody has said it.
public struct AccountChoice: Hashable, Sendable {
  /// The account of the ledger, by its name, that every account of the file is; for files of one.
  public var all: String?
  /// Names of the ledger's accounts by numbers or names of the file's, as keys.
  var names: [String: String] = [:]

  /// Nobody has said anything.
  public init(all: String? = nil) { self.all = all }

  /// Says which account a number or a name of the file is.
  public mutating func choose(_ account: String, for number: String) {
    names[Account.identifierKey(number)] = account
    names[Folding.key(number)] = account
  }
}
