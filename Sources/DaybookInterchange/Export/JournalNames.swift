import Daybook

/// Maps accounts and categories to unique account names of a journal.
///
/// Colons in names are kept, so that `Bank:Giro` becomes `Assets:Bank:Giro`. An account
/// `Bank (USD)` in USD is exported as `Bank` if an account `Bank` of the same kind exists in
/// another currency.
struct JournalNames {
  let accounts: [Account]
  private(set) var all: [String] = []
  private var names: [PostingAccount: String] = [:]
  private var taken: Set<String> = []
  private var currencies: [String: Currency] = [:]
  private var others: [String: [Currency]] = [:]

  init(_ names: ExportNames) {
    accounts = names.accounts
    add(.account(.opening), "Equity:Opening")
    add(.account(.exchange), "Equity:Exchange")
    add(.account(.outside), "Equity:Outside")
    add(.category(.uncategorizedExpense), "Expenses:Uncategorised")
    add(.category(.uncategorizedIncome), "Income:Uncategorised")
    let accounts = Dictionary(grouping: names.accounts) { names.name($0.id) }
    for account in names.accounts where base(account, names, accounts) == nil {
      add(.account(account.id), Self.path(names.name(account.id), account.kind))
      currencies[name(.account(account.id))] = account.currency
    }
    for account in names.accounts {
      guard let base = base(account, names, accounts) else { continue }
      let shared = name(.account(base.id))
      self.names[.account(account.id)] = shared
      others[shared, default: []].append(account.currency)
    }
    for category in names.categories { _ = add(category, names) }
  }

  func name(_ account: PostingAccount) -> String { names[account] ?? "Equity:Unknown" }

  /// Returns the currency of an account, or its main currency if there are several.
  func currency(_ name: String) -> Currency? { currencies[name] }

  /// Returns all currencies of an account, the main one first; empty for categories and built-in
  /// accounts.
  func allCurrencies(_ name: String) -> [Currency] {
    (currencies[name].map { [$0] } ?? []) + (others[name] ?? [])
  }

  /// Returns the account with the same name except for the appended currency, such as `Bank` for
  /// `Bank (USD)`.
  private func base(
    _ account: Account, _ names: ExportNames, _ accounts: [String: [Account]]
  ) -> Account? {
    let suffix = " (\(account.currency))"
    let name = names.name(account.id)
    guard name.hasSuffix(suffix) else { return nil }
    let found = accounts[String(name.dropLast(suffix.count))]?.first
    guard let found, found.kind == account.kind, found.currency != account.currency,
      base(found, names, accounts) == nil
    else { return nil }
    return found
  }

  /// Returns an account's name below the root of its kind; a name that begins with the root is
  /// returned unchanged.
  private static func path(_ name: String, _ kind: AccountKind) -> String {
    let top =
      switch kind {
      case .asset: "Assets"
      case .liability: "Liabilities"
      case .equity: "Equity"
      }
    let parts = name.split(separator: ":", omittingEmptySubsequences: false).map {
      part(String($0))
    }
    return (parts.first == top ? parts : [top] + parts).joined(separator: ":")
  }

  @discardableResult
  private mutating func add(_ category: Category, _ all: ExportNames) -> String {
    if let known = names[.category(category.id)] { return known }
    let above: String
    if let parent = category.parent.flatMap({ all.category($0) }) {
      above = add(parent, all)
    } else {
      above = category.kind == .income ? "Income" : "Expenses"
    }
    return add(.category(category.id), "\(above):\(Self.part(category.name))")
  }

  @discardableResult
  private mutating func add(_ account: PostingAccount, _ wanted: String) -> String {
    var name = wanted
    var copy = 2
    while !taken.insert(name).inserted {
      name = "\(wanted) (\(copy))"
      copy += 1
    }
    names[account] = name
    all.append(name)
    return name
  }

  private static func part(_ name: String) -> String {
    let plain = plain(name).replacing(":", with: "-")
    return plain.isEmpty ? "-" : plain
  }

  /// Returns a text on one line, with single spaces and without characters that begin comments or
  /// dates.
  static func plain(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case ";": result.append(",")
      case "[": result.append("(")
      case "]": result.append(")")
      case "|": result.append("/")
      case _ where character.isWhitespace || character.unicodeScalars.contains { $0.value < 0x20 }:
        if result.last != " ", !result.isEmpty { result.append(" ") }
      default: result.append(character)
      }
    }
    while result.last == " " { result.removeLast() }
    return result
  }
}
