// Goal: schedules with days, weekdays, months and positions are due on the days that RFC 5545 says, from
// whichever day they are read, and survive every form in which they are stored.
// Method: days known by hand, most of them from bug reports about other programs; and random rules,
// whose days python-dateutil computes.

import DaybookBookkeeping
import DaybookEntities
import DaybookRandom
import Testing

private func series(_ rule: String, from anchor: String) throws -> Series {
  let rule = try RecurrenceRule(rule)
  var series = Series(
    id: .unassigned, name: "S", template: SeriesTemplate(type: .expense, amount: Money(1, .eur)),
    schedule: rule.schedule, anchor: try day(anchor))
  series.countMax = rule.countMax
  series.end = rule.end
  return series
}

@Suite struct RecurrenceRuleTests {
  @Test(arguments: [
    // A month without the day has no due date (actualbudget/actual #5435, #3890; RFC 5545, page 44) …
    ("FREQ=MONTHLY", "2025-07-31", "2025-07-31 2025-08-31 2025-10-31 2025-12-31"),
    ("FREQ=MONTHLY;INTERVAL=3", "2024-11-30", "2024-11-30 2025-05-30 2025-08-30 2025-11-30"),
    // … unless the rule says which other day to take.
    (
      "RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=BACKWARD", "2025-07-31",
      "2025-07-31 2025-08-31 2025-09-30 2025-10-31"
    ),
    // Each interval once, and from its own month (FraserHamilton/dayjs-recur #17).
    (
      "RSCALE=GREGORIAN;FREQ=MONTHLY;INTERVAL=3;SKIP=BACKWARD", "2022-11-30",
      "2022-11-30 2023-02-28 2023-05-30 2023-08-30"
    ),
    (
      "RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=FORWARD", "2025-01-31",
      "2025-01-31 2025-03-01 2025-03-31 2025-05-01"
    ),
    // The last day, from a day that isn't (monetr/monetr #2972).
    ("FREQ=MONTHLY;BYMONTHDAY=-1", "2026-01-31", "2026-01-31 2026-02-28 2026-03-31 2026-04-30"),
    ("FREQ=MONTHLY;BYMONTHDAY=-1", "2024-02-28", "2024-02-29 2024-03-31 2024-04-30 2024-05-31"),
    // Twice a month, also in February.
    ("FREQ=MONTHLY;BYMONTHDAY=1,15", "2026-01-02", "2026-01-15 2026-02-01 2026-02-15 2026-03-01"),
    ("FREQ=MONTHLY;BYMONTHDAY=15,-1", "2026-01-16", "2026-01-31 2026-02-15 2026-02-28 2026-03-15"),
    ("FREQ=MONTHLY;BYMONTHDAY=15,30", "2026-01-20", "2026-01-30 2026-02-15 2026-03-15 2026-03-30"),
    (
      "RSCALE=GREGORIAN;FREQ=MONTHLY;BYMONTHDAY=15,30;SKIP=BACKWARD", "2026-01-20",
      "2026-01-30 2026-02-15 2026-02-28 2026-03-15"
    ),
    // The next day of one month and the first of the next are one due date.
    (
      "RSCALE=GREGORIAN;FREQ=MONTHLY;BYMONTHDAY=1,31;SKIP=FORWARD", "2026-04-01",
      "2026-04-01 2026-05-01 2026-05-31 2026-06-01"
    ),
    ("FREQ=MONTHLY;BYDAY=-1FR", "2026-01-01", "2026-01-30 2026-02-27 2026-03-27 2026-04-24"),
    // Most months have no fifth weekday (nextcloud/calendar #7194, discourse/discourse #42852).
    ("FREQ=MONTHLY;BYDAY=5FR", "2026-01-01", "2026-01-30 2026-05-29 2026-07-31 2026-10-30"),
    ("FREQ=MONTHLY;BYDAY=1MO,3MO", "2026-01-06", "2026-01-19 2026-02-02 2026-02-16 2026-03-02"),
    // The last day from Monday to Friday, across the end of a week.
    (
      "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "2026-01-01",
      "2026-01-30 2026-02-27 2026-03-31 2026-04-30"
    ),
    (
      "FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR", "2026-01-01",
      "2026-02-13 2026-03-13 2026-11-13 2027-08-13"
    ),
    // The first week is the anchor's, although it starts before the anchor (ical-org/ical.net #505).
    (
      "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR,SU;WKST=MO", "2021-01-02",
      "2021-01-03 2021-01-15 2021-01-17 2021-01-29"
    ),
    // RFC 5545, page 44: the start of the week makes a difference.
    (
      "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=MO", "1997-08-05",
      "1997-08-05 1997-08-10 1997-08-19 1997-08-24"
    ),
    (
      "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=SU", "1997-08-05",
      "1997-08-05 1997-08-17 1997-08-19 1997-08-31"
    ),
    // The first due date is the first that matches (schedule-x/schedule-x #1062).
    ("FREQ=WEEKLY;BYDAY=FR", "2025-05-17", "2025-05-23 2025-05-30 2025-06-06 2025-06-13"),
    ("FREQ=YEARLY", "2024-02-29", "2024-02-29 2028-02-29 2032-02-29 2036-02-29"),
    (
      "RSCALE=GREGORIAN;FREQ=YEARLY;SKIP=BACKWARD", "2024-02-29",
      "2024-02-29 2025-02-28 2026-02-28 2027-02-28"
    ),
    ("FREQ=YEARLY;BYMONTH=3,9", "2026-04-10", "2026-09-10 2027-03-10 2027-09-10 2028-03-10"),
    (
      "FREQ=YEARLY;BYMONTH=11;BYDAY=4TH", "2026-01-01",
      "2026-11-26 2027-11-25 2028-11-23 2029-11-22"
    ),
    ("FREQ=YEARLY;BYDAY=20MO", "1997-05-19", "1997-05-19 1998-05-18 1999-05-17 2000-05-15"),
    ("FREQ=DAILY;BYDAY=MO,FR", "2026-01-03", "2026-01-05 2026-01-09 2026-01-12 2026-01-16"),
  ])
  func daysOfRules(rule: String, anchor: String, expected: String) throws {
    let series = try series(rule, from: anchor)
    #expect(series.scheduledDays.prefix(4).map(\.description).joined(separator: " ") == expected)
    let again = try RecurrenceRule(series.rrule)
    var read = series
    read.schedule = again.schedule
    #expect(Array(read.scheduledDays.prefix(50)) == Array(series.scheduledDays.prefix(50)))
  }

  @Test func rulesEnd() throws {
    let counted = try series("FREQ=MONTHLY;BYMONTHDAY=1,15;COUNT=3", from: "2026-01-02")
    #expect(
      counted.scheduledDays.map(\.description) == ["2026-01-15", "2026-02-01", "2026-02-15"])
    #expect(Array(counted.scheduledDays(from: try day("2026-02-02"))) == [try day("2026-02-15")])
    #expect(counted.isScheduled(try day("2026-02-15")))
    #expect(!counted.isScheduled(try day("2026-03-01")))
    let until = try series("RRULE:FREQ=WEEKLY;UNTIL=20260115T235959Z", from: "2026-01-01")
    #expect(until.scheduledDays.map(\.description) == ["2026-01-01", "2026-01-08", "2026-01-15"])
    #expect(until.rrule == "FREQ=WEEKLY;UNTIL=20260115")
    var both = counted
    both.end = try day("2026-02-10")
    #expect(both.rrule == "FREQ=MONTHLY;BYMONTHDAY=1,15;UNTIL=20260201")
  }

  @Test(arguments: [
    ("FREQ=HOURLY", "FREQ=HOURLY"), ("FREQ=MONTHLY;BYWEEKNO=3", "BYWEEKNO"),
    ("FREQ=YEARLY;BYYEARDAY=1", "BYYEARDAY"), ("FREQ=DAILY;BYHOUR=9", "BYHOUR"),
    ("INTERVAL=2", "FREQ"), ("FREQ=MONTHLY;INTERVAL=0", "INTERVAL"),
    ("FREQ=MONTHLY;INTERVAL=1001", "INTERVAL"), ("FREQ=MONTHLY;INTERVAL=1,2", "INTERVAL"),
    ("FREQ=MONTHLY;COUNT=2;UNTIL=20260101", "both COUNT and UNTIL"),
    ("FREQ=MONTHLY;COUNT=-1", "COUNT"), ("FREQ=MONTHLY;UNTIL=20260230", "UNTIL"),
    ("FREQ=MONTHLY;BYMONTHDAY=32", "BYMONTHDAY"), ("FREQ=MONTHLY;BYMONTHDAY=0", "BYMONTHDAY"),
    ("FREQ=WEEKLY;BYMONTHDAY=1", "every week"), ("FREQ=WEEKLY;BYDAY=1MO", "weekday of a week"),
    ("FREQ=MONTHLY;BYDAY=6MO", "number 6"), ("FREQ=MONTHLY;BYDAY=XX", "BYDAY"),
    ("FREQ=MONTHLY;BYDAY=", "BYDAY"), ("FREQ=MONTHLY;BYDAY=MO,", "BYDAY"),
    ("FREQ=MONTHLY;BYMONTH=13", "BYMONTH"), ("FREQ=MONTHLY;BYSETPOS=-1", "names no days"),
    ("FREQ=MONTHLY;WKST=1MO", "WKST"), ("FREQ=MONTHLY;FREQ=DAILY", "twice"),
    ("FREQ=MONTHLY;SKIP=SIDEWAYS", "SKIP"), ("RSCALE=HEBREW;FREQ=MONTHLY", "RSCALE"),
    ("monthly", "MONTHLY"), ("", "FREQ"),
  ])
  func unsupportedPartsAreNamed(rule: String, part: String) {
    let error = #expect(throws: ScheduleError.self) { try RecurrenceRule(rule) }
    #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
  }

  @Test(arguments: [
    ("1,15", "FREQ=MONTHLY;BYMONTHDAY=1,15", "every month on the 1st and 15th"),
    ("15th and last day", "FREQ=MONTHLY;BYMONTHDAY=-1,15", "every month on the 15th and last day"),
    ("last", "FREQ=MONTHLY;BYMONTHDAY=-1", "every month on the last day"),
    ("Last Friday", "FREQ=MONTHLY;BYDAY=-1FR", "every month on the last Friday"),
    ("the first and third monday", nil, nil),
    (
      "first monday, 3rd mon", "FREQ=MONTHLY;BYDAY=1MO,3MO",
      "every month on the 1st Monday and 3rd Monday"
    ),
    ("second-last day", "FREQ=MONTHLY;BYMONTHDAY=-2", "every month on the 2nd-last day"),
    (
      "last business day", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
      "every month on the last weekday"
    ),
    ("tues, thursdays", "FREQ=MONTHLY;BYDAY=TU,TH", "every month on Tuesday and Thursday"),
    ("15, friday", nil, nil), ("", nil, nil), ("someday", nil, nil), ("32", nil, nil),
    ("last weekday, monday", nil, nil), ("first last friday", nil, nil),
  ])
  func daysInWords(words: String, rule: String?, text: String?) throws {
    var schedule = Schedule(.month)
    guard let rule, let text else {
      #expect(throws: ScheduleError.self) { try schedule.setDays(words) }
      return
    }
    try schedule.setDays(words)
    let wanted = try RecurrenceRule(rule).schedule
    let (given, expected) = (
      schedule.days(from: try day("2026-01-05")).prefix(40),
      wanted.days(from: try day("2026-01-05")).prefix(40)
    )
    #expect(Array(given) == Array(expected))
    #expect(wanted.text == text)
  }

  @Test(arguments: [
    ("FREQ=WEEKLY;BYDAY=MO,TH", "every week on Monday and Thursday"),
    ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU,WE,TH,FR", "every 2 weeks on weekdays"),
    ("FREQ=YEARLY;BYMONTH=11;BYDAY=4TH", "every year on the 4th Thursday of November"),
    ("FREQ=YEARLY;BYMONTH=3,9", "every year in March and September"),
    ("FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR", "every month on the 13th if it is Friday"),
    ("FREQ=DAILY;BYMONTH=12", "every day in December"),
    ("FREQ=MONTHLY;BYDAY=SA,SU;BYSETPOS=1", "every month on the 1st of Saturday or Sunday"),
  ])
  func rulesInWords(rule: String, text: String) throws {
    #expect(try RecurrenceRule(rule).schedule.text == text)
  }

  @Test func schedulesThatNeverComeDueAreRefused() throws {
    for rule in [
      "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=31",
      "FREQ=MONTHLY;BYMONTHDAY=1;BYDAY=2MO", "FREQ=YEARLY;INTERVAL=100;BYDAY=53MO;BYMONTHDAY=1",
    ] {
      var ledger = try Fixture()
      var never = try series(rule, from: "2026-01-01")
      never.template.amount = Money(1, .kzt)
      #expect(Array(never.scheduledDays).isEmpty)
      let error = #expect(throws: Refusal.self) { try ledger.state.run(.putSeries(never)) }
      #expect(error?.message.contains("never be due") == true)
    }
  }

  /// Random rules without the parts that dateutil doesn't know.
  private func rules() -> [(rule: String, anchor: Day)] {
    var random = SeededGenerator(seed: 16)
    let codes = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
    func some(_ items: [String], _ random: inout SeededGenerator) -> String {
      (0..<random.number(1...3)).map { _ in random.pick(items) }.joined(separator: ",")
    }
    return (0..<1_500).map { _ in
      let frequency = random.pick(["DAILY", "WEEKLY", "MONTHLY", "MONTHLY", "YEARLY"])
      var parts = ["FREQ=\(frequency)"]
      if random.chance(60) { parts.append("INTERVAL=\(random.number(2...5))") }
      var isNamed = false
      if random.chance(25) {
        isNamed = true
        parts.append("BYMONTH=" + some((1...12).map { "\($0)" }, &random))
      }
      if frequency != "WEEKLY", random.chance(45) {
        isNamed = true
        parts.append("BYMONTHDAY=" + some((-31...31).filter { $0 != 0 }.map { "\($0)" }, &random))
      }
      if random.chance(50) {
        isNamed = true
        let hasOrdinal = (frequency == "MONTHLY" || frequency == "YEARLY") && random.chance(50)
        let ordinals = hasOrdinal ? ["1", "2", "4", "5", "-1", "-2", "-5"] : [""]
        let days = ordinals.flatMap { ordinal in codes.map { ordinal + $0 } }
        parts.append("BYDAY=" + some(days, &random))
      }
      if isNamed, random.chance(20) {
        parts.append("BYSETPOS=" + some(["1", "2", "-1", "-2", "3"], &random))
      }
      if frequency == "WEEKLY", random.chance(40) { parts.append("WKST=\(random.pick(codes))") }
      return (
        parts.joined(separator: ";"),
        Day(rawValue: Int32(random.number(15_000...25_000)))
      )
    }
  }

  @Test(.enabled(if: Python.path != nil, "python3 with python-dateutil can't be had here"))
  func randomRulesHaveTheDaysOfDateutil() throws {
    // In the anchor's week, dateutil takes positions from the days after the anchor alone.
    let cases = rules().filter { !$0.rule.contains("WEEKLY") || !$0.rule.contains("BYSETPOS") }
    let lines = try Python.recurrences(
      cases.map { "\($0.rule) \($0.anchor) \($0.anchor.adding(days: 5_000))" })
    var dayCount = 0
    for (one, line) in zip(cases, lines) {
      var series = try series(one.rule, from: "\(one.anchor)")
      series.end = one.anchor.adding(days: 5_001)
      let days = Array(series.scheduledDays)
      // Whole lists of days in the message would hide the rule.
      let isEqual = days.map(\.description) == line.split(separator: " ").map(String.init)
      #expect(isEqual, "\(one.rule) from \(one.anchor)")
      dayCount += days.count
    }
    #expect(dayCount > 100_000)
  }

  @Test func randomRulesAreTheSameFromEveryDayAndInEveryForm() throws {
    for (index, one) in rules().enumerated() {
      var series = try series(one.rule, from: "\(one.anchor)")
      series.end = one.anchor.adding(days: 2_000)
      if index % 3 == 0 { series.countMax = Int64(index % 40) }
      if index % 5 == 0 { series.schedule.monthEnd = index % 2 == 0 ? .clamp : .nextDay }
      let all = Array(series.scheduledDays)
      for offset in stride(from: -3, to: 2_050, by: 41 + index % 7) {
        let first = one.anchor.adding(days: offset)
        let isEqual = Array(series.scheduledDays(from: first)) == all.filter { $0 >= first }
        #expect(isEqual, "\(one.rule) from \(one.anchor), read from \(first)")
      }
      let read = try Series(record: series.record(), id: series.entityID, number: 0)
      #expect(read.schedule == series.schedule)
      let again = try RecurrenceRule(series.rrule)
      var back = series
      (back.schedule, back.countMax, back.end) = (again.schedule, again.countMax, again.end)
      let isEqual = Array(back.scheduledDays) == all
      #expect(isEqual, "\(one.rule): \(series.rrule)")
    }
  }
}
