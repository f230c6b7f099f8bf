internal import DaybookEngine
import DaybookEntities
import DaybookProjections

/// An index of pending changes to transactions and rates, which aren't in the projections' tables
/// yet.
///
/// It finds transactions by day and account or by series, and rates by currency pair. The index may
/// still include changes that have reached the tables. The index returns transactions as
/// candidates, whose current state must be looked up; a returned rate is always the newest.
///
/// Not `Sendable`: the index belongs to the writer's thread and is used with one context.
final class PendingIndex: PendingFollower {
  /// A pair of currencies.
  struct Pair: Hashable {
    let base: Currency
    let quoted: Currency
  }

  private weak var context: DecisionContext?
  /// The ordinals of the indexed changes.
  private let firstOrdinal: UInt32
  private var nextOrdinal: UInt32
  /// Whether an indexed change was dropped.
  private var isSpoilt = false
  private struct Place: Hashable {
    let day: Day
    let account: EntityID
  }

  private var places: [Place: Set<EntityID>] = [:]
  private var linked: [SeriesID: [Day: Set<EntityID>]] = [:]
  private(set) var transactions: Set<EntityID> = []
  private(set) var rates: [Pair: [Day: Quote?]] = [:]

  /// The maximum number of indexed changes that are no longer pending.
  private static let excessCountMax = 4_096

  init(_ context: DecisionContext) {
    self.context = context
    firstOrdinal = context.firstOrdinal
    nextOrdinal = context.firstOrdinal
    context.follower = self
  }

  /// Returns whether the index can be used with a context.
  ///
  /// It must belong to the context, contain no dropped changes, and contain few changes that are
  /// already in the tables.
  func isCurrent(_ other: DecisionContext) -> Bool {
    context === other && !isSpoilt
      && Int(other.firstOrdinal &- firstOrdinal) <= PendingIndex.excessCountMax
  }

  func didDrop(from ordinal: UInt32) {
    // Ordinals wrap around, so compare their distances from the first ordinal.
    if ordinal &- firstOrdinal < nextOrdinal &- firstOrdinal { isSpoilt = true }
  }

  /// Indexes the changes since the last call.
  func catchUp(_ context: DecisionContext) throws {
    // Skip changes that have reached the tables.
    if nextOrdinal &- firstOrdinal < context.firstOrdinal &- firstOrdinal {
      nextOrdinal = context.firstOrdinal
    }
    let changes = context.pendingChanges
    var index = Int(nextOrdinal &- context.firstOrdinal)
    while index < changes.count {
      try take(changes[index])
      index += 1
      nextOrdinal &+= 1
    }
  }

  /// Returns the transactions with pending changes that have, or had, a given day and account.
  func transactions(of day: Day, account: AccountID) -> Set<EntityID> {
    places[Place(day: day, account: account.rawValue)] ?? []
  }

  /// Returns the transactions with pending changes that belong, or belonged, to a recurring
  /// transaction.
  ///
  /// - Parameter due: The due date, or `nil` for any.
  func transactions(of series: SeriesID, due: Day?) -> Set<EntityID> {
    guard let days = linked[series] else { return [] }
    if let due { return days[due] ?? [] }
    return days.values.reduce(into: []) { $0.formUnion($1) }
  }

  private func take(_ change: Change) throws {
    switch change.kind {
    case .transaction:
      transactions.insert(change.id)
      for record in [change.before, change.after] {
        guard let record else { continue }
        if let (series, due) = try Recurring.place(of: record.bytes.span.bytes) {
          linked[series, default: [:]][due, default: []].insert(change.id)
        }
        let figures = try TransactionFigures(record.bytes.span.bytes)
        let day = figures.day
        try figures.forEachPosting { code, id, _, _ in
          // Built-in accounts are stored only as a code; `PostingAccount` supplies their ids.
          guard case .account(let account) = PostingAccount(code: code, id: id) else { return }
          places[Place(day: day, account: account.rawValue), default: []].insert(change.id)
        }
      }
    case .rate:
      if let before = change.before {
        let rate = try ExchangeRate(record: before, id: change.id, number: change.number)
        rates[Pair(base: rate.base, quoted: rate.quoted), default: [:]][rate.day] = .some(nil)
      }
      if let stored = change.stored {
        let rate = try ExchangeRate(stored: stored)
        rates[Pair(base: rate.base, quoted: rate.quoted), default: [:]][rate.day] = rate.quote
      }
    default: break
    }
  }
}
