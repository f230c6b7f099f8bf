// Goal: a state to decide on that is too simple to be wrong.
// Method: dictionaries of records; every look-up is a scan; every change is checked against what is
// stored, so that a decision that invents its before-values fails at once.

import DaybookBookkeeping
import DaybookEntities

struct StateFault: Error { var message: String }

struct DictionaryState: BookkeepingState {
  var stored: [EntityKind: [EntityID: (record: Record, number: UInt64)]] = [:]
  var numbers: [EntityKind: UInt64] = [:]
  var ids: UInt64 = 1000
  var changes: [Change] = []

  func record(
    _ kind: EntityKind, _ id: EntityID
  ) throws -> (record: Record, number: UInt64)? {
    stored[kind]?[id]
  }

  func records(
    _ kind: EntityKind
  ) throws -> [(id: EntityID, number: UInt64, record: Record)] {
    (stored[kind] ?? [:]).sorted { $0.key < $1.key }.map {
      ($0.key, $0.value.number, $0.value.record)
    }
  }

  func all<Entity: LedgerEntity>(_: Entity.Type = Entity.self) throws -> [Entity] {
    try (stored[Entity.kind] ?? [:]).map {
      try Entity(record: $0.value.record, id: $0.key, number: $0.value.number)
    }.sorted { $0.number < $1.number }
  }

  func accounts() throws -> [Account] { try all() }
  func categories() throws -> [DaybookBookkeeping.Category] {
    try all(DaybookBookkeeping.Category.self).belowLiving()
  }
  func account(_ id: AccountID) throws -> Account? { try accounts().first { $0.id == id } }
  func category(_ id: CategoryID) throws -> DaybookBookkeeping.Category? {
    try categories().first { $0.id == id }
  }
  func settings() throws -> LedgerSettings {
    try all(LedgerSettings.self).first ?? LedgerSettings()
  }
  func accounts(numbered key: String) throws -> [Account] {
    try accounts().filter { account in
      !account.isDeleted && account.identifiers.contains { Account.identifierKey($0) == key }
    }
  }
  func account(named name: String) throws -> Account? {
    try accounts().first { !$0.isDeleted && Folding.key($0.name) == Folding.key(name) }
  }
  func category(
    named name: String, kind: CategoryKind, parent: CategoryID?
  ) throws -> DaybookBookkeeping.Category? {
    try categories().first {
      !$0.isDeleted && $0.kind == kind && $0.parent == parent
        && Folding.key($0.name) == Folding.key(name)
    }
  }

  func transactions() throws -> [Transaction] { try all() }
  func transaction(_ id: TransactionID) throws -> Transaction? {
    try transactions().first { $0.id == id }
  }

  func rate(
    _ base: Currency, _ quoted: Currency, on day: Day
  ) throws -> DatedQuote? {
    let rates: [ExchangeRate] = try all()
    return rates.filter { $0.base == base && $0.quoted == quoted && $0.day <= day }
      .max { $0.day < $1.day }.map { DatedQuote(day: $0.day, quote: $0.quote) }
  }

  func ratedCurrencies() throws -> [Currency] {
    let rates: [ExchangeRate] = try all()
    return Set(rates.flatMap { [$0.base, $0.quoted] }).sorted()
  }

  func transactions(touching account: PostingAccount) throws -> [TransactionID] {
    try transactions().filter { $0.postings.contains { $0.account == account } }.map(\.id)
  }
  func transactions(on day: Day, account: AccountID) throws -> [Transaction] {
    try transactions().filter {
      $0.day == day && $0.postings.contains { $0.account == .account(account) }
    }
  }
  func balance(of account: AccountID, on day: Day) throws -> Int128 {
    guard let account = try self.account(account) else { return 0 }
    var units = account.openingDay ?? day <= day ? Int128(account.openingBalance) : 0
    for transaction in try transactions() where transaction.day <= day {
      for posting in transaction.postings where posting.account == .account(account.id) {
        units += Int128(posting.amount.minorUnits)
      }
    }
    return units
  }
  func occurrences(of series: SeriesID, on due: Day?) throws -> [Occurrence] {
    try transactions().filter { $0.series == series && due ?? $0.occurrence == $0.occurrence }
      .map { Occurrence(due: $0.occurrence ?? $0.day, transaction: $0.id) }
      .sorted { $0.due < $1.due }
  }

  mutating func number(
    ofInserted kind: EntityKind, _ id: EntityID, former: UInt64?
  ) throws -> UInt64 {
    try former ?? nextNumber(kind)
  }

  mutating func nextNumber(_ kind: EntityKind) throws -> UInt64 {
    let first: UInt64 = kind == .account || kind == .category ? 16 : 1
    let number = numbers[kind] ?? first
    numbers[kind] = number + 1
    return number
  }

  mutating func newID() -> EntityID {
    ids += 1
    return EntityID(high: 7, low: ids)
  }

  mutating func apply(_ change: Change) throws {
    let before = stored[change.kind]?[change.id]
    guard before?.record == change.before, before?.number ?? change.number == change.number else {
      throw StateFault(message: "before-values of \(change) are not what is stored")
    }
    guard change.before != change.after else { throw StateFault(message: "nothing changes") }
    stored[change.kind, default: [:]][change.id] = change.after.map { ($0, change.number) }
    changes.append(change)
  }
}

extension DictionaryState {
  /// Decides a command as the engine does: a refused one leaves no trace.
  @discardableResult
  mutating func run(_ command: Command) throws(Refusal) -> Outcome {
    var layer = self
    let outcome = try decide(command, on: &layer)
    self = layer
    return outcome
  }

  /// The refusal of a command, which must leave no trace.
  func refusal(_ command: Command) -> Refusal? {
    var layer = self
    do throws(Refusal) {
      _ = try decide(command, on: &layer)
      return nil
    } catch {
      return error
    }
  }

  /// An account's balance over all days, in minor units, opening included.
  func balance(_ id: AccountID) throws -> Int128 {
    let accounts: [Account] = try all()
    var sum = Int128(accounts.first { $0.id == id }?.openingBalance ?? 0)
    for posting in try transactions().flatMap(\.postings) where posting.account == .account(id) {
      sum += Int128(posting.amount.minorUnits)
    }
    return sum
  }

  /// What went into a category in a currency over all days, in minor units.
  func spent(_ id: CategoryID, _ currency: Currency) throws -> Int128 {
    try transactions().flatMap(\.postings)
      .filter { $0.account == .category(id) && $0.amount.currency == currency }
      .reduce(0) { $0 + Int128($1.amount.minorUnits) }
  }
}
