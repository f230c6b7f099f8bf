// Goal: days and months count as the Gregorian calendar does.
// Method: an independent loop steps through every day from 1600 to 2400 by counting lengths of months,
// and compares components, texts, weekdays, weeks and distances; the ends of the range by hand.

import DaybookBookkeeping
import Testing

@Suite struct DayTests {
  @Test func everyDayOfEightCenturies() throws {
    let start = try #require(Day(year: 1600, month: 1, day: 1))
    var raw = start.rawValue
    var weekday = 6  // 1600-01-01 was a Saturday.
    for year in 1600...2400 {
      let isLeap = year % 400 == 0 || (year % 4 == 0 && year % 100 != 0)
      let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      for month in 1...12 {
        for number in 1...lengths[month - 1] {
          let day = Day(rawValue: raw)
          let components = day.components
          guard components == (year, month, number),
            Day(year: year, month: month, day: number) == day, day.weekday == weekday,
            day.monthOf == Month(year: year, month: month)
          else {
            Issue.record("\(year)-\(month)-\(number) is \(day)")
            return
          }
          raw += 1
          weekday = weekday % 7 + 1
        }
        #expect(Day(year: year, month: month, day: lengths[month - 1] + 1) == nil)
        #expect(Month(year: year, month: month).days.count == lengths[month - 1])
      }
    }
  }

  @Test func knownDays() throws {
    #expect(Day(year: 1970, month: 1, day: 1)?.rawValue == 0)
    #expect(try day("2026-02-15").weekday == 7)
    #expect(Day.min.description == "0001-01-01")
    #expect(Day.max.description == "9999-12-31")
    #expect(Day(year: 1, month: 1, day: 1) == .min)
    #expect(Day(year: 9999, month: 12, day: 31) == .max)
    #expect(!Day.min.adding(days: -1).isInRange)
    #expect(!Day.max.adding(days: 1).isInRange)
    #expect(Day.max.adding(days: .max).rawValue == .max)
    #expect(Day.min.adding(days: .min).rawValue == .min)
  }

  @Test(arguments: [
    "2026-02-29", "2025-13-01", "2025-00-10", "2025-01-00", "2025-01-32", "0000-01-01", "25-01-01",
    "2025-1-01", "2025-01-1", "2025/01/01", "20250101", "2025-01-01 ", " 2025-01-01", "2025-01-01T",
    "+025-01-01", "", "٢٠٢٥-٠١-٠١", "2100-02-29",
  ])
  func textsThatAreNoDays(_ text: String) {
    #expect(Day(text) == nil)
  }

  @Test(arguments: [
    ("2026-01-31", 1, "2026-02-28"), ("2026-01-31", 2, "2026-03-31"),
    ("2026-01-31", 3, "2026-04-30"),
    ("2024-01-31", 1, "2024-02-29"), ("2026-03-31", -1, "2026-02-28"),
    ("2026-12-15", 1, "2027-01-15"),
    ("2026-01-15", -1, "2025-12-15"), ("2024-02-29", 12, "2025-02-28"),
    ("2026-05-31", -15, "2025-02-28"),
  ])
  func addingMonths(_ from: String, _ months: Int, _ to: String) throws {
    #expect(try day(from).adding(months: months) == day(to))
  }

  @Test func weeksBeginWhereTheyAreSaidTo() throws {
    let sunday = try day("2026-02-15")
    #expect(sunday.startOfWeek(from: 1).description == "2026-02-09")
    #expect(sunday.startOfWeek(from: 7) == sunday)
    for offset in 0..<14 {
      for first in 1...7 {
        let day = sunday.adding(days: offset)
        let start = day.startOfWeek(from: first)
        #expect(start.weekday == first && start <= day && start.distance(to: day) < 7)
      }
    }
  }

  @Test func monthsCount() throws {
    let february = Month(year: 2026, month: 2)
    #expect(february.description == "2026-02")
    #expect(Month("2026-02") == february)
    #expect(Month("2026-13") == nil)
    #expect(Month("2026-2") == nil)
    #expect(february.adding(-14).description == "2024-12")
    #expect(february.first.description == "2026-02-01")
    #expect(february.last.description == "2026-02-28")
    #expect(Month(year: 2026, month: 14) == Month(year: 2027, month: 2))
    #expect((Month(year: 2016, month: 3)..<Month(year: 2026, month: 3)).count == 120)
  }

  /// Months go on where days end: what is beyond is the last day, or the first, and nothing turns round.
  @Test func monthsBeyondAllDaysHaveNone() throws {
    let first = Day(rawValue: .min).monthOf
    let last = Day(rawValue: .max).monthOf
    #expect(last.days == last.first..<Day(rawValue: .max))
    #expect(first.days == Day(rawValue: .min)..<first.adding(1).first)
    #expect(
      first.adding(1).days.count == Day.length(ofMonth: first.adding(1).month, year: first.year))
    for raw in [first.rawValue - 1, .min, .min + 1] {
      #expect(Month(rawValue: raw).days.isEmpty && Month(rawValue: raw).first.rawValue == .min)
    }
    for raw in [last.rawValue + 1, .max, .max - 1] {
      #expect(Month(rawValue: raw).days.isEmpty && Month(rawValue: raw).first.rawValue == .max)
    }
    // The days wrapped round would be some of this century.
    #expect(Day(rawValue: .max).adding(months: .max).rawValue == .max)
    #expect(Day(rawValue: .min).adding(months: .min).rawValue == .min)
  }

  @Test func biasedDaysSortAsDays() throws {
    let days = try ["0001-01-01", "1969-12-31", "1970-01-01", "9999-12-31"].map { try day($0) }
    #expect(days.map(\.biased) == days.map(\.biased).sorted())
    #expect(days.map { Day(biased: $0.biased) } == days)
  }
}
