// Goal: no number that an app hands to a value type ends the process. Method: the ends of the integers,
// and numbers just outside of what is meant, go through every function of days, months and schedules that
// takes one; where an answer is possible it is compared.

import DaybookBookkeeping
import Testing

@Suite struct ValuesFromOutsideTests {
  private static let numbers = [
    Int.min, .min + 1, -1_000_000_000_000, -8, -7, -1, 0, 1, 7, 8, 13, 1_000_000_000_000, .max - 1,
    .max,
  ]

  @Test(arguments: [ScheduleUnit.day, .week, .month, .year])
  func schedulesEndWhereNumbersDo(unit: ScheduleUnit) throws {
    let anchor = try #require(Day("2026-01-31"))
    for count in Self.numbers {
      for policy in MonthEndPolicy.allCases {
        var days = Schedule(every: count, unit, monthEnd: policy).days(from: anchor)
        let first = days.next()
        #expect(first == (count > 0 ? anchor : nil) || policy == .lastDay, "\(count) \(unit)")
        let second = days.next()
        if count > 1_000_000 { #expect(second == nil, "\(count) \(unit)") }
      }
    }
  }

  @Test func monthsStayAtTheirEnds() {
    for year in Self.numbers {
      for month in Self.numbers {
        let value = Month(year: year, month: month)
        let exact = Int128(year) * 12 + Int128(month) - 1
        #expect(Int128(value.rawValue) == max(Int128(Int32.min), min(exact, Int128(Int32.max))))
        #expect(value.first <= value.last || value.days.isEmpty)
        _ = value.days
        _ = value.description
        for step in Self.numbers { _ = value.adding(step) }
      }
    }
  }

  @Test func weeksBeginOnAnyNumber() throws {
    let sunday = try #require(Day("2026-02-15"))
    for number in Self.numbers {
      let start = sunday.startOfWeek(from: number)
      #expect(start <= sunday && start > sunday.adding(days: -7), "\(number)")
    }
    #expect(sunday.startOfWeek(from: 1).description == "2026-02-09")
    #expect(sunday.startOfWeek(from: 7) == sunday && sunday.startOfWeek(from: 0) == sunday)
    #expect(sunday.startOfWeek(from: 8).description == "2026-02-09")
    for number in Self.numbers {
      _ = Day.min.startOfWeek(from: number)
      _ = sunday.adding(days: number)
      _ = sunday.adding(months: number)
    }
  }

  @Test func budgetsTakeAnyResetDay() throws {
    let day = try #require(Day("2026-02-15"))
    for number in Self.numbers {
      let span = Day.min..<Day.max
      for rule in [
        BudgetCalendar.Rule.month(resetDay: number), .week(firstWeekday: number),
        .weeks(number, from: day), .months(number, from: day),
        .weeks(2, from: Day(rawValue: Int32(clamping: number))),
        .months(2, from: Day(rawValue: Int32(clamping: number))),
      ] {
        let calendar = BudgetCalendar(rule: rule, span: span)
        let period = try #require(calendar.period(containing: day))
        #expect(period.contains(day), "\(number)")
        _ = calendar.period(after: period)
        _ = calendar.period(before: period)
      }
    }
  }
}
