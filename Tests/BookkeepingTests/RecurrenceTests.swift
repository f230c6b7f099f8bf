// Goal: due days agree with an independent generator for every frequency and month-end policy over 50
// years.
// Method: Tests/Recurrence/recurrence.py asks python-dateutil the same; it is installed into a
// temporary folder where it is missing, and the comparison is skipped, saying so, where it can't be had.
// A few schedules known by hand are checked in any case.

import DaybookBookkeeping
import DaybookEntities
import Foundation
import Testing

private struct Case: CustomStringConvertible {
  var schedule: Schedule
  var first: Day
  var last: Day
  var countMax: Int64 = 0

  var description: String {
    "\(schedule.unit) \(schedule.count) \(schedule.monthEnd) \(first) \(last) \(countMax)"
  }

  var days: [Day] {
    var series = Series(
      id: .unassigned, name: "",
      template: SeriesTemplate(type: .expense, amount: Money(1, Currency(packed: 0))),
      schedule: schedule, anchor: first)
    series.end = last.adding(days: 1)
    series.countMax = countMax
    return Array(series.scheduledDays)
  }
}

private func everyCase() throws -> [Case] {
  var cases: [Case] = []
  let anchors = try [
    "2024-01-31", "2024-02-29", "2023-02-28", "2023-01-30", "2023-03-29", "2025-04-30",
    "2026-06-15", "2027-12-31", "2000-02-29", "2096-02-29", "2026-01-01", "1999-08-31",
  ].map(day)
  let counts: [ScheduleUnit: [Int]] = [
    .day: [1, 2, 3, 7, 10, 30, 45, 365], .week: [1, 2, 3, 4, 13, 52],
    .month: [1, 2, 3, 4, 5, 6, 7, 12, 13, 24], .year: [1, 2, 3, 4, 5, 10],
  ]
  for unit in ScheduleUnit.allCases {
    for count in counts[unit] ?? [] {
      for policy in MonthEndPolicy.allCases {
        for first in anchors {
          let last = first.adding(months: 600)
          let schedule = Schedule(every: count, unit, monthEnd: policy)
          cases.append(Case(schedule: schedule, first: first, last: last))
          cases.append(Case(schedule: schedule, first: first, last: last, countMax: 17))
        }
      }
    }
  }
  return cases
}

/// A python3 that has dateutil.
enum Python {
  static let path: String? = {
    guard run("/usr/bin/env", ["python3", "-c", "pass"]) != nil else { return nil }
    if run("/usr/bin/env", ["python3", "-c", "import dateutil"]) != nil { return "python3" }
    let folder = NSTemporaryDirectory() + "daybook-dateutil"
    let made = "\(folder)/bin/python3"
    if run(made, ["-c", "import dateutil"]) != nil { return made }
    guard run("/usr/bin/env", ["python3", "-m", "venv", folder]) != nil,
      run(made, ["-m", "pip", "install", "--quiet", "python-dateutil"]) != nil
    else { return nil }
    return made
  }()

  /// Due days by Tests/Recurrence/recurrence.py, one line for each line of input.
  static func recurrences(_ input: [String]) throws -> [Substring] {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../Recurrence/recurrence.py").standardized.path
    let python = try #require(path)
    let output = try #require(
      run("/usr/bin/env", [python, script], input: input.map { "\($0)\n" }.joined()))
    let lines = output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    try #require(lines.count == input.count)
    return Array(lines)
  }

  /// What a program writes, or `nil` where it fails.
  static func run(_ program: String, _ arguments: [String], input: String = "") -> String? {
    guard FileManager.default.isExecutableFile(atPath: program) else { return nil }
    let stem = NSTemporaryDirectory() + "daybook-recurrence-\(UUID().uuidString)"
    defer {
      for end in [".in", ".out"] { try? FileManager.default.removeItem(atPath: stem + end) }
    }
    let files = FileManager.default
    guard files.createFile(atPath: stem + ".in", contents: Data(input.utf8)),
      files.createFile(atPath: stem + ".out", contents: nil),
      let reading = FileHandle(forReadingAtPath: stem + ".in"),
      let writing = FileHandle(forWritingAtPath: stem + ".out")
    else { return nil }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.standardInput = reading
    process.standardOutput = writing
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return nil }
    process.waitUntilExit()
    // Not `FileManager.contents`, which keeps 4,096 bytes of every file that is empty.
    guard process.terminationStatus == 0,
      let written = FileHandle(forReadingAtPath: stem + ".out"),
      let data = try? written.readToEnd() ?? Data()
    else { return nil }
    return String(decoding: data, as: UTF8.self)
  }
}

@Suite struct RecurrenceTests {
  @Test(.enabled(if: Python.path != nil, "python3 with python-dateutil can't be had here"))
  func dueDaysAreThoseOfDateutil() throws {
    let cases = try everyCase()
    let lines = try Python.recurrences(cases.map { "\($0)" })
    var dayCount = 0
    for (schedule, line) in zip(cases, lines) {
      let days = schedule.days.map(\.description)
      #expect(days == line.split(separator: " ").map(String.init), "\(schedule)")
      dayCount += days.count
    }
    #expect(dayCount > 300_000)
  }

  @Test(arguments: [
    (MonthEndPolicy.clamp, ["2023-01-31", "2023-02-28", "2023-03-31", "2023-04-30"]),
    (.nextDay, ["2023-01-31", "2023-03-01", "2023-03-31", "2023-05-01"]),
    (.skip, ["2023-01-31", "2023-03-31", "2023-05-31", "2023-07-31"]),
    (.lastDay, ["2023-01-31", "2023-02-28", "2023-03-31", "2023-04-30"]),
  ])
  func monthEnds(policy: MonthEndPolicy, expected: [String]) throws {
    let days = Schedule(.month, monthEnd: policy).days(from: try day("2023-01-31"))
    #expect(days.prefix(4).map(\.description) == expected)
  }

  @Test func theLastDayIsNotAlwaysTheAnchors() throws {
    let days = Schedule(.month, monthEnd: .lastDay).days(from: try day("2023-02-28"))
    #expect(days.prefix(3).map(\.description) == ["2023-02-28", "2023-03-31", "2023-04-30"])
    let leap = Schedule(.year, monthEnd: .skip).days(from: try day("2096-02-29"))
    #expect(leap.prefix(2).map(\.description) == ["2096-02-29", "2104-02-29"])
  }

  @Test func schedulesEndWithTheCalendar() throws {
    for unit in ScheduleUnit.allCases {
      for policy in MonthEndPolicy.allCases {
        let first = try day("9999-12-31")
        #expect(Array(Schedule(unit, monthEnd: policy).days(from: first)) == [first])
        let far = Schedule(every: 1000, unit, monthEnd: policy).days(from: .min)
        #expect(far.reduce(Day.min) { max($0, $1) } <= .max)
      }
    }
  }

  @Test func skippedSpansStayInOrderAndWithinTheirLimit() throws {
    let start = try day("2000-01-01")
    let spans = (0..<1500).map { position in
      start.adding(days: 3 * position)..<start.adding(days: 3 * position + 1)
    }
    var ledger = try Fixture()
    var series = Series(
      id: .unassigned,
      name: "S", template: SeriesTemplate(type: .expense, amount: try money("1", "KZT")),
      schedule: Schedule(.day), anchor: start)
    series.skipped = Array(spans.shuffled().prefix(Limits.skippedCountMax))
    let outcome = try ledger.state.run(.putSeries(series))
    guard case .entity(_, let id) = outcome else { return }
    series.id = SeriesID(id)
    let rest = spans.filter { !series.skipped.contains($0) }
    series.skipped = rest
    try ledger.state.run(.putSeries(series))
    let stored = try #require(try ledger.state.all(Series.self).first)
    #expect(stored.skipped.count == Limits.skippedCountMax)
    #expect(
      zip(stored.skipped, stored.skipped.dropFirst()).allSatisfy {
        $0.upperBound < $1.lowerBound
      })
    #expect(spans.allSatisfy { stored.isSkipped($0.lowerBound) })
    #expect(!stored.isSkipped(spans[1499].upperBound))
    try ledger.state.run(.unskipOccurrence(SeriesLink(stored.id, due: spans[1400].lowerBound)))
    let unskipped = try #require(try ledger.state.all(Series.self).first)
    #expect(!unskipped.isSkipped(spans[1400].lowerBound))
    #expect(unskipped.isSkipped(spans[1399].lowerBound))
  }
}
