import DaybookEngine
import DaybookLMDB
import DaybookProjections

/// Caches the figures of budget periods between queries.
///
/// Without it, budgets with rollover or several currencies would be summed by every query. The
/// cache doesn't need to be notified of commits. A snapshot of a later commit finds the changed
/// days in the journal, and discards the periods from the first changed day on.
final class BudgetCache: Sendable {
  private struct Entry {
    var token: Token
    let origin: FigureOrigin
    var budgets: [BudgetID: BudgetPeriods] = [:]
  }

  private let entry = Lock<Entry?>(nil)

  /// The kinds of entities that don't affect a budget's figures, or affect them only through
  /// transactions or budgets, which are checked separately.
  private static let unrelated: Set<EntityKind> = [
    .account, .budget, .series, .rule, .assertion, .fingerprint, .mapping,
    .allocation, .terms,
  ]

  /// Returns the cached periods of a budget as of a snapshot's commit.
  func periods(
    of budget: Budget, firstWeekday: Int, in snapshot: borrowing Snapshot
  ) -> BudgetPeriods {
    if let known = current(in: snapshot)?.budgets[budget.id], known.budget == budget,
      known.firstWeekday == firstWeekday
    {
      return known
    }
    return BudgetPeriods(budget, firstWeekday)
  }

  /// Stores newly computed periods of a budget as of a snapshot's commit.
  func keep(_ periods: BudgetPeriods, in snapshot: borrowing Snapshot) {
    guard periods.hasGrown else { return }
    let (token, origin) = (snapshot.view.untrackedToken, FigureOrigin(snapshot, of: Budgets.self))
    var kept = periods
    kept.hasGrown = false
    entry.withLock { entry in
      guard entry?.token == token, entry?.origin == origin else { return }
      entry?.budgets[periods.budget.id] = kept
    }
  }

  /// Discards everything.
  func forget() { entry.withLock { $0 = nil } }

  // The entry as of a snapshot's commit, or `nil` if the cached entry is of a later commit.
  private func current(in snapshot: borrowing Snapshot) -> Entry? {
    let token = snapshot.view.untrackedToken
    var fresh = Entry(token: token, origin: FigureOrigin(snapshot, of: Budgets.self))
    if let known = entry.withLock({ $0 }), known.origin == fresh.origin {
      if known.token == token { return known }
      if known.token.sequence > token.sequence { return nil }
      fresh = brought(known, to: token, in: snapshot) ?? fresh
    }
    let entry = fresh
    self.entry.withLock { present in
      if let present, present.origin.isNewer(present.token, than: entry.origin, token) { return }
      present = entry
    }
    return entry
  }

  // Updates an entry to another commit. Returns `nil` if the changes since then can't be
  // determined.
  private func brought(_ known: Entry, to token: Token, in snapshot: borrowing Snapshot) -> Entry? {
    if known.budgets.isEmpty { return nil }
    guard
      let days = snapshot.view.daysChanged(
        since: known.token, ignoring: BudgetCache.unrelated)
    else { return nil }
    var brought = known
    brought.token = token
    if let first = days.min() {
      for id in known.budgets.keys { brought.budgets[id]?.forget(from: first) }
    }
    return brought
  }
}

/// The cached periods of one budget.
struct BudgetPeriods {
  /// The amount carried into the period that begins on a given day.
  struct Place {
    let day: Day
    let carry: BudgetCarry
  }

  /// The figures of a period.
  struct Figures {
    var spent: Converted
    var planned: Converted
    /// Whether they were summed from the totals of categories, because of other currencies.
    var readsCategories = false
  }

  private struct Known {
    let period: Range<Day>
    /// The last day whose transactions counted as spent; `nil` if the period had already ended.
    let today: Day?
    let figures: Figures
  }

  let budget: Budget
  let firstWeekday: Int
  /// The amounts carried into periods, without gaps.
  ///
  /// The list begins with the first period, and ends with the last period that follows an ended
  /// one.
  private var carries: [Place] = []
  private var figures: [Day: Known] = [:]
  /// Whether any figures were summed from the totals of categories.
  private(set) var readsCategories = false
  /// Whether anything has been added since this value was read from the cache.
  fileprivate(set) var hasGrown = false

  /// The maximum number of periods with cached figures.
  private static let figureCountMax = 32

  init(_ budget: Budget, _ firstWeekday: Int) {
    self.budget = budget
    self.firstWeekday = firstWeekday
  }

  /// Returns the last known carry at or before a day.
  func carry(atOrBefore day: Day) -> Place? {
    var (low, high) = (0, carries.count)
    while low < high {
      let middle = (low + high) / 2
      if carries[middle].day <= day { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? carries[low - 1] : nil
  }

  /// Returns the carry that is `count` periods before the last known carry at or before a day.
  func carry(_ count: Int, periodsBefore day: Day) -> Place? {
    let known = carries.prefix { $0.day <= day }
    return known.count > count ? known[known.count - 1 - count] : nil
  }

  /// Stores the amount carried into a period, if the period is the first or follows the last known
  /// one.
  ///
  /// - Parameter previous: The previous period's first day; `nil` for the first period.
  mutating func remember(
    _ carry: BudgetCarry, into start: Day, after previous: Day?, readingCategories: Bool = false
  ) {
    if readingCategories { readsCategories = true }
    guard carries.last?.day == previous else { return }
    carries.append(Place(day: start, carry: carry))
    hasGrown = true
  }

  /// Returns the cached figures of a period, or `nil` if there are none.
  func figures(of period: Range<Day>, today: Day) -> Figures? {
    guard let known = figures[period.lowerBound], known.period == period else { return nil }
    return known.today == BudgetPeriods.limit(period, today) ? known.figures : nil
  }

  /// Stores the figures of a period.
  mutating func remember(_ figures: Figures, of period: Range<Day>, today: Day) {
    if figures.readsCategories { readsCategories = true }
    if self.figures.count >= BudgetPeriods.figureCountMax { self.figures.removeAll() }
    self.figures[period.lowerBound] = Known(
      period: period, today: BudgetPeriods.limit(period, today), figures: figures)
    hasGrown = true
  }

  /// Discards everything that depends on a day or later days.
  mutating func forget(from day: Day) {
    figures = figures.filter { $0.value.period.upperBound <= day }
    // A change in the first period may make another period the first.
    guard carries.count > 1, carries[1].day <= day else { return carries.removeAll() }
    carries.removeAll { $0.day > day }
  }

  // In a period that ended by `today`, all transactions count as spent, so the figures don't depend
  // on `today`.
  private static func limit(_ period: Range<Day>, _ today: Day) -> Day? {
    period.upperBound <= today.adding(days: 1) ? nil : today
  }
}
