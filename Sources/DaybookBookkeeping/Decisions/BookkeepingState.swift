public import DaybookEntities

/// The state that a decision reads, and to which it applies its changes.
///
/// The engine implements it over State and an overlay of decided but uncommitted changes, so that a
/// later command of a group sees the changes of earlier ones. If a decision throws a refusal, the
/// caller discards the changes applied since the command began.
///
/// Built-in accounts and categories are passed only to `transactions(touching:)` and
/// `transactions(on:account:)`.
public protocol BookkeepingState {
  /// The current record of an entity and its recording number, or `nil`.
  mutating func record(
    _ kind: EntityKind, _ id: EntityID
  ) throws -> (record: Record, number: UInt64)?
  /// All entities of a kind that has few: budgets, series, rules, assertions.
  mutating func records(
    _ kind: EntityKind
  ) throws -> [(id: EntityID, number: UInt64, record: Record)]

  /// All accounts, including deleted ones.
  mutating func accounts() throws -> [Account]
  /// All categories, including deleted ones, with their effective parents
  /// (`Category.belowLiving(_:)`).
  mutating func categories() throws -> [Category]
  /// An account, deleted or not.
  mutating func account(_ id: AccountID) throws -> Account?
  /// A category, deleted or not, with its effective parent.
  mutating func category(_ id: CategoryID) throws -> Category?
  /// The ledger's settings, or the defaults of a new ledger if none are stored.
  mutating func settings() throws -> LedgerSettings
  /// The account that isn't deleted and whose name has the same `Folding.key`.
  mutating func account(named name: String) throws -> Account?
  /// The undeleted category of a kind and parent whose name has the same `Folding.key` as
  /// the given one.
  mutating func category(
    named name: String, kind: CategoryKind, parent: CategoryID?
  ) throws -> Category?

  /// The newest rate from one currency to another on or before a day.
  mutating func rate(
    _ base: Currency, _ quoted: Currency, on day: Day
  ) throws -> DatedQuote?
  /// The currencies that have rates, ordered by code.
  mutating func ratedCurrencies() throws -> [Currency]

  /// The transactions that have a posting on an account or category.
  mutating func transactions(touching account: PostingAccount) throws -> [TransactionID]
  /// The transactions of a day that have a posting on an account.
  mutating func transactions(on day: Day, account: AccountID) throws -> [Transaction]
  /// An account's balance at the end of a day, including its opening balance, in minor units.
  mutating func balance(of account: AccountID, on day: Day) throws -> Int128
  /// The transactions of a series, ordered by due date; for one due date, or for all if `nil`.
  mutating func occurrences(of series: SeriesID, on due: Day?) throws -> [Occurrence]

  /// The next recording number of a kind. Accounts and categories start at 16, other kinds at 1.
  mutating func nextNumber(_ kind: EntityKind) throws -> UInt64
  /// The recording number for an inserted entity; `former` is the number it had before.
  mutating func number(
    ofInserted kind: EntityKind, _ id: EntityID, former: UInt64?
  ) throws -> UInt64
  /// A new id, greater than all earlier ones.
  mutating func newID() -> EntityID
  /// Applies a change, which later reads then reflect.
  mutating func apply(_ change: Change) throws
  /// Announces a large number of changes, so that the implementation can reserve capacity.
  mutating func expect(changeCount: Int)
}

extension BookkeepingState {
  /// Ignores the announcement.
  public mutating func expect(changeCount: Int) {}
}
