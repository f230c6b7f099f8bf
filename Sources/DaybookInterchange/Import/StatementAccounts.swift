public import Daybook

/// Matches accounts of a file to accounts of the ledger.
struct AccountMatcher {
  private let accounts: [Account]
  /// Accounts in different currencies may have the same number.
  private var byNumber: [String: [Account]] = [:]
  private var byName: [String: Account] = [:]
  private let choice: AccountChoice

  init(_ accounts: [Account], _ choice: AccountChoice) {
    self.accounts = accounts
    self.choice = choice
    for account in accounts where !account.isDeleted {
      byName[Folding.key(account.name)] = account
      for number in account.identifiers {
        byNumber[Account.identifierKey(number), default: []].append(account)
      }
    }
  }

  /// An existing account, or the name of a new one.
  enum Match {
    case account(Account)
    case new(name: String)
  }

  /// Returns the account of a statement.
  ///
  /// An explicit choice takes precedence, then the account's numbers, then its name. If several
  /// accounts have the number, the one in the statement's currency matches. If none of them is in
  /// that currency, the match is an account in another currency.
  ///
  /// - Returns: `nil` if there is no match, or if the currency is needed and unknown.
  func match(_ given: StatementAccount, currency: Currency?) -> Match? {
    for number in given.identifiers {
      if let name = choice.name(ofNumber: number, currency) { return named(name) }
    }
    if let name = choice.names[Folding.key(given.name)], !given.name.isEmpty { return named(name) }
    if let name = choice.all { return named(name) }
    for number in given.identifiers {
      guard let found = byNumber[Account.identifierKey(number)], let first = found.first else {
        continue
      }
      if let account = found.first(where: { $0.currency == currency }) { return .account(account) }
      if found.count == 1 { return .account(first) }
      // A statement in a third currency needs an account of its own.
      return nil
    }
    if let account = inside(given, currency) { return .account(account) }
    // Use the name if the file gives no number.
    if given.identifiers.isEmpty, !given.name.isEmpty { return named(given.name) }
    return nil
  }

  private func named(_ name: String) -> Match {
    byName[Folding.key(name)].map(Match.account) ?? .new(name: name)
  }

  /// Returns the account whose IBAN ends with a number in the file, or whose number ends an IBAN in
  /// the file; `nil` unless there is exactly one.
  private func inside(_ given: StatementAccount, _ currency: Currency?) -> Account? {
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
    let fitting = found.filter { $0.currency == currency }
    return fitting.count == 1 ? fitting[0] : found.count == 1 ? found[0] : nil
  }

  /// Returns whether a key has the form of an IBAN: a country code, two digits, and 11 to 30 more
  /// characters.
  private static func isIBAN(_ key: String) -> Bool {
    let bytes = Array(key.utf8)
    guard (15...34).contains(bytes.count) else { return false }
    return bytes[..<2].allSatisfy { (0x41...0x5A).contains($0) }
      && bytes[2..<4].allSatisfy { (0x30...0x39).contains($0) }
  }
}

extension ReadingOptions {
  /// Creates options for reading a file that will be imported into a ledger.
  ///
  /// Amounts without a currency are in that of their account, or in the base currency if the
  /// account is new.
  public init(_ snapshot: borrowing Snapshot, accounts: AccountChoice = AccountChoice()) throws {
    self.init()
    add(try snapshot.currencyDefinitions())
    currency = try snapshot.settings().baseCurrency
    let matcher = AccountMatcher(try snapshot.accounts(), accounts)
    accountCurrency = { account in
      guard case .account(let found)? = matcher.match(account, currency: account.currency)
      else { return nil }
      return found.currency
    }
  }
}

/// The user's choice of ledger accounts for the accounts of a file.
public struct AccountChoice: Hashable, Sendable {
  /// The name of the ledger account for all statements, for files with a single account.
  public var all: String?
  /// The names of ledger accounts, by the keys of numbers or names in the file.
  ///
  /// The key of a number with a currency ends with a colon and the currency.
  var names: [String: String] = [:]

  /// Creates a choice for all statements, or an empty choice.
  public init(all: String? = nil) { self.all = all }

  /// Chooses the ledger account for a number or name in the file.
  ///
  /// - Parameter number: A number or name, or a number with a currency: `DE02…:USD`. A number
  ///   without a currency stands for all currencies that aren't chosen.
  public mutating func choose(_ account: String, for number: String) {
    if let place = number.lastIndex(of: ":"), place > number.startIndex {
      let code = number[number.index(after: place)...]
      if (3...8).contains(code.utf8.count), code.allSatisfy({ $0.isASCII && $0.isUppercase }) {
        names[Self.key(String(number[..<place]), String(code))] = account
      }
    }
    names[Account.identifierKey(number)] = account
    names[Folding.key(number)] = account
  }

  /// Returns the name of the account chosen for a number.
  func name(ofNumber number: String, _ currency: Currency?) -> String? {
    currency.flatMap { names[Self.key(number, $0.code)] } ?? names[Account.identifierKey(number)]
  }

  private static func key(_ number: String, _ code: String) -> String {
    "\(Account.identifierKey(number)):\(code)"
  }
}
