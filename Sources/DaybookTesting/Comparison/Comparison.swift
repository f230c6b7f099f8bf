import Daybook
import DaybookSampleData

/// A comparison of the ledger's answers with the oracle's answers.
///
/// Each query is sent to both. If the oracle can't answer it, the ledger must refuse it. The seed
/// determines the days, filters and pages of the queries.
struct Comparison {
  let oracle: Oracle
  /// The day around which most queries are made.
  let middle: Day
  /// The currencies to query.
  let currencies: [Currency]
  var random: SeededGenerator
  /// Whether to run all queries instead of a random selection.
  let isFull: Bool
  private(set) var differences: [String] = []
  /// The number of differences after which the comparison stops.
  let differenceCountMax: Int

  static let always = Day.min..<Day.max.adding(days: 1)

  init(
    _ oracle: Oracle, around middle: Day, in currencies: [Currency], seed: UInt64, isFull: Bool,
    differenceCountMax: Int = 4
  ) {
    self.oracle = oracle
    self.middle = middle
    self.currencies = currencies
    self.differenceCountMax = differenceCountMax
    random = SeededGenerator(seed: seed)
    self.isFull = isFull
  }

  /// Runs the queries and collects the differences in `differences`.
  mutating func run(_ snapshot: borrowing Snapshot) {
    entities(snapshot)
    lists(snapshot)
    series(snapshot)
    budgets(snapshot)
    envelopes(snapshot)
    interest(snapshot)
    rules(snapshot)
    if asks() { payeesAndTags(snapshot) }
    if asks() { balances(snapshot) }
    if asks() { totals(snapshot) }
    if asks() { categories(snapshot) }
    if asks() { converted(snapshot) }
    if asks() { convertedSeries(snapshot) }
    if asks() { insights(snapshot) }
    lookups(snapshot)
    if asks() { runningBalances(snapshot) }
  }

  /// Returns whether to run an optional group of queries.
  mutating func asks() -> Bool { isFull || random.chance(30) }

  /// Compares the two answers to a query and records a difference.
  mutating func expect<Value: Equatable>(
    _ what: @autoclosure () -> String, _ actual: () throws -> Value, _ known: () throws -> Value
  ) {
    guard differences.count < differenceCountMax else { return }
    let expected = try? known()
    do {
      let value = try actual()
      if let expected, value == expected { return }
      differences.append(DifferenceText(what(), actual: value, known: expected).text)
    } catch let error as DaybookError where error.code == .invalidQuery && expected == nil {
      // The ledger and the oracle both refuse the query.
    } catch {
      differences.append(DifferenceText(what(), refused: error, known: expected).text)
    }
  }

  // MARK: Generating queries

  mutating func today() -> Day {
    random.chance(50) ? middle : day()
  }

  mutating func day() -> Day {
    if random.chance(60), let known = random.some(oracle.transactions.map(\.day)) {
      return min(.max, max(.min, known.adding(days: random.number(-1...1))))
    }
    return middle.adding(days: random.number(-60...60))
  }

  mutating func days() -> Range<Day> {
    switch random.number(0...9) {
    case 0..<3: return Comparison.always
    case 3:
      let day = day()
      return day..<day
    case 4, 5: return day().monthOf.days
    default:
      let (one, other) = (day(), day())
      return min(one, other)..<max(one, other).adding(days: 1)
    }
  }

  mutating func months() -> Range<Month> {
    let first = day().monthOf.adding(-1)
    return first..<first.adding(random.number(0...8))
  }

  mutating func category() -> CategoryID {
    random.chance(3)
      ? CategoryID(EntityID(high: 6, low: 1))
      : random.pick(oracle.everyCategory.map(\.id))
  }

  mutating func account() -> AccountID {
    random.chance(3)
      ? random.pick([AccountID(EntityID(high: 6, low: 1)), .outside])
      : random.some(oracle.accounts.map(\.id)) ?? .outside
  }

  mutating func filter() -> TransactionFilter {
    var filter = TransactionFilter()
    let several = random.chance(30)
    func has(_ percent: Int, _ random: inout SeededGenerator) -> Bool { random.chance(percent) }
    switch random.number(0...3) {
    case 0: filter.account = account()
    case 1:
      filter.category = category()
      filter.includesSubcategories = random.chance(60)
    case 2: filter.type = random.pick(TransactionType.allCases)
    default: filter.currency = random.pick(currencies)
    }
    if several {
      if random.chance(40) { filter.account = account() }
      if random.chance(40) { filter.category = category() }
      if random.chance(30) { filter.type = random.pick(TransactionType.allCases) }
      if random.chance(30) { filter.currency = random.pick(currencies) }
    }
    if random.chance(40) { filter.days = days() }
    if random.chance(12) { filter.text = random.pick(["bread", "CAF\u{c9}", "e", "uber", ""]) }
    return filter
  }
}
