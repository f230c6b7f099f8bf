// Goal: a range of days is cut into periods whose signed totals are exactly the range's, and few.
// Method: seeded random ranges; the spans are expanded to days and counted against the range.

import DaybookBookkeeping
import DaybookRandom
import Testing

/// How often each day is counted, for days of a window.
private func counts(_ spans: [PeriodSpan], in window: Range<Day>) -> [Int] {
  var counts = [Int](repeating: 0, count: window.count)
  for span in spans {
    let lower = Period(level: span.level, index: span.lower).days.lowerBound
    let upper = Period(level: span.level, index: span.upper - 1).days.upperBound
    for day in (lower..<upper).clamped(to: window) {
      counts[window.lowerBound.distance(to: day)] += span.isSubtracted ? -1 : 1
    }
  }
  return counts
}

@Test(arguments: 0..<20 as Range<UInt64>)
func spansCoverTheRangeExactly(seed: UInt64) throws {
  var random = SeededGenerator(seed: seed)
  let start = try #require(Day(year: 2019, month: 1, day: 1))
  let window = start..<start.adding(days: 2_600)
  for _ in 0..<60 {
    let reach = [3, 40, 500, 2_600][Int.random(in: 0..<4, using: &random)]
    let first = Int.random(in: 0...2_600 - reach, using: &random)
    let length = Int.random(in: 0...reach, using: &random)
    let range = start.adding(days: first)..<start.adding(days: first + length)
    let quiet = random.chance(50) ? range.upperBound : nil
    let spans = Array(PeriodSpan.spans(of: range, quietFrom: quiet))
    let expected = window.map { range.contains($0) ? 1 : 0 }
    #expect(counts(spans, in: window) == expected, "seed \(seed), \(range), quiet \(quiet as Any)")
    #expect(spans.count <= 6)
    let touched = spans.filter { $0.level != .year }.reduce(0) { $0 + Int($1.upper - $1.lower) }
    if quiet == nil { #expect(touched <= 46, "\(range): \(spans)") }
  }
}

@Test
func endsOfTheCalendar() throws {
  let whole = Day.min..<Day.max.adding(days: 1)
  #expect(Array(PeriodSpan.spans(of: whole)) == [PeriodSpan(.year, 1, 10_000)])
  #expect(Array(PeriodSpan.spans(of: whole, takingAllTime: true)) == [PeriodSpan(.all, 0, 1)])
  let beyond = Day(rawValue: .min)..<Day(rawValue: .max)
  #expect(Array(PeriodSpan.spans(of: beyond)) == [PeriodSpan(.year, 1, 10_000)])
  #expect(PeriodSpan.spans(of: Day.max..<Day.max).isEmpty)
  #expect(PeriodSpan.spans(of: Day.max..<Day.max.adding(days: 1)).count == 1)
}

@Test
func untilTodayIsOnePeriodAndWhatIsPlanned() throws {
  let today = try #require(Day(year: 2026, month: 2, day: 15))
  let tomorrow = today.adding(days: 1)
  let month = today.monthOf.days.clamped(to: Day.min..<tomorrow)
  let spans = PeriodSpan.spans(of: month, quietFrom: tomorrow)
  #expect(spans.first == PeriodSpan(.month, today.monthOf.rawValue, today.monthOf.rawValue + 1))
  #expect(spans.dropFirst().allSatisfy { $0.isSubtracted })
  let all = Array(
    PeriodSpan.spans(of: Day.min..<tomorrow, quietFrom: tomorrow, takingAllTime: true))
  #expect(all.first == PeriodSpan(.all, 0, 1))
  let window = today.adding(days: -800)..<today.adding(days: 800)
  #expect(counts(all, in: window) == window.map { $0 < tomorrow ? 1 : 0 })
}
