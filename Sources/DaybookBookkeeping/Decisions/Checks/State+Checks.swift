import DaybookEntities

extension BookkeepingState {
  /// Returns an account that exists and is not built in, or refuses.
  mutating func required(_ id: AccountID) throws(Refusal) -> Account {
    if let name = Account.builtinName(id) {
      throw Refusal(
        .builtin, "can't use the built-in account \(name) here; choose an account of the ledger",
        [id.rawValue])
    }
    guard let found = try reading({ try account(id) }) else {
      throw Refusal(
        .missing, "there is no account with the id \(id); create it first, or check the id",
        [id.rawValue])
    }
    return found
  }

  /// Returns a category that exists, built in or not, or refuses.
  mutating func anyCategory(_ id: CategoryID) throws(Refusal) -> Category {
    if id.isBuiltin, let builtin = Category.builtin(id) { return builtin }
    guard let found = try reading({ try category(id) }) else {
      throw Refusal(
        .missing, "there is no category with the id \(id); create it first, or check the id",
        [id.rawValue])
    }
    return found
  }

  /// Returns a category that exists and is not built in, or refuses.
  mutating func required(_ id: CategoryID) throws(Refusal) -> Category {
    let found = try anyCategory(id)
    guard !id.isBuiltin else {
      throw Refusal(
        .builtin,
        "can't use the built-in \(found.kind) category “\(found.name)” here; choose a category of "
          + "the ledger",
        [id.rawValue])
    }
    return found
  }

  /// Returns a transaction with its stored record, or refuses.
  mutating func required(_ id: TransactionID) throws(Refusal) -> Stored<Transaction> {
    guard let stored: Stored<Transaction> = try stored(id.rawValue) else {
      throw Refusal(
        .missing, "there is no transaction with the id \(id); it may have been deleted",
        [id.rawValue])
    }
    return stored
  }

  /// An entity with its stored record, or `nil`.
  @inline(__always)
  mutating func stored<Entity: LedgerEntity>(
    _ id: EntityID
  ) throws(Refusal) -> Stored<Entity>? {
    try reading {
      guard let (record, number) = try record(Entity.kind, id) else { return nil }
      return Stored(
        entity: try Entity(record: record, id: id, number: number), record: record)
    }
  }

  /// Applies a change from the stored entity to `after`, unless they are equal.
  @inline(__always)
  mutating func emit<Entity: LedgerEntity>(
    _ stored: Stored<Entity>?, _ after: Entity?
  ) throws(Refusal) {
    guard let id = after?.entityID ?? stored?.entity.entityID else { return }
    try emit(
      Entity.kind, id, number: stored?.entity.number, stored?.record, after?.record())
  }

  /// Applies a change between two records, unless they are equal.
  mutating func emit(
    _ kind: EntityKind, _ id: EntityID, number: UInt64?, _ before: Record?, _ after: Record?
  ) throws(Refusal) {
    guard before != after else { return }
    do {
      let number =
        before == nil
        ? try self.number(ofInserted: kind, id, former: number) : try number ?? nextNumber(kind)
      try apply(Change(kind: kind, id: id, number: number, before: before, after: after))
    } catch {
      throw Refusal(state: error)
    }
  }

  /// Refuses days outside the supported range.
  func check(_ day: Day, _ what: @autoclosure () -> String) throws(Refusal) {
    guard day.isInRange else {
      throw Refusal(
        .day, "\(what()) is out of range; use a day from \(Day.min) to \(Day.max)")
    }
  }

  /// Refuses currencies that neither ISO 4217 nor the ledger defines.
  mutating func check(_ currency: Currency) throws(Refusal) {
    if let known = Currency.iso(packedCode: currency.packedCode) {
      guard known == currency else { throw Refusal.digits(currency, known) }
      return
    }
    let definition: Stored<CurrencyDefinition>? =
      currency.isWellFormed ? try stored(CurrencyDefinition.id(of: currency)) : nil
    guard let known = definition?.entity.currency else {
      throw Refusal(
        .currency,
        "“\(currency.code)” isn't an ISO 4217 currency or a currency defined in this ledger; check "
          + "the code, or define the currency"
      )
    }
    guard known == currency else { throw Refusal.digits(currency, known) }
  }

  /// Trims a name and refuses it if it is invalid.
  func checkedName(_ name: String, of what: String) throws(Refusal) -> String {
    let trimmed = trim(name)
    guard !trimmed.isEmpty else {
      throw Refusal(.text, "the name of \(what) is empty; enter a name")
    }
    try check(trimmed, "the name of \(what)", max: Limits.nameByteCountMax)
    if let scalar = Invisible.first(in: trimmed) {
      throw Refusal(
        .text,
        "the name of \(what) contains the invisible character \(Invisible.code(of: scalar)); "
          + "remove it"
      )
    }
    return trimmed
  }

  /// Refuses texts that are too long.
  @inline(__always)
  func check(
    _ text: String, _ what: @autoclosure () -> String, max: Int
  ) throws(Refusal) {
    guard text.utf8.count <= max else {
      throw Refusal(
        .limit,
        "\(what()) is too long: it has \(text.utf8.count) bytes, and the limit is \(max); shorten "
          + "it"
      )
    }
  }

  /// Refuses tags if there are too many, or if one is too long or empty.
  func check(tags: [String], of what: @autoclosure () -> String) throws(Refusal) {
    if tags.isEmpty { return }
    guard tags.count <= Limits.tagCountMax else {
      throw Refusal(
        .limit,
        "\(what()) has \(tags.count) tags, and the limit is \(Limits.tagCountMax); remove some")
    }
    for tag in tags {
      guard !tag.isEmpty else { throw Refusal(.text, "\(what()) has an empty tag; remove it") }
      try check(tag, "the tag “\(tag.excerpt)” of \(what())", max: Limits.tagByteCountMax)
    }
  }
}

/// An entity and its stored record.
struct Stored<Entity: LedgerEntity> {
  var entity: Entity
  var record: Record
}

extension Refusal {
  fileprivate static func digits(_ given: Currency, _ known: Currency) -> Refusal {
    Refusal(
      .currency,
      "\(known.code) has \(known.digits) decimals, not \(given.digits); give amounts in its minor "
        + "units"
    )
  }
}

/// Returns a text without leading and trailing white space.
func trim(_ text: String) -> String {
  // Fast path: nearly every text begins and ends with a printable ASCII character.
  let printed = UInt8(ascii: "!")...UInt8(ascii: "~")
  if let first = text.utf8.first, let last = text.utf8.last, printed.contains(first),
    printed.contains(last)
  {
    return text
  }
  var rest = text[...]
  while rest.first?.isWhitespace == true { rest.removeFirst() }
  while rest.last?.isWhitespace == true { rest.removeLast() }
  return String(rest)
}

extension CategoryKind: CustomStringConvertible {
  /// "income" or "expense".
  public var description: String { self == .income ? "income" : "expense" }
}
