internal import DaybookEngine
import DaybookEntities
import DaybookProjections

/// An index of pending changes to transactions and rates, which the projections' tables don't
/// contain yet.
///
/// Transactions are found by day and account or by series, rates by currency pair. The index may
/// include changes that the tables contain by now. The transactions it returns are candidates,
/// whose current state is looked up again; a rate it returns is still the newest.
///
/// Not `Sendable`: it belongs to the deciding thread, and serves one context.
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

  /// The maximum number of indexed changes beyond the pending ones.
  private static let excessCountMax = 4_096

  init(_ context: DecisionContext) {
    self.context = context
    firstOrdinal = context.firstOrdinal
    nextOrdinal = context.firstOrdinal
    context.follower = self
  }

  /// Whether the index belongs to a context, contains no dropped changes, and few that the tables
  /// already contain.
  func isCurrent(_ other: DecisionContext) -> Bool {
    context === other && !isSpoilt
      && Int(other.firstOrdinal &- firstOrdinal) <= PendingIndex.excessCountMax
  }

  func didDrop(from ordinal: UInt32) {
    // Ordinals wrap around, so compare their distances from the first one.
    if ordinal &- firstOrdinal < nextOrdinal &- firstOrdinal { isSpoilt = true }
  }

  /// Indexes the changes since the last call.
  func catchUp(_ context: DecisionContext) throws {
    // Skip changes that the tables contain by now.
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

  /// Transactions with pending changes that have, or had, a given day and account.
  func transactions(of day: Day, account: AccountID) -> Set<EntityID> {
    places[Place(day: day, account: account.rawValue)] ?? []
  }

  /// Transactions with pending changes that belong, or belonged, to a series, on one due date or on
  /// any.
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
          // Built-in accounts are stored as a code only; `PostingAccount` supplies their ids.
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
