import DaybookBookkeeping

/// The accounts of a GnuCash file, and their mapping to accounts and categories of the books.
struct GnuCashAccounts {
  /// An account of the file.
  struct Account {
    var id: UInt128
    var line: Int
    var name = ""
    var type = ""
    var commodity: Int?
    var fraction: Int64 = 0
    var parent: UInt128?
    var code = ""
    var description = ""
    var notes = ""
    var isPlaceholder = false
    var isHidden = false
    var isOpeningBalances = false
    var identifiers: [String] = []

    // The account or category in the books; set by `settle(_:)`.
    var place: BookPosting.Place?
    var currency: Currency?
    var isUsed = false
    var hasChildren = false
  }

  private(set) var all: [Account] = []
  private var numbers: [UInt128: Int] = [:]
  private(set) var isSettled = false

  /// Adds an account.
  ///
  /// Returns `false` if its id is already in use.
  mutating func add(_ account: Account) -> Bool {
    guard numbers[account.id] == nil else { return false }
    numbers[account.id] = all.count
    all.append(account)
    return true
  }

  /// Returns the index of an account by id.
  func number(_ id: UInt128) -> Int? { numbers[id] }

  /// Records that an account has a posting.
  mutating func use(_ number: Int) { all[number].isUsed = true }

  /// Maps all accounts to accounts and categories of the books.
  mutating func settle(_ commodities: GnuCashCommodities) {
    isSettled = true
    for number in all.indices {
      all[number].currency = all[number].commodity.flatMap { commodities.all[$0].currency }
      if let parent = all[number].parent.flatMap({ numbers[$0] }) {
        all[parent].hasChildren = true
      }
    }
    let paths = all.indices.map { path($0) }
    let roots = Roots(all, paths)
    var counts: [String: Int] = [:]
    for number in all.indices where Self.kind(all[number].type) != nil {
      counts[Folding.key(all[number].name), default: 0] += 1
    }
    var taken: Set<String> = []
    for number in all.indices {
      let account = all[number]
      switch account.type {
      case "ROOT": continue
      case "TRADING": all[number].place = .exchange
      case "INCOME", "EXPENSE":
        let kind: CategoryKind = account.type == "INCOME" ? .income : .expense
        all[number].place = .category(roots.category(paths[number], kind), kind)
      case "EQUITY" where account.isOpeningBalances: all[number].place = .opening
      default:
        guard Self.kind(account.type) != nil else { continue }
        // Use the last part of the name if it is unique, and otherwise the full path.
        let isAlone = counts[Folding.key(account.name)] == 1
        let wanted = isAlone ? account.name : paths[number].joined(separator: ":")
        all[number].place = .account(Self.unique(wanted, &taken))
      }
    }
  }

  /// Returns the kind of account for a GnuCash type, or `nil` if the type doesn't become an
  /// account.
  static func kind(_ type: String) -> AccountKind? {
    switch type {
    case "ASSET", "BANK", "CASH", "STOCK", "MUTUAL", "RECEIVABLE", "CHECKING", "SAVINGS",
      "MONEYMRKT", "CURRENCY":
      .asset
    case "LIABILITY", "CREDIT", "PAYABLE", "CREDITLINE": .liability
    case "EQUITY": .equity
    default: nil
    }
  }

  /// Returns the names from below the root account down to this account.
  private func path(_ number: Int) -> [String] {
    var names: [String] = []
    var next: Int? = number
    while let current = next, all[current].type != "ROOT", names.count <= Limits.categoryDepthMax {
      names.append(all[current].name)
      next = all[current].parent.flatMap { numbers[$0] }
    }
    return names.reversed()
  }

  /// Returns a unique name that doesn't exceed the length limit.
  private static func unique(_ name: String, _ taken: inout Set<String>) -> String {
    let base = NoteLines.prefix(of: name, byteCount: Limits.nameByteCountMax - 8)
    var candidate = base
    var copy = 2
    while !taken.insert(Folding.key(candidate)).inserted {
      candidate = "\(base) (\(copy))"
      copy += 1
    }
    return candidate
  }

  /// Returns the accounts and categories to create, and the accounts that only group others.
  ///
  /// An account is created if it has postings, or if it isn't a placeholder and has no children.
  func books() -> (accounts: [BookAccount], categories: [BookCategory], groups: [Account]) {
    var accounts: [BookAccount] = []
    var categories: [BookCategory] = []
    var groups: [Account] = []
    for account in all {
      switch account.place {
      case .account(let name):
        guard account.isUsed || !(account.isPlaceholder || account.hasChildren),
          let currency = account.currency, let kind = Self.kind(account.type)
        else {
          groups.append(account)
          continue
        }
        var new = BookAccount(line: account.line, name: name, kind: kind, currency: currency)
        new.title = account.name
        new.identity = GnuCashReader.text(account.id)
        new.note = account.note
        new.isHidden = account.isHidden
        new.identifiers = account.identifiers
        accounts.append(new)
      case .category(let path, let kind) where !path.names.isEmpty:
        var new = BookCategory(line: account.line, path: path, kind: kind)
        new.identity = GnuCashReader.text(account.id)
        new.note = account.note
        new.isHidden = account.isHidden
        categories.append(new)
      default: continue
      }
    }
    return (accounts, categories, groups)
  }
}

extension GnuCashAccounts.Account {
  /// The code, description and notes, one per line.
  fileprivate var note: String {
    var lines = NoteLines()
    lines.add("Code ", code)
    if description != name { lines.add("", description) }
    lines.add("", notes)
    return lines.text
  }
}

/// The top-level accounts that only group all income or all expenses.
private struct Roots {
  private var names: [CategoryKind: String] = [:]

  init(_ accounts: [GnuCashAccounts.Account], _ paths: [[String]]) {
    for (kind, type) in [(CategoryKind.income, "INCOME"), (.expense, "EXPENSE")] {
      let tops = accounts.indices.filter { accounts[$0].type == type && paths[$0].count == 1 }
      if tops.count == 1, let top = tops.first, accounts[top].hasChildren {
        names[kind] = accounts[top].name
      }
    }
  }

  /// Returns the path of a category without the top-level group.
  func category(_ path: [String], _ kind: CategoryKind) -> CategoryPath {
    CategoryPath(path.first == names[kind] ? Array(path.dropFirst()) : path)
  }
}
