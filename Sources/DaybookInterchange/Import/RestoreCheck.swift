import Daybook

/// A check that restored entities are consistent, like the ledger's checks of commands.
struct RestoreCheck {
  private struct Identity: Hashable {
    var kind: EntityKind
    var id: EntityID
  }
  private struct Numbered: Hashable {
    var kind: EntityKind
    var number: UInt64
  }

  private var kinds: [CategoryID: CategoryKind] = [:]
  private var currencies: [AccountID: Currency] = [:]
  private var definitions: Set<Currency> = []
  private var parents: [CategoryID: (parent: CategoryID, line: Int)] = [:]
  private var identities: Set<Identity> = []
  private var numbers: Set<Numbered> = []
  private var names: Set<String> = []

  /// Checks an entity and returns the entity to record.
  mutating func take<Entity: LedgerEntity>(
    _ entity: Entity, _ line: Int
  ) throws(RestoreFault) -> Entity {
    var entity = entity
    switch entity {
    case let definition as CurrencyDefinition: definitions.insert(definition.currency)
    case let account as Account: try take(account, line)
    case let category as Category: try take(category, line)
    case var transaction as Transaction:
      try take(transaction)
      transaction.type = type(of: transaction)
      if let labelled = transaction as? Entity { entity = labelled }
    case let assertion as BalanceAssertion:
      try require(.account(assertion.account), assertion.balance.currency)
    case let budget as Budget:
      for category in budget.everyCategory { try require(.category(category)) }
    case let allocation as Allocation:
      for category in [allocation.category, allocation.source].compactMap(\.self) {
        try require(.category(category))
      }
      if let account = allocation.account { try require(.account(account)) }
    case let terms as AccountTerms:
      if let category = terms.category { try require(.category(category)) }
      try require(.account(terms.account), terms.loan?.principal.currency)
    case let mapping as SavedMapping:
      if let account = mapping.account { try require(.account(account)) }
      try take(mapping)
    default: break
    }
    try takeIdentity(Entity.kind, entity.entityID, entity.number)
    return entity
  }

  /// Returns the type that follows from the postings, regardless of the type in the line.
  private func type(of transaction: Transaction) -> TransactionType {
    var type = TransactionType.transfer
    for case .category(let id) in transaction.postings.lazy.map(\.account) {
      let kind = kinds[id] ?? (id == .uncategorizedIncome ? .income : .expense)
      if kind == .income { return .income }
      type = .expense
    }
    return type
  }

  private func require(_ currency: Currency) throws(RestoreFault) {
    guard Currency.iso(currency.code) == currency || definitions.contains(currency) else {
      throw RestoreFault("the currency \(currency.code) is unknown: no earlier line defines it")
    }
  }

  private mutating func takeIdentity(
    _ kind: EntityKind, _ id: EntityID, _ number: UInt64
  ) throws(RestoreFault) {
    guard identities.insert(Identity(kind: kind, id: id)).inserted else {
      throw RestoreFault("the id \(id) is already used on an earlier line of the same type")
    }
    let least: UInt64 = kind == .account || kind == .category ? 16 : 1
    guard number >= least, number < 1 << 39,
      numbers.insert(Numbered(kind: kind, number: number)).inserted
    else {
      throw RestoreFault("the number \(number) is already used, or below \(least)")
    }
  }

  private mutating func take(_ account: Account, _ line: Int) throws(RestoreFault) {
    try check(account.name, "account")
    guard !account.id.isBuiltin, account.id != .unassigned else {
      throw RestoreFault("the id \(account.id) belongs to a built-in account")
    }
    if !account.isDeleted, !names.insert(Folding.key(account.name)).inserted {
      throw RestoreFault("another account is named \(account.name)")
    }
    if let day = account.openingDay { try check(day) }
    try require(account.currency)
    currencies[account.id] = account.currency
  }

  private mutating func take(_ category: Category, _ line: Int) throws(RestoreFault) {
    try check(category.name, "category")
    guard !category.id.isBuiltin, category.id != .unassigned else {
      throw RestoreFault("the id \(category.id) belongs to a built-in category")
    }
    let place = "\(category.kind)\n\(category.parent.map(String.init(describing:)) ?? "")\n"
    if !category.isDeleted, !names.insert(place + Folding.key(category.name)).inserted {
      throw RestoreFault("another category with the same parent is named \(category.name)")
    }
    kinds[category.id] = category.kind
    if let parent = category.parent { parents[category.id] = (parent, line) }
  }

  private mutating func take(_ mapping: SavedMapping) throws(RestoreFault) {
    try check(mapping.name, "mapping")
    guard mapping.contents.utf8.count <= Limits.mappingByteCountMax, !mapping.contents.isEmpty
    else { throw RestoreFault("the text of the mapping is empty or too long") }
    guard (0...Limits.mappingColumnCountMax).contains(mapping.look.columnCount) else {
      throw RestoreFault("\(mapping.look.columnCount) isn't a valid number of columns")
    }
    guard names.insert("mapping\n" + Folding.key(mapping.name)).inserted else {
      throw RestoreFault("another mapping is named \(mapping.name)")
    }
  }

  private func take(_ transaction: Transaction) throws(RestoreFault) {
    try check(transaction.day)
    guard (1...Limits.postingCountMax).contains(transaction.postings.count) else {
      throw RestoreFault("a transaction must have 1 to \(Limits.postingCountMax) postings")
    }
    guard transaction.description.utf8.count <= Limits.descriptionByteCountMax,
      transaction.payee.utf8.count <= Limits.payeeByteCountMax,
      transaction.note.utf8.count <= Limits.noteByteCountMax,
      transaction.tags.count <= Limits.tagCountMax,
      transaction.distinctFrom.count <= Limits.distinctCountMax,
      transaction.attachments.count <= Limits.attachmentCountMax,
      transaction.attachments.allSatisfy(\.isNamed),
      transaction.tags.allSatisfy({ (1...Limits.tagByteCountMax).contains($0.utf8.count) })
    else {
      throw RestoreFault(
        "a text of the transaction is too long, or it has too many tags or attachments")
    }
    var sums: [Currency: Int128] = [:]
    for posting in transaction.postings {
      try require(posting.amount.currency)
      try require(posting.account, posting.amount.currency)
      sums[posting.amount.currency, default: 0] += Int128(posting.amount.minorUnits)
    }
    if let rest = sums.first(where: { $0.value != 0 }) {
      let total = Total(units: rest.value, currency: rest.key)
      throw RestoreFault("the postings add up to \(total) instead of zero")
    }
  }

  private func require(
    _ account: PostingAccount, _ currency: Currency? = nil
  ) throws(RestoreFault) {
    switch account {
    case .account(let id):
      if id.isBuiltin { return }
      guard let known = currencies[id] else {
        throw RestoreFault("no earlier line has the account \(id)")
      }
      if let currency, currency != known {
        throw RestoreFault("the account \(id) is in \(known), but the amount is in \(currency)")
      }
    case .category(let id):
      guard id.isBuiltin || kinds[id] != nil else {
        throw RestoreFault("no earlier line has the category \(id)")
      }
    }
  }

  /// Checks the category tree, once all lines have been read.
  func finish() -> [BadLine] {
    var bad: [BadLine] = []
    for (id, place) in parents {
      var depth = 1
      var next: CategoryID? = id
      while let current = next, depth <= Limits.categoryDepthMax + 1 {
        next = parents[current]?.parent
        depth += 1
      }
      let isRight = kinds[place.parent] == kinds[id] && depth <= Limits.categoryDepthMax + 1
      if isRight { continue }
      bad.append(
        BadLine(
          line: place.line, code: .refused,
          reason: "The parent category is missing, has a different kind, or is below this one.",
          remedy: "Correct the line, or export the ledger again."))
    }
    return bad
  }

  private func check(_ name: String, _ what: String) throws(RestoreFault) {
    guard !Folding.key(name).isEmpty, name.utf8.count <= Limits.nameByteCountMax else {
      throw RestoreFault("the name of the \(what) is empty or too long")
    }
  }

  private func check(_ day: Day) throws(RestoreFault) {
    guard day.isInRange else { throw RestoreFault("the day \(day) is out of range") }
  }
}
