import DaybookBookkeeping

/// The accounts of a journal by full name, with the data from directives.
struct AccountTable {
  /// An account of a journal.
  struct Account {
    var name: String
    var line: Int
    /// The type set by a directive.
    var type: AccountType?
    var note = ""
    var isClosed = false
    /// Whether the account has a directive.
    var isDeclared = false
    /// The commodity set by a directive.
    var commodity: Int?
    /// The number of postings, by commodity.
    var uses: [(commodity: Int, count: Int)] = []
  }

  private var names = NameTable()
  private(set) var all: [Account] = []

  mutating func number(_ range: Range<Int>, in text: [UInt8], line: Int) -> Int {
    let (number, isNew) = names.number(range, in: text)
    if isNew { all.append(Account(name: names.names[number], line: line)) }
    return number
  }

  mutating func number(_ name: String, line: Int) -> Int {
    let (number, isNew) = names.number(name)
    if isNew { all.append(Account(name: name, line: line)) }
    return number
  }

  mutating func update(_ number: Int, _ body: (inout Account) -> Void) { body(&all[number]) }

  /// Counts a posting.
  mutating func use(_ number: Int, commodity: Int) {
    for index in all[number].uses.indices where all[number].uses[index].commodity == commodity {
      all[number].uses[index].count += 1
      return
    }
    all[number].uses.append((commodity, 1))
  }

  /// Adds a line to the note of an account.
  mutating func note(_ number: Int, _ text: String) {
    guard !text.isEmpty else { return }
    let old = all[number].note
    all[number].note = old.isEmpty ? text : old + "\n" + text
  }
}

/// The type of an account in a journal.
enum AccountType: Sendable {
  case root(BookRoot)
  /// The counterpart of exchanges between commodities.
  case conversion

  /// Parses a type in an hledger directive, which is a letter or a word.
  init?(_ text: String) {
    switch text.lowercased() {
    case "a", "asset", "assets", "c", "cash": self = .root(.asset)
    case "l", "liability", "liabilities": self = .root(.liability)
    case "e", "equity": self = .root(.equity)
    case "r", "revenue", "revenues", "i", "income": self = .root(.income)
    case "x", "expense", "expenses": self = .root(.expense)
    case "v", "conversion": self = .conversion
    default: return nil
    }
  }
}

/// The destination of the postings of a journal's account.
enum AccountRole {
  /// An account of the books, with its kind and name.
  case account(AccountKind, String)
  case category(CategoryPath, CategoryKind)
  case opening
  case exchange
  case outside
  /// No known role; contains the root of the account's name.
  case unknown(String)
}

/// Determines the roles of accounts from their types and the roots of their names.
struct AccountRoles {
  let accounts: [AccountTable.Account]
  private let types: [String: AccountType]
  private let roots: [String: BookRoot]

  init(_ table: AccountTable, roots: [String: BookRoot]) {
    accounts = table.all
    var types: [String: AccountType] = [:]
    for account in table.all { if let type = account.type { types[account.name] = type } }
    self.types = types
    self.roots = roots
  }

  private static let usual: [String: BookRoot] = [
    "asset": .asset, "assets": .asset, "liability": .liability, "liabilities": .liability,
    "debt": .liability, "debts": .liability, "equity": .equity, "income": .income,
    "incomes": .income, "revenue": .income, "revenues": .income, "expense": .expense,
    "expenses": .expense,
  ]

  /// Returns the role of the account with a name.
  func role(_ name: String) -> AccountRole {
    var parts = name.split(separator: ":", omittingEmptySubsequences: false).map(trimmed)
    parts.removeAll(where: \.isEmpty)
    guard let root = parts.first else { return .unknown(name) }
    let named = named(parts)
    guard let type = declared(name) ?? named.map({ AccountType.root($0.root) }) else {
      return .unknown(unknownRoot(parts))
    }
    // If a root has several parts, omit only the last one, because the parts before it distinguish
    // several books in one journal.
    var below = parts
    if let named { below.remove(at: named.length - 1) }
    switch type {
    case .conversion: return .exchange
    case .root(.income): return .category(category(below), .income)
    case .root(.expense): return .category(category(below), .expense)
    case .root(.asset): return .account(.asset, account(below, root))
    case .root(.liability): return .account(.liability, account(below, root))
    case .root(.equity): return equity(below, root)
    }
  }

  /// Returns the meaning of the longest known root of a name, and the root's number of parts.
  private func named(_ parts: [String]) -> (root: BookRoot, length: Int)? {
    let keys = parts.map { $0.lowercased() }
    if !roots.isEmpty {
      for length in (1...keys.count).reversed() {
        if let root = roots[keys.prefix(length).joined(separator: ":")] { return (root, length) }
      }
    }
    return Self.usual[keys[0]].map { ($0, 1) }
  }

  /// Returns the part of a name whose meaning is unknown: up to a common root, as in
  /// `business:assets`, or else the first part.
  private func unknownRoot(_ parts: [String]) -> String {
    let index = parts.firstIndex { Self.usual[$0.lowercased()] != nil } ?? 0
    return parts.prefix(index + 1).joined(separator: ":")
  }

  /// Returns the usual meaning of a root's last part.
  static func usualMeaning(_ root: String) -> BookRoot? {
    usual[root.split(separator: ":").last?.lowercased() ?? ""]
  }

  /// The letter of a type directive.
  static func letter(_ root: BookRoot) -> String {
    switch root {
    case .asset: "A"
    case .liability: "L"
    case .equity: "E"
    case .income: "R"
    case .expense: "X"
    }
  }

  /// Returns the declared type of an account, or of its nearest ancestor that has one.
  private func declared(_ name: String) -> AccountType? {
    if types.isEmpty { return nil }
    var name = name[...]
    while true {
      if let type = types[String(name)] { return type }
      guard let colon = name.lastIndex(of: ":") else { return nil }
      name = name[..<colon]
    }
  }

  private func account(_ below: [String], _ root: String) -> String {
    below.isEmpty ? root : below.joined(separator: ":")
  }

  private func category(_ below: [String]) -> CategoryPath {
    below.count == 1 && below[0] == "Uncategorised" ? [] : CategoryPath(below)
  }

  private func equity(_ below: [String], _ root: String) -> AccountRole {
    // Ignore the characters between words.
    let words = below.map { String($0.lowercased().filter { !" -_/".contains($0) }) }
    switch words.first ?? "" {
    case "opening", "openingbalance", "openingbalances", "openingclosingbalances":
      return words.count == 1 ? .opening : .account(.equity, account(below, root))
    case "exchange" where words.count == 1, "conversion", "conversions", "trade", "trades",
      "trading":
      return .exchange
    case "outside" where words.count == 1: return .outside
    default: return .account(.equity, account(below, root))
    }
  }
}

/// Returns the text without surrounding blanks.
func trimmed(_ text: some StringProtocol) -> String {
  let bytes = Array(text.utf8)
  guard let first = bytes.firstIndex(where: { !isBlank($0) }),
    let last = bytes.lastIndex(where: { !isBlank($0) })
  else { return "" }
  return String(decoding: bytes[first...last], as: UTF8.self)
}

private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (9...13).contains(byte) }
