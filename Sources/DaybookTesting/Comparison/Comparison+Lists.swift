/// Goal: compare entities, pages, counts and sections. Method: see `Comparison`.
import Daybook
import DaybookProjections

extension Comparison {
  mutating func entities(_ snapshot: borrowing Snapshot) {
    let oracle = self.oracle
    expect("settings", { try snapshot.settings() }, { oracle.settings ?? LedgerSettings() })
    for closed in [true, false] {
      for deleted in [true, false] {
        expect(
          "accounts (closed \(closed), deleted \(deleted))",
          { try snapshot.accounts(includingClosed: closed, includingDeleted: deleted) },
          { oracle.accounts(includingClosed: closed, includingDeleted: deleted) })
      }
    }
    for kind in [nil, CategoryKind.income, .expense] {
      let deleted = random.chance(50)
      expect(
        "categories of \(kind.map { "\($0)" } ?? "any kind"), deleted \(deleted)",
        { try snapshot.categories(kind, includingDeleted: deleted) },
        {
          oracle.categories.filter {
            (kind == nil || $0.kind == kind) && (deleted || !$0.isDeleted)
          }
        })
    }
    expect(
      "rates", { try snapshot.rates().sorted { $0.id < $1.id } },
      { oracle.rates.map { $0.withoutNumber }.sorted { $0.id < $1.id } })
    expect("mappings", { try snapshot.mappings() }, { oracle.mappings })
    expect("assertions", { try snapshot.assertions() }, { oracle.assertions })
    expect(
      "currency definitions", { try snapshot.currencyDefinitions() }, { oracle.currencies })
    single(snapshot)
  }

  /// Compares entities looked up by id and by name.
  private mutating func single(_ snapshot: borrowing Snapshot) {
    let oracle = self.oracle
    for transaction in oracle.transactions where isFull || random.chance(30) {
      expect(
        "transaction \(transaction.id)", { try snapshot.transaction(transaction.id)?.compared },
        { transaction })
    }
    let none = TransactionID(EntityID(high: 6, low: 1))
    expect("no transaction", { try snapshot.transaction(none) }, { nil })
    for account in oracle.accounts where asks() {
      expect("account \(account.name)", { try snapshot.account(account.id) }, { account })
      expect(
        "account named \(account.name)", { try snapshot.account(named: account.name) },
        { oracle.accounts.first { !$0.isDeleted && fold($0.name) == fold(account.name) } })
    }
    for category in oracle.everyCategory where asks() {
      expect("category \(category.name)", { try snapshot.category(category.id) }, { category })
      expect(
        "category named \(category.name)",
        {
          try snapshot.category(
            named: category.name, kind: category.kind, parent: category.parent)
        },
        {
          oracle.categories.first {
            !$0.isDeleted && fold($0.name) == fold(category.name) && $0.kind == category.kind
              && $0.parent == category.parent
          }
        })
    }
    if let rate = random.some(oracle.rates) {
      expect(
        "rates of \(rate.base) in \(rate.quoted)",
        { try snapshot.rates(base: rate.base, quoted: rate.quoted) },
        {
          oracle.rates.filter { $0.base == rate.base && $0.quoted == rate.quoted }
            .map { $0.withoutNumber }.sorted { $0.day < $1.day }
        })
    }
  }

  mutating func lists(_ snapshot: borrowing Snapshot) {
    list(.all, snapshot)
    for account in oracle.accounts where asks() {
      list(TransactionFilter(account: account.id), snapshot)
    }
    for category in oracle.everyCategory where asks() {
      list(
        TransactionFilter(category: category.id, includesSubcategories: random.chance(50)),
        snapshot)
    }
    for _ in 0..<(isFull ? 12 : 2) { list(filter(), snapshot) }
    for _ in 0..<(isFull ? 8 : 2) {
      var filter = random.chance(60) ? .all : filter()
      choose(&filter)
      listAskingTheIndex(filter, snapshot)
    }
    for _ in 0..<(isFull ? 14 : 3) {
      var filter = random.chance(60) ? .all : filter()
      if random.chance(20) { choose(&filter) }
      let texts = random.number(0...9)
      if texts < 5 { filter.text = term() }
      if texts < 2 { filter.textAmounts = [amounts()] }
      if texts > 2 {
        filter.payee = term(of: oracle.transactions.map(\.payee))
        filter.matchesWholePayee = random.chance(30)
      }
      if texts > 4 {
        filter.tags = (0..<random.number(1...2)).map { _ in tag() }
      }
      if texts > 7 { filter.payee = nil }
      listAskingTheIndex(filter, snapshot)
    }
  }

  /// Compares a list with random limits for the text index.
  private mutating func listAskingTheIndex(
    _ filter: TransactionFilter, _ snapshot: borrowing Snapshot
  ) {
    TextSearchLimits.$newestCount.withValue(random.chance(70) ? 0 : random.number(1...4)) {
      TextSearchLimits.$listCount.withValue(random.chance(50) ? 0 : 4_096) {
        list(filter, snapshot)
      }
    }
  }

  /// Adds conditions for several accounts or categories, the status, or amounts.
  private mutating func choose(_ filter: inout TransactionFilter) {
    switch random.number(0...6) {
    case 0: filter.accounts = [account(), account()]
    case 1: filter.accounts = (0..<random.number(1...4)).map { _ in account() }
    case 2: filter.categories = (0..<random.number(1...3)).map { _ in category() }
    case 3: filter.isUncategorized = true
    case 4: filter.status = random.pick(Status.allCases)
    default: filter.amounts = (0..<random.number(1...2)).map { _ in amounts() }
    }
    if random.chance(30) { filter.isUncategorized = random.chance(50) }
    if random.chance(30) { filter.status = random.pick(Status.allCases) }
    filter.includesSubcategories = random.chance(60)
  }

  /// Returns a range around an existing amount, in its currency or in any currency.
  private mutating func amounts() -> AmountRange {
    let known = oracle.transactions.flatMap { $0.postings.map(\.amount) }
    let amount =
      random.some(known) ?? Money(minorUnits: 1_250, currency: random.pick(currencies))
    let units = Int64(clamping: amount.minorUnits.magnitude)
    let least = random.chance(20) ? 0 : max(units - Int64(random.number(0...3)), 0)
    let most =
      random.chance(20)
      ? .max
      : units.addingReportingOverflow(2).overflow ? .max : units + Int64(random.number(0...2))
    if random.chance(40) { return AmountRange(least...most, in: amount.currency) }
    if random.chance(20) { return AmountRange(least...most, decimals: 1, in: amount.currency) }
    return AmountRange(least...most, decimals: random.pick([amount.currency.digits, 0, 2, 3, 18]))
  }

  /// Returns an existing tag in random case, or a random term.
  private mutating func tag() -> String {
    let tags = oracle.transactions.flatMap(\.tags)
    guard random.chance(80), let tag = random.some(tags) else { return term() }
    return random.chance(40) ? tag.uppercased() : tag
  }

  /// Returns a search term, which is usually part of an existing text in random case.
  private mutating func term(of payees: [String] = []) -> String {
    if let payee = random.some(payees), random.chance(50) { return payee }
    if random.chance(30) {
      return random.pick([
        "bread", "CAF\u{c9}", "e", "uber", " ", "zq", "zebra", "Category", "uncat", "STRASSE",
        "\u{1F4B6}", "\u{65e9}", "cafes", "q", "1",
      ])
    }
    let texts = oracle.transactions.flatMap {
      [$0.description, $0.payee, $0.note] + $0.tags + $0.postings.map(\.note)
    }
    let names = oracle.everyCategory.map(\.name)
    let known = (texts + names).filter { !$0.isEmpty && $0.utf8.count < 200 }
    guard let text = random.some(known) else { return "bread" }
    let scalars = Array(text.unicodeScalars)
    let start = random.number(0...scalars.count - 1)
    var part = ""
    part.unicodeScalars.append(
      contentsOf: scalars[start...].prefix(random.number(1...random.pick([2, 3, 6, 40]))))
    switch random.number(0...3) {
    case 0: return part.uppercased()
    case 1: return part.lowercased()
    default: return part
    }
  }

  private mutating func sums(_ filter: TransactionFilter, _ snapshot: borrowing Snapshot) {
    let oracle = self.oracle
    let base = random.chance(50) ? nil : random.pick(currencies)
    expect(
      "sums in \(base.map { "\($0)" } ?? "the base currency") \(filter.summary)",
      {
        var sums = try snapshot.sums(of: filter, base: base)
        sums.readCount = 0
        return sums
      }, { try oracle.sums(filter, base) })
  }

  private mutating func list(_ given: TransactionFilter, _ snapshot: borrowing Snapshot) {
    let oracle = self.oracle
    var filter = given
    if filter.isExcluded == nil, random.chance(15) { filter.isExcluded = random.chance(60) }
    let what = filter.summary
    let known = Result { try oracle.list(filter) }
    expect("count \(what)", { try snapshot.count(filter) }, { try known.get().count })
    expect(
      "list \(what)", { try snapshot.transactions(filter, limit: 1_000).map(\.compared) },
      { Array(try known.get().prefix(1_000)) })
    if asks() { sums(filter, snapshot) }
    guard asks(), let rows = try? known.get() else { return }
    let limit = random.number(1...4) * max(1, rows.count / 100)
    expect(
      "pages of \(limit) \(what)",
      {
        var pages: [Transaction] = []
        var key: TransactionPosition?
        repeat {
          let page = try snapshot.transactions(filter, after: key, limit: limit)
          pages += page.map(\.compared)
          key = page.last?.key
        } while key != nil && pages.count <= rows.count
        return pages
      }, { rows })
    for _ in 0..<2 {
      let offset = random.number(0...rows.count + 1)
      expect(
        "page of \(limit) at \(offset) \(what)",
        { try snapshot.transactions(filter, offset: offset, limit: limit).map(\.compared) },
        { Array(rows.dropFirst(offset).prefix(limit)) })
    }
    pagesBefore(filter, rows, snapshot)
    let sections = Result { try oracle.sections(filter) }
    expect(
      "sections \(what)", { try snapshot.sections(filter, limit: 1_000) },
      { Array(try sections.get().prefix(1_000)) })
    let day = day()
    expect(
      "sections before \(day), \(limit), \(what)",
      { try snapshot.sections(filter, before: day, limit: limit) },
      { Array(try sections.get().filter { $0.day < day }.prefix(limit)) })
  }
}

extension Oracle {
  func accounts(includingClosed: Bool, includingDeleted: Bool) -> [Account] {
    accounts.filter { $0.isDeleted ? includingDeleted : includingClosed || !$0.isClosed }
  }
}

extension Transaction {
  /// A copy of the transaction with a constant instead of the import fingerprint, because the
  /// oracle doesn't compute fingerprints.
  var compared: Transaction {
    var compared = self
    if importIdentity?.original != nil { compared.importIdentity?.original = Oracle.changedMark }
    return compared
  }
}

extension ExchangeRate {
  var withoutNumber: ExchangeRate {
    ExchangeRate(base: base, quoted: quoted, day: day, quote: quote)
  }
}

extension TransactionFilter {
  fileprivate var summary: String {
    var parts: [String] = []
    if !accounts.isEmpty { parts.append("accounts \(accounts)") }
    if !categories.isEmpty { parts.append("categories \(categories) (\(includesSubcategories))") }
    if isUncategorized { parts.append("uncategorised") }
    if let status { parts.append("\(status)") }
    if !amounts.isEmpty { parts.append("amounts \(amounts)") }
    if let payee { parts.append("payee “\(payee)” (whole \(matchesWholePayee))") }
    if !tags.isEmpty { parts.append("tags \(tags)") }
    if let type { parts.append("\(type)") }
    if let currency { parts.append("\(currency)") }
    if let days { parts.append("\(days)") }
    if let isExcluded { parts.append("excluded \(isExcluded)") }
    if let text { parts.append("“\(text)”") }
    return parts.isEmpty ? "of all" : "of " + parts.joined(separator: ", ")
  }
}
