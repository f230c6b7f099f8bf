/// Goal: the periods of a budget at every boundary. Method: cases by hand at reset days 29 to 31, leap
/// years, weeks across years, and spans that are cut; then seeded random days, whose periods must follow
/// each other without gap or overlap.
import DaybookBookkeeping
import DaybookRandom
import Testing

@Suite struct BudgetCalendarTests {
  private func day(_ text: String) -> Day {
    guard let day = Day(text) else { preconditionFailure("\(text) is not a day") }
    return day
  }

  private let ever = Day.min..<Day.max.adding(days: 1)

  /// The period that a day is in, as its first and last day.
  private func period(_ rule: BudgetCalendar.Rule, on text: String, _ span: Range<Day>? = nil)
    -> String?
  {
    let calendar = BudgetCalendar(rule: rule, span: span ?? ever)
    return calendar.period(containing: day(text)).map {
      "\($0.lowerBound) \($0.upperBound.adding(days: -1))"
    }
  }

  @Test(arguments: [
    (15, "2026-02-15", "2026-02-15 2026-03-14"), (15, "2026-02-14", "2026-01-15 2026-02-14"),
    (20, "2026-02-15", "2026-01-20 2026-02-19"), (1, "2026-02-15", "2026-02-01 2026-02-28"),
    (1, "2026-01-01", "2026-01-01 2026-01-31"), (1, "2025-12-31", "2025-12-01 2025-12-31"),
    (31, "2026-02-15", "2026-01-31 2026-02-27"), (31, "2026-03-01", "2026-02-28 2026-03-30"),
    (31, "2026-02-28", "2026-02-28 2026-03-30"), (31, "2026-03-31", "2026-03-31 2026-04-29"),
    (31, "2026-04-15", "2026-03-31 2026-04-29"), (31, "2026-04-30", "2026-04-30 2026-05-30"),
    (30, "2026-02-27", "2026-01-30 2026-02-27"), (30, "2026-02-28", "2026-02-28 2026-03-29"),
    (29, "2026-02-28", "2026-02-28 2026-03-28"), (29, "2024-02-28", "2024-01-29 2024-02-28"),
    (29, "2024-02-29", "2024-02-29 2024-03-28"), (31, "2024-02-29", "2024-02-29 2024-03-30"),
    (30, "1900-03-01", "1900-02-28 1900-03-29"), (30, "2000-03-01", "2000-02-29 2000-03-29"),
    (28, "2026-02-28", "2026-02-28 2026-03-27"), (31, "2026-01-01", "2025-12-31 2026-01-30"),
  ])
  func months(resetDay: Int, on: String, expected: String) {
    #expect(period(.month(resetDay: resetDay), on: on) == expected)
  }

  @Test(arguments: [
    (1, "2026-02-15", "2026-02-09 2026-02-15"), (7, "2026-02-15", "2026-02-15 2026-02-21"),
    (1, "2026-01-01", "2025-12-29 2026-01-04"), (7, "2025-12-31", "2025-12-28 2026-01-03"),
    (4, "2026-01-01", "2026-01-01 2026-01-07"), (5, "2026-01-01", "2025-12-26 2026-01-01"),
    (1, "2024-02-29", "2024-02-26 2024-03-03"), (1, "1969-12-31", "1969-12-29 1970-01-04"),
  ])
  func weeks(firstWeekday: Int, on: String, expected: String) {
    #expect(period(.week(firstWeekday: firstWeekday), on: on) == expected)
  }

  @Test func yearsAndSpans() {
    #expect(period(.year, on: "2024-12-31") == "2024-01-01 2024-12-31")
    #expect(period(.year, on: "2025-01-01") == "2025-01-01 2025-12-31")
    let span = day("2026-02-10")..<day("2026-02-20")
    #expect(period(.once, on: "2026-02-10", span) == "2026-02-10 2026-02-19")
    #expect(period(.once, on: "2026-02-09", span) == nil)
    #expect(period(.once, on: "2026-02-20", span) == nil)
  }

  /// Requests of users of other apps: paid every second Friday, also in a year of 53 weeks; rent on
  /// the 1st and the 16th; a quarterly bill from the 15th; tax years from 6 April.
  @Test(
    arguments: [
      (.weeks(2, from: 20_455), "2026-01-02", "2026-01-02 2026-01-15"),
      (.weeks(2, from: 20_455), "2026-01-01", "2025-12-19 2026-01-01"),
      (.weeks(2, from: 20_455), "2021-01-01", "2020-12-25 2021-01-07"),
      (.weeks(2, from: 20_455), "2020-12-31", "2020-12-25 2021-01-07"),
      (.weeks(1, from: 20_455), "1969-12-31", "1969-12-26 1970-01-01"),
      (.halfMonth, "2026-02-15", "2026-02-01 2026-02-15"),
      (.halfMonth, "2026-02-16", "2026-02-16 2026-02-28"),
      (.halfMonth, "2024-02-29", "2024-02-16 2024-02-29"),
      (.halfMonth, "2026-12-31", "2026-12-16 2026-12-31"),
      (.months(3, from: 20_468), "2026-04-14", "2026-01-15 2026-04-14"),
      (.months(3, from: 20_468), "2026-01-14", "2025-10-15 2026-01-14"),
      (.months(3, from: 20_468), "2031-08-01", "2031-07-15 2031-10-14"),
      (.months(12, from: 20_549), "2026-04-05", "2025-04-06 2026-04-05"),
      (.months(12, from: 20_549), "2027-01-01", "2026-04-06 2027-04-05"),
      (.months(12, from: 20_549), "1999-04-06", "1999-04-06 2000-04-05"),
      // 2024-02-29: leap days, and the last day of February in other years.
      (.months(12, from: 19_782), "2025-02-27", "2024-02-29 2025-02-27"),
      (.months(12, from: 19_782), "2027-03-01", "2027-02-28 2028-02-28"),
      (.months(12, from: 19_782), "2028-02-29", "2028-02-29 2029-02-27"),
      // 2025-11-30: 28 February is clamped, 30 May isn't.
      (.months(3, from: 20_422), "2026-02-27", "2025-11-30 2026-02-27"),
      (.months(3, from: 20_422), "2026-02-28", "2026-02-28 2026-05-29"),
      (.months(3, from: 20_422), "2026-05-30", "2026-05-30 2026-08-29"),
      (.months(3, from: 20_422), "0001-01-01", "0001-01-01 0001-02-27"),
    ] as [(Counted, String, String)])
  func countedPeriods(counted: Counted, on: String, expected: String) {
    #expect(period(counted.rule, on: on) == expected)
  }

  /// A rule whose day is a number, so that it can be an argument.
  enum Counted: Sendable {
    case weeks(Int, from: Int32)
    case months(Int, from: Int32)
    case halfMonth

    var rule: BudgetCalendar.Rule {
      switch self {
      case .weeks(let count, let day): .weeks(count, from: Day(rawValue: day))
      case .months(let count, let day): .months(count, from: Day(rawValue: day))
      case .halfMonth: .halfMonth
      }
    }
  }

  @Test func periodsInWords() {
    let words: [(BudgetPeriod, String)] = [
      (.weeks(2, from: day("2026-01-02")), "every 2 weeks, from 2026-01-02"),
      (.weeks(1, from: day("2026-01-02")), "every week, from 2026-01-02"),
      (.halfMonthly, "every half-month"), (.quarterly, "every quarter"),
      (.months(3, from: day("2026-01-15")), "every quarter, from 2026-01-15"),
      (.months(12, from: day("2026-04-06")), "every year, from 04-06"),
      (.months(2, from: day("2026-01-31")), "every 2 months, from 2026-01-31"),
    ]
    for (period, text) in words { #expect(period.text == text) }
  }

  @Test func startAndEndCutPeriods() {
    let span = day("2026-01-20")..<day("2026-03-10")
    let rule = BudgetCalendar.Rule.month(resetDay: 15)
    #expect(period(rule, on: "2026-01-19", span) == nil)
    #expect(period(rule, on: "2026-01-20", span) == "2026-01-20 2026-02-14")
    #expect(period(rule, on: "2026-03-09", span) == "2026-02-15 2026-03-09")
    #expect(period(rule, on: "2026-03-10", span) == nil)
    let calendar = BudgetCalendar(rule: rule, span: span)
    let first = calendar.period(containing: day("2026-01-20"))
    #expect(first.flatMap { calendar.period(before: $0) } == nil)
    #expect(
      first.flatMap { calendar.period(after: $0) }.flatMap { calendar.period(after: $0) } == nil)
  }

  @Test func theEndsOfTheCalendar() {
    #expect(period(.month(resetDay: 31), on: "0001-01-01") == "0001-01-01 0001-01-30")
    #expect(period(.week(firstWeekday: 7), on: "0001-01-01")?.hasPrefix("0001-01-01") == true)
    #expect(period(.year, on: "9999-12-31") == "9999-01-01 9999-12-31")
    #expect(period(.month(resetDay: 15), on: "9999-12-31") == "9999-12-15 9999-12-31")
  }

  @Test(arguments: 0..<40)
  func periodsFollowEachOther(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    func next(_ bound: Int) -> Int { random.below(bound) }
    for rule in [
      BudgetCalendar.Rule.month(resetDay: 1 + next(31)), .week(firstWeekday: 1 + next(7)), .year,
      .halfMonth, .weeks(1 + next(9), from: Day(rawValue: Int32(next(80_000) - 20_000))),
      .months(1 + next(14), from: Day(rawValue: Int32(next(80_000) - 20_000))),
    ] {
      let calendar = BudgetCalendar(rule: rule, span: ever)
      let start = Day(rawValue: Int32(next(80_000) - 20_000))
      guard var period = calendar.period(containing: start) else {
        Issue.record("seed \(seed): no period around \(start)")
        continue
      }
      for _ in 0..<30 {
        for inside in [period.lowerBound, period.upperBound.adding(days: -1)] {
          #expect(calendar.period(containing: inside) == period, "seed \(seed), \(rule)")
        }
        guard let after = calendar.period(after: period) else { break }
        #expect(after.lowerBound == period.upperBound, "seed \(seed), \(rule)")
        #expect(calendar.period(before: after) == period, "seed \(seed), \(rule)")
        period = after
      }
    }
  }

  @Test func amountsOfPeriods() {
    var budget = Budget(
      id: .unassigned, name: "Food", categories: [], amount: Money(100, .eur),
      period: .weekly)
    #expect(budget.amount(ofPeriodFrom: day("2026-01-01")) == Money(100, .eur))
    budget.steps = [
      BudgetStep(day: day("2026-02-01"), amount: Money(200, .eur)),
      BudgetStep(day: day("2026-03-01"), amount: Money(0, .eur)),
    ]
    #expect(budget.amount(ofPeriodFrom: day("2026-01-31")) == Money(100, .eur))
    #expect(budget.amount(ofPeriodFrom: day("2026-02-01")) == Money(200, .eur))
    #expect(budget.amount(ofPeriodFrom: day("2026-02-28")) == Money(200, .eur))
    #expect(budget.amount(ofPeriodFrom: day("2026-03-01")) == Money(0, .eur))
    budget.setAmount(Money(300, .eur), ofPeriodsFrom: day("2026-02-15"))
    #expect(budget.steps.map(\.amount.minorUnits) == [200, 300])
    budget.setAmount(Money(200, .eur), ofPeriodsFrom: day("2026-02-15"))
    #expect(budget.steps.map(\.amount.minorUnits) == [200])
    budget.setAmount(Money(5, .eur), ofPeriodsFrom: day("2026-01-01"))
    #expect(budget.steps.map(\.amount.minorUnits) == [5])
  }

  /// The steps of a budget are days, whatever its periods become.
  @Test func amountsKeepTheirDaysWhenTheResetDayMoves() {
    var budget = Budget(
      id: .unassigned, name: "Food", categories: [], amount: Money(100, .eur),
      period: .monthly(resetDay: 15))
    budget.setAmount(Money(200, .eur), ofPeriodsFrom: day("2026-02-15"))
    let today = day("2026-02-20")
    let units = { (budget: Budget, day: Day) in
      budget.calendar(firstWeekday: 1).period(containing: day)
        .map { budget.amount(ofPeriodFrom: $0.lowerBound).minorUnits }
    }
    #expect(units(budget, today) == 200)
    // From 02-01: that began before the amount was set.
    budget.period = .monthly(resetDay: 1)
    #expect(units(budget, today) == 100)
    #expect(units(budget, day("2026-03-01")) == 200)
    // From 02-18, and before it from 01-18.
    budget.period = .monthly(resetDay: 18)
    #expect(units(budget, today) == 200)
    #expect(units(budget, day("2026-02-17")) == 100)
  }

  @Test func aBudgetThatEndsBeforeItBeginsHasNoPeriods() {
    var budget = Budget(
      id: .unassigned, name: "Food", categories: [], amount: Money(100, .eur),
      period: .monthly(resetDay: 1))
    budget.start = day("2026-02-01")
    budget.end = day("2026-01-01")
    let calendar = budget.calendar(firstWeekday: 1)
    #expect(calendar.period(containing: day("2026-01-15")) == nil)
    #expect(calendar.period(containing: day("2026-02-01")) == nil)
    budget.period = .custom(day("2026-02-05")..<day("2026-02-09"))
    budget.end = day("2026-02-07")
    #expect(
      budget.calendar(firstWeekday: 1).period(containing: day("2026-02-05"))
        == day("2026-02-05")..<day("2026-02-07"))
  }
}
