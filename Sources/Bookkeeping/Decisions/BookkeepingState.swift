public import Entities

/// What a decision reads, and where it puts its changes.
///
/// The engine implements it over State and an overlay of what was decided but not yet committed, so
/// that a later command of a group sees the earlier ones. Where a refusal is thrown, the caller drops
/// what was applied since the command began.
///
/// Built-in accounts and categories are never asked for, save by
/// `transactions(touching:)` and `transactions(on:account:)`.
public protocol BookkeepingState {
  /// The present record of an entity and its recording number, or `nil`.
  mutating func record(
    _ kind: EntityKind, _ id: EntityID
  ) throws -> (record: Record, number: UInt64)?
  /// All entities of a kind of which there are few: budgets, series, rules, assertions.
  mutating func records(
    _ kind: EntityKind
  ) throws -> [(id: EntityID, number: UInt64, record: Record)]

  /// All accounts, deleted ones too.
  mutating func accounts() throws -> [Account]
  /// All categories, deleted ones too, as they are read (`Category.belowLiving(_:)`).
  mutating func categories() throws -> [Category]
  /// An account, deleted or not.
  mutating func account(_ id: AccountID) throws -> Account?
  /// A category, deleted or not, as it is read.
  mutating func category(_ id: CategoryID) throws -> Category?
  /// The ledger's settings; those of a new ledger where none are stored.
  mutating func settings() throws -> LedgerSettings
  /// The account that is not deleted and whose name has the same `Folding.key`.
  mutating func account(named name: String) throws -> Account?
  /// The category that is not deleted and whose name has the same `Folding.key`, of a kind and parent.
  mutating func category(
    named name: String, kind: CategoryKind, parent: CategoryID?
  ) throws -> Category?

  /// The newest rate of a currency in another, no later than a day.
  mutating func rate(
    _ base: Currency, _ quoted: Currency, on day: Day
  ) throws -> DatedQuote?
  /// The currencies that have rates, in order of their codes.
  mutating func ratedCurrencies() throws -> [Currency]

  /// The transactions that have a posting on an account or category.
  mutating func transactions(touching account: PostingAccount) throws -> [TransactionID]
  /// The transactions of a day that have a posting on an account.
  mutating func transactions(on day: Day, account: AccountID) throws -> [Transaction]
  /// What an account holds at the end of a day, its opening included, in minor units of its currency.
  mutating func balance(of account: AccountID, on day: Day) throws -> Int128
  /// The transactions that belong to a series, in order of their due days; on one due day or all.
  mutating func occurrences(of series: SeriesID, on due: Day?) throws -> [Occurrence]

  /// The next recording number of a kind; accounts and categories begin with 16, others with 1.
  mutating func nextNumber(_ kind: EntityKind) throws -> UInt64
  /// The recording number for an entity that is inserted; `former` is the one that it had before.
  mutating func number(
    ofInserted kind: EntityKind, _ id: EntityID, former: UInt64?
  ) throws -> UInt64
  /// A new id, greater than those before it.
  mutating func newID() -> EntityID
  /// Takes a change; what is read afterwards shows it.
  mutating func apply(_ change: Change) throws
  /// Hears how many changes are about to come, where they are many.
  mutating func expect(changeCount: Int)
}

extension BookkeepingState {
  /// Makes nothing of it.
  public mutating func expect(changeCount: Int) {}
}
