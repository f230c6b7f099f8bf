internal import Projecting
import Recurring

/// What the changes of a batch did to transactions and rates, found by day and pair: the tables of
/// projections say only what was before the batch.
///
/// Not `Sendable`: it belongs to the writer's thread and serves one batch.
final class PendingIndex {
  /// A pair of currencies.
  struct Pair: Hashable {
    let base: Currency
    let quoted: Currency
  }

  private weak var context: DecisionContext?
  private var seenCount = 0
  private struct Place: Hashable {
    let day: Day
    let account: EntityID
  }

  private var places: [Place: Set<EntityID>] = [:]
  private var linked: [SeriesID: [Day: Set<EntityID>]] = [:]
  private(set) var transactions: Set<EntityID> = []
  private(set) var rates: [Pair: [Day: Quote?]] = [:]
  /// Whether a rate was removed in this batch.
  private(set) var removesRates = false

  init(_ context: DecisionContext) { self.context = context }

  /// Whether this is the index of a batch and holds nothing of a decision that was dropped.
  ///
  /// Ask when a decision begins: what it may have seen of a dropped one is then beyond the end.
  func isCurrent(_ other: DecisionContext) -> Bool {
    context === other && seenCount <= other.pendingChanges.count
  }

  /// Takes over the changes that have come since it was asked last.
  func catchUp(_ context: DecisionContext) throws {
    let changes = context.pendingChanges
    while seenCount < changes.count {
      try take(changes[seenCount])
      seenCount += 1
    }
  }

  /// Transactions that the batch changed and that are, or were, of a day and an account.
  func transactions(of day: Day, account: AccountID) -> Set<EntityID> {
    places[Place(day: day, account: account.rawValue)] ?? []
  }

  /// Transactions that the batch changed and that belong, or belonged, to a series: to one due day, or
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
          // Built-in accounts are stored as a code alone: the target knows their ids.
          guard case .account(let account) = Target(code: code, id: id) else { return }
          places[Place(day: day, account: account.rawValue), default: []].insert(change.id)
        }
      }
    case .rate:
      if let before = change.before {
        let rate = try ExchangeRate(record: before, id: change.id, number: change.number)
        rates[Pair(base: rate.base, quoted: rate.quoted), default: [:]][rate.day] = .some(nil)
        if change.after == nil { removesRates = true }
      }
      if let stored = change.stored {
        let rate = try ExchangeRate(stored: stored)
        rates[Pair(base: rate.base, quoted: rate.quoted), default: [:]][rate.day] = rate.quote
      }
    default: break
    }
  }
}
