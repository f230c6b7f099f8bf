import DaybookBookkeeping

/// Maps the accounts of a journal to accounts and categories of the books.
///
/// Accounts of the books have a single currency. A journal account with several commodities becomes
/// several accounts. The account in the declared currency, or else in the most used one, keeps the
/// name. The names of the other accounts end with the currency code in parentheses.
struct PlaceTable {
  /// The result of a lookup.
  enum Answer {
    case place(BookPosting.Place)
    /// The type of accounts below this root is unknown.
    case unknown(String)
    /// The name isn't valid in Daybook; the value is the reason.
    case faulty(String)
  }

  private enum Entry {
    case all(Answer)
    case byCurrency([(currency: Currency, name: String)])
  }

  private(set) var accounts: [BookAccount] = []
  private(set) var categories: [BookCategory] = []
  private(set) var notices: [FileNotice] = []
  private var entries: [Entry] = []
  private var taken: Set<String> = []
  private var categoryNames: [String: CategoryPath] = [:]

  init(
    _ matter: inout JournalMatter, _ currencies: JournalCurrencies, _ options: ReadingOptions
  ) {
    var uses: [Currency: Int] = [:]
    for entry in matter.entries {
      for posting in entry.postings {
        guard let commodity = posting.amount?.commodity, commodity >= 0 else { continue }
        matter.accounts.use(posting.account, commodity: commodity)
        if let currency = currencies.list[commodity] { uses[currency, default: 0] += 1 }
      }
    }
    let main =
      uses.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? options.currency
    let roles = AccountRoles(matter.accounts, roots: options.roots)
    for account in roles.accounts {
      entries.append(entry(account, roles.role(account.name), currencies, main))
    }
  }

  /// Returns the destination of a posting on an account of the journal.
  func place(_ account: Int, _ currency: Currency?) -> Answer {
    switch entries[account] {
    case .all(let answer): return answer
    case .byCurrency(let names):
      guard let found = names.first(where: { $0.currency == currency }) else {
        return .faulty("The account doesn't use \(currency.map(\.code) ?? "such a commodity").")
      }
      return .place(.account(found.name))
    }
  }

  private mutating func entry(
    _ account: AccountTable.Account, _ role: AccountRole, _ currencies: JournalCurrencies,
    _ main: Currency?
  ) -> Entry {
    switch role {
    case .opening: return .all(.place(.opening))
    case .exchange: return .all(.place(.exchange))
    case .outside: return .all(.place(.outside))
    case .unknown(let root): return .all(.unknown(root))
    case .category(let path, let kind): return .all(category(account, path, kind))
    case .account(let kind, let name):
      guard account.isDeclared || !account.uses.isEmpty else { return .byCurrency([]) }
      return .byCurrency(open(account, kind, name, currencies, main))
    }
  }

  private mutating func category(
    _ account: AccountTable.Account, _ path: CategoryPath, _ kind: CategoryKind
  ) -> Answer {
    guard path.names.count <= Limits.categoryDepthMax else {
      return .faulty(
        "A category can have at most \(Limits.categoryDepthMax) levels, but this one has "
          + "\(path.names.count)."
      )
    }
    var path = path
    if !path.names.isEmpty {
      let key = "\(kind) " + path.names.map(Folding.key).joined(separator: "\u{0}")
      if let known = categoryNames[key] {
        if known != path {
          notices.append(
            FileNotice(
              line: account.line, "“\(account.name)” was imported as the category “\(known)”."))
        }
        path = known
      } else {
        categoryNames[key] = path
      }
      if account.isDeclared || !account.note.isEmpty {
        var category = BookCategory(line: account.line, path: path, kind: kind)
        category.note = account.note
        categories.append(category)
      }
    }
    return .place(.category(path, kind))
  }

  private mutating func open(
    _ account: AccountTable.Account, _ kind: AccountKind, _ name: String,
    _ currencies: JournalCurrencies, _ main: Currency?
  ) -> [(currency: Currency, name: String)] {
    var counts: [(currency: Currency, count: Int)] = []
    for use in account.uses {
      guard let currency = currencies.list[use.commodity] else { continue }
      if let index = counts.firstIndex(where: { $0.currency == currency }) {
        counts[index].count += use.count
      } else {
        counts.append((currency, use.count))
      }
    }
    let declared = account.commodity.flatMap { currencies.list[$0] }
    if counts.isEmpty {
      guard let currency = declared ?? main else { return [] }
      if declared == nil {
        notices.append(
          FileNotice(
            line: account.line,
            "“\(account.name)” has no transactions; it was imported as an account in \(currency)."))
      }
      counts = [(currency, 0)]
    }
    let most = counts.map(\.count).max() ?? 0
    let first = counts.first { $0.currency == declared } ?? counts.first { $0.count == most }
    let base = unique(name, account.name)
    var result: [(currency: Currency, name: String)] = []
    for (currency, _) in counts.sorted(by: { a, _ in a.currency == first?.currency }) {
      let isFirst = currency == first?.currency
      let own = isFirst ? base : unique("\(base) (\(currency))", "\(base) (\(currency))")
      var new = BookAccount(line: account.line, name: own, kind: kind, currency: currency)
      new.title = account.name
      new.identity = account.name
      new.note = isFirst ? account.note : ""
      new.isClosed = account.isClosed
      accounts.append(new)
      result.append((currency, own))
    }
    if result.count > 1 {
      let others = result.dropFirst().map { "“\($0.name)”" }.joined(separator: ", ")
      notices.append(
        FileNotice(
          line: account.line,
          "“\(account.name)” uses several currencies: “\(base)” is in \(result[0].currency), the "
            + "rest in \(others)."
        ))
    }
    return result
  }

  /// Returns a unique name: the name itself, the full name with its root, or the full name with a
  /// number.
  private mutating func unique(_ name: String, _ whole: String) -> String {
    if taken.insert(Folding.key(name)).inserted { return name }
    var candidate = whole
    var copy = 2
    while !taken.insert(Folding.key(candidate)).inserted {
      candidate = "\(whole) (\(copy))"
      copy += 1
    }
    return candidate
  }
}
