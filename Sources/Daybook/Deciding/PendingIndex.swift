import Entities
internal import Projecting
import Recurring

/// What pending changes did to transactions and rates, found by day and pair: the tables of projections lack them.
///
/// It may know of changes that the tables hold by now. What it gives are candidates, and each is looked up anew; a
/// rate that it gives is still the newest.
///
/// Not `Sendable`: it belongs to the thread that decides, and serves one context.
final class PendingIndex: PendingFollower {
  /// A pair of currencies.
  struct Pair: Hashable {
    let base: Currency
    let quoted: Currency
  }

  private weak var context: DecisionContext?
  /// The ordinals of the changes it was made from.
  private let firstOrdinal: UInt32
  private var nextOrdinal: UInt32
  /// Whether a change that it knows of was dropped.
  private var isSpoilt = false
  private struct Place: Hashable {
    let day: Day
    let account: EntityID
  }

  private var places: [Place: Set<EntityID>] = [:]
  private var linked: [SeriesID: [Day: Set<EntityID>]] = [:]
  private(set) var transactions: Set<EntityID> = []
  private(set) var rates: [Pair: [Day: Quote?]] = [:]

  /// So many changes more than are pending it may know of.
  private static let excessCountMax = 4_096

  init(_ context: DecisionContext) {
    self.context = context
    firstOrdinal = context.firstOrdinal
    nextOrdinal = context.firstOrdinal
    context.follower = self
  }

  /// Whether this is the index of a context, holds nothing of a decision that was dropped, and not much that the
  /// tables hold.
  func isCurrent(_ other: DecisionContext) -> Bool {
    context === other && !isSpoilt
      && Int(other.firstOrdinal &- firstOrdinal) <= PendingIndex.excessCountMax
  }

  func didDrop(from ordinal: UInt32) {
    // Ordinals go round the end: which is the later one is told from their distances.
    if ordinal &- firstOrdinal < nextOrdinal &- firstOrdinal { isSpoilt = true }
  }

  /// Takes over the changes that have come since it was asked last.
  func catchUp(_ context: DecisionContext) throws {
    // What the tables hold by now need not be known.
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

  /// Transactions with pending changes that are, or were, of a day and an account.
  func transactions(of day: Day, account: AccountID) -> Set<EntityID> {
    places[Place(day: day, account: account.rawValue)] ?? []
  }

  /// Transactions with pending changes that belong, or belonged, to a series: to one due day, or
  /// to all.
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
          // Built-in accounts are stored as a code alone: `PostingAccount` knows their ids.
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
