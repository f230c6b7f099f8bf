import DaybookBookkeeping

extension JournalReader {
  /// Parses a date with `-`, `/` or `.` between year, month and day.
  ///
  /// A missing year is taken from `usual`, or from the last directive that sets a year.
  func day(_ at: inout Int, usual: Int? = nil) throws(JournalFault) -> Day {
    let start = at
    var parts: [Int] = []
    while parts.count < 3 {
      var value = 0
      var count = 0
      while at < end, text[at] &- 0x30 <= 9, count < 5 {
        value = value * 10 + Int(text[at] - 0x30)
        count += 1
        at += 1
      }
      guard count > 0 else { throw noDay(start, "A month and a day are required.") }
      parts.append(value)
      guard parts.count < 3, at + 1 < end, text[at] == 0x2D || text[at] == 0x2F || text[at] == 0x2E,
        text[at + 1] &- 0x30 <= 9
      else { break }
      at += 1
    }
    if parts.count == 2 {
      guard let year = usual ?? year else {
        throw fault(
          start, .date, "“\(string(start, at))” has no year, and no earlier line sets one.",
          "Add the year, or a line “year 2026” above it.")
      }
      parts.insert(year, at: 0)
    }
    guard parts.count == 3 else { throw noDay(start, "A year, a month and a day are required.") }
    guard let day = Day(year: parts[0], month: parts[1], day: parts[2]) else {
      throw noDay(start, "There is no such day.")
    }
    return day
  }

  private func noDay(_ start: Int, _ why: String) -> JournalFault {
    var stop = start
    while stop < end, text[stop] > 0x20, stop - start < 40 { stop += 1 }
    return fault(
      start, .date, "“\(string(start, stop))” isn't a date. \(why)", "Write it as 2026-01-31.")
  }
}
