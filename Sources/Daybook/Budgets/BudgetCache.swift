import Budgets
import LMDB
import Projecting

/// Keeps what periods of budgets came to, so that a budget that is carried over, or that several currencies
/// are spent on, is not summed at each question.
///
/// It stays right without being told of commits: a snapshot of a later commit looks up in the journal which
/// days were touched since, and lets go of the periods from the first of them on.
final class BudgetCache: Sendable {
  /// Which tables figures were read from: what was read of some holds for no others, which may be there
  /// because those were wrong.
  private struct Origin: Equatable {
    /// Of the views.
    let generation: UInt32
    /// When the projection was built last.
    let buildSequence: UInt64?

    init(_ view: borrowing View) {
      generation = view.generation
      buildSequence = try? view.buildSequence(of: Budgets.self)
    }
  }

  private struct Entry {
    var token: Token
    let origin: Origin
    var budgets: [BudgetID: BudgetPeriods] = [:]
  }

  private let entry = Lock<Entry?>(nil)

  /// The most changes since the last question that are looked at; after more, all is summed anew.
  private static let changeCountMax = 1_000

  /// Kinds of entities that no figure of a budget depends on, but by itself.
  private static let unrelated: Set<EntityKind> = [
    .account, .transaction, .budget, .series, .rule, .assertion, .fingerprint, .mapping,
  ]

  /// What is known of a budget at a snapshot's commit.
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

  /// Keeps what has become known of a budget at a snapshot's commit.
  func keep(_ periods: BudgetPeriods, in snapshot: borrowing Snapshot) {
    guard periods.hasGrown else { return }
    let (token, origin) = (snapshot.view.untrackedToken, Origin(snapshot.view))
    var kept = periods
    kept.hasGrown = false
    entry.withLock { entry in
      guard entry?.token == token, entry?.origin == origin else { return }
      entry?.budgets[periods.budget.id] = kept
    }
  }

  /// Lets go of everything.
  func forget() { entry.withLock { $0 = nil } }

  // What holds at a snapshot's commit; `nil` where what is kept is of a later one.
  private func current(in snapshot: borrowing Snapshot) -> Entry? {
    let token = snapshot.view.untrackedToken
    var fresh = Entry(token: token, origin: Origin(snapshot.view))
    if let known = entry.withLock({ $0 }), known.origin == fresh.origin {
      if known.token == token { return known }
      if known.token.sequence > token.sequence { return nil }
      fresh = brought(known, to: token, in: snapshot) ?? fresh
    }
    let entry = fresh
    self.entry.withLock { present in
      // A snapshot of older views, or an older commit, must not replace what newer ones use.
      if let present, present.origin.generation > entry.origin.generation { return }
      if let present, present.origin == entry.origin, present.token.sequence > token.sequence {
        return
      }
      present = entry
    }
    return entry
  }

  // What is known brought to another commit; `nil` where it cannot be told what has happened since.
  private func brought(_ known: Entry, to token: Token, in snapshot: borrowing Snapshot) -> Entry? {
    if known.budgets.isEmpty { return nil }
    // Where the history can't be read, figures are only summed anew.
    guard
      let changes = try? snapshot.view.changes(
        since: known.token, of: .transaction, countMax: BudgetCache.changeCountMax),
      changes.kinds.isSubset(of: BudgetCache.unrelated)
    else { return nil }
    var first = Day.max
    for change in changes.entities {
      for record in [change.before, change.after] {
        guard let record else { continue }
        guard let figures = try? TransactionFigures(record.bytes.span.bytes) else { return nil }
        first = min(first, figures.day)
      }
    }
    var brought = known
    brought.token = token
    if !changes.entities.isEmpty {
      for id in known.budgets.keys { brought.budgets[id]?.forget(from: first) }
    }
    return brought
  }
}

/// What is known of the periods of one budget.
struct BudgetPeriods {
  /// What is carried into the period that begins on a day.
  struct Place {
    let day: Day
    let carry: BudgetCarry
  }

  /// What a period came to.
  struct Figures {
    var spent: Converted
    var planned: Converted
  }

  private struct Known {
    let period: Range<Day>
    /// The day up to which it was counted as spent, where the period had not ended then.
    let today: Day?
    let figures: Figures
  }

  let budget: Budget
  let firstWeekday: Int
  /// What goes into periods, from the first one on, without a gap; only from such as had ended.
  private var carries: [Place] = []
  private var figures: [Day: Known] = [:]
  /// Whether something is known that was not when it was asked for.
  fileprivate(set) var hasGrown = false

  /// The most periods whose figures are kept by themselves.
  private static let figureCountMax = 32

  init(_ budget: Budget, _ firstWeekday: Int) {
    self.budget = budget
    self.firstWeekday = firstWeekday
  }

  /// The last place up to a day where it is known what is carried.
  func carry(atOrBefore day: Day) -> Place? {
    var (low, high) = (0, carries.count)
    while low < high {
      let middle = (low + high) / 2
      if carries[middle].day <= day { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? carries[low - 1] : nil
  }

  /// The place that lies a number of periods before that.
  func carry(_ count: Int, periodsBefore day: Day) -> Place? {
    let known = carries.prefix { $0.day <= day }
    return known.count > count ? known[known.count - 1 - count] : nil
  }

  /// Remembers what goes into a period, where it is the first or follows the last that is known.
  ///
  /// - Parameter previous: the period before; `nil` for the first.
  mutating func remember(_ carry: BudgetCarry, into start: Day, after previous: Day?) {
    guard carries.last?.day == previous else { return }
    carries.append(Place(day: start, carry: carry))
    hasGrown = true
  }

  /// What a period came to, where that is known.
  func figures(of period: Range<Day>, today: Day) -> Figures? {
    guard let known = figures[period.lowerBound], known.period == period else { return nil }
    return known.today == BudgetPeriods.limit(period, today) ? known.figures : nil
  }

  /// Remembers what a period came to.
  mutating func remember(_ figures: Figures, of period: Range<Day>, today: Day) {
    if self.figures.count >= BudgetPeriods.figureCountMax { self.figures.removeAll() }
    self.figures[period.lowerBound] = Known(
      period: period, today: BudgetPeriods.limit(period, today), figures: figures)
    hasGrown = true
  }

  /// Lets go of what depends on days from one on.
  mutating func forget(from day: Day) {
    figures = figures.filter { $0.value.period.upperBound <= day }
    // With the days of the first period another may become the first.
    guard carries.count > 1, carries[1].day <= day else { return carries.removeAll() }
    carries.removeAll { $0.day > day }
  }

  // Of what ended before `today` everything is spent, whatever day it is.
  private static func limit(_ period: Range<Day>, _ today: Day) -> Day? {
    period.upperBound <= today.adding(days: 1) ? nil : today
  }
}
