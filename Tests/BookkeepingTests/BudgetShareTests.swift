/// Goal: what falls to some days of a budget is what its definition says. Method: cases by hand, and seeded random
/// budgets against a sum over single days in whole fractions.
import DaybookBookkeeping
import DaybookRandom
import Testing

@Suite struct BudgetShareTests {
  private func day(_ text: String) -> Day {
    guard let day = Day(text) else { preconditionFailure("\(text) is not a day") }
    return day
  }

  private func budget(_ units: Int64, _ period: BudgetPeriod) -> Budget {
    Budget(name: "B", categories: [], amount: Money(units, .eur), period: period)
  }

  private func share(_ budget: Budget, _ from: String, _ to: String) throws -> Int64 {
    try budget.share(of: day(from)..<day(to)).minorUnits
  }

  @Test func aWeekOfAMonth() throws {
    #expect(
      try share(budget(500_00, .monthly(resetDay: 1)), "2026-02-01", "2026-02-08") == 114_99)
    #expect(try share(budget(500_00, .weekly), "2026-02-01", "2026-02-08") == 500_00)
    #expect(try share(budget(3_652_50, .yearly), "2026-02-01", "2026-02-11") == 100_00)
    let trip = budget(100_00, .custom(day("2026-03-01")..<day("2026-03-11")))
    #expect(try share(trip, "2026-02-01", "2026-03-06") == 50_00)
    #expect(try share(trip, "2026-04-01", "2026-05-01") == 0)
  }

  @Test func halvesGoToTheEvenOne() throws {
    let span = BudgetPeriod.custom(day("2026-03-01")..<day("2026-03-03"))
    #expect(try share(budget(1, span), "2026-03-01", "2026-03-02") == 0)
    #expect(try share(budget(3, span), "2026-03-01", "2026-03-02") == 2)
    #expect(try share(budget(-3, span), "2026-03-01", "2026-03-02") == -2)
  }

  @Test func whatIsTooMuchIsAnError() {
    #expect(throws: MoneyError.self) {
      try budget(.max, .weekly).share(of: Day.min..<Day.max)
    }
  }

  @Test func everyDayHasItsPart() throws {
    var random = SeededGenerator(seed: 7)
    let origin = day("2026-01-01")
    for _ in 0..<500 {
      func near() -> Day { origin.adding(days: Int(random.next() % 200)) }
      var made = budget(
        Int64(random.next() % 1_000_000),
        [
          .weekly, .monthly(resetDay: 5), .yearly, .weeks(3, from: origin), .halfMonthly,
          .months(3, from: origin),
        ][Int(random.next() % 6)])
      if random.next() % 2 == 0 { made.start = near() }
      if random.next() % 2 == 0 { made.end = near() }
      let steps = Set((0..<(random.next() % 4)).map { _ in near() }).sorted()
      made.steps = steps.map {
        BudgetStep(day: $0, amount: Money(Int64(random.next() % 1_000_000), .eur))
      }
      let (one, other) = (near(), near())
      let days = min(one, other)..<max(one, other)
      var sum: Int64 = 0
      var at = days.lowerBound
      while at < days.upperBound {
        if at >= made.start ?? at, at < made.end ?? Day.max {
          sum += (made.steps.last { $0.day <= at }?.amount ?? made.amount).minorUnits
        }
        at = at.adding(days: 1)
      }
      let (times, through): (Int64, Int64) =
        switch made.period {
        case .weekly: (1, 7)
        case .yearly: (4, 1461)
        case .weeks: (1, 21)
        case .halfMonthly: (32, 487)
        case .months: (16, 1461)
        default: (16, 487)
        }
      // Odd denominators have no halves.
      let expected = (2 * sum * times + through) / (2 * through)
      #expect(try made.share(of: days).minorUnits == expected)
    }
  }
}
