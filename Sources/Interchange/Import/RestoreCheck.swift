import Daybook

/// Checks restored entities against each other, as decisions would have.
struct RestoreCheck {
  private struct Identity: Hashable {
    var kind: EntityKind
    var id: EntityID
  }
  private struct Numbered: Hashable {
    var kind: EntityKind
    var number: UInt64
  }

  private(set) var kinds: [CategoryID: CategoryKind] = [:]
  private var currencies: [AccountID: Currency] = [:]
  private var parents: [CategoryID: (parent: CategoryID, line: Int)] = [:]
  private var identities: Set<Identity> = []
  private var numbers: Set<Numbered> = []
  private var names: Set<String> = []

  mutating func takeIdentity(
    _ kind: EntityKind, _ id: EntityID, _ number: UInt64
  ) throws(RestoredEntities.Fault) {
    guard identities.insert(Identity(kind: kind, id: id)).inserted else {
      throw .init(reason: "the id \(id) stands on an earlier line of the same type")
    }
    let least: UInt64 = kind == .account || kind == .category ? 16 : 1
    guard number >= least, number < 1 << 39,
      numbers.insert(Numbered(kind: kind, number: number)).inserted
    else {
      throw .init(reason: "the number \(number) is taken or not from \(least) on")
    }
  }

  mutating func take(_ account: Account, _ line: Int) throws(RestoredEntities.Fault) {
    try check(account.name, "account")
    guard !account.id.isBuiltin, account.id != .new else {
      throw .init(reason: "the id \(account.id) belongs to something built in")
    }
    if !account.isDeleted, !names.insert(Folding.key(account.name)).inserted {
      throw .init(reason: "another account is called \(account.name)")
    }
    if let day = account.openingDay { try check(day) }
    currencies[account.id] = account.currency
  }

  mutating func take(_ category: Category, _ line: Int) throws(RestoredEntities.Fault) {
    try check(category.name, "category")
    guard !category.id.isBuiltin, category.id != .new else {
      throw .init(reason: "the id \(category.id) belongs to something built in")
    }
    let place = "\(category.kind)\n\(category.parent.map(String.init(describing:)) ?? "")\n"
    if !category.isDeleted, !names.insert(place + Folding.key(category.name)).inserted {
      throw .init(reason: "another category beside it is called \(category.name)")
    }
    kinds[category.id] = category.kind
    if let parent = category.parent { parents[category.id] = (parent, line) }
  }

  mutating func take(_ mapping: SavedMapping) throws(RestoredEntities.Fault) {
    try check(mapping.name, "mapping")
    guard mapping.contents.utf8.count <= Limits.mappingByteCountMax, !mapping.contents.isEmpty
    else { throw .init(reason: "the text of the mapping is empty or longer than it may be") }
    guard names.insert("mapping\n" + Folding.key(mapping.name)).inserted else {
      throw .init(reason: "another mapping is called \(mapping.name)")
    }
  }

  func take(_ transaction: Transaction) throws(RestoredEntities.Fault) {
    try check(transaction.day)
    guard (1...Limits.postingCountMax).contains(transaction.postings.count) else {
      throw .init(reason: "a transaction has from 1 to \(Limits.postingCountMax) postings")
    }
    guard transaction.description.utf8.count <= Limits.descriptionByteCountMax,
      transaction.payee.utf8.count <= Limits.payeeByteCountMax,
      transaction.note.utf8.count <= Limits.noteByteCountMax,
      transaction.tags.count <= Limits.tagCountMax,
      transaction.tags.allSatisfy({ (1...Limits.tagByteCountMax).contains($0.utf8.count) })
    else { throw .init(reason: "a text of the transaction is longer than it may be") }
    var sums: [Currency: Int128] = [:]
    for posting in transaction.postings {
      try require(posting.target, posting.amount.currency)
      sums[posting.amount.currency, default: 0] += Int128(posting.amount.minorUnits)
    }
    if let rest = sums.first(where: { $0.value != 0 }) {
      let total = Total(units: rest.value, currency: rest.key)
      throw .init(reason: "the postings do not sum to zero but to \(total)")
    }
  }

  func require(
    _ target: Target, _ currency: Currency? = nil
  ) throws(RestoredEntities.Fault) {
    switch target {
    case .account(let id):
      if id.isBuiltin { return }
      guard let known = currencies[id] else {
        throw .init(reason: "there is no account \(id) above this line")
      }
      if let currency, currency != known {
        throw .init(reason: "the account \(id) is in \(known), the amount in \(currency)")
      }
    case .category(let id):
      guard id.isBuiltin || kinds[id] != nil else {
        throw .init(reason: "there is no category \(id) above this line")
      }
    }
  }

  /// What can only be seen when all lines are read: the tree of categories.
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
          reason: "The category above it is missing, of the other kind, or below it.",
          remedy: "Correct the line, or export the ledger again."))
    }
    return bad
  }

  private func check(_ name: String, _ what: String) throws(RestoredEntities.Fault) {
    guard !Folding.key(name).isEmpty, name.utf8.count <= Limits.nameByteCountMax else {
      throw .init(reason: "the name of the \(what) is empty or too long")
    }
  }

  private func check(_ day: Day) throws(RestoredEntities.Fault) {
    guard day.isInRange else { throw .init(reason: "the day \(day) is out of range") }
  }
}
