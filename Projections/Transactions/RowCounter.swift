import DaybookBookkeeping
import DaybookEngine
import DaybookEntities

/// Counts the rows of a path by period, without reading the rows.
struct RowCounter {
  private var path: AccessPath
  private let handle: ProjectionHandle

  init(_ path: AccessPath, _ handle: ProjectionHandle) {
    self.path = path
    self.handle = handle
  }

  /// Returns the number of rows in a range of days.
  func count(_ days: Range<Day>?, _ view: borrowing View) throws -> Int {
    let range = days ?? Period(level: .all, index: 0).days
    let spans = PeriodSpan.spans(of: range)
    // If a range ends late in a month, count the days after the range and subtract them.
    let counter = try sparingSplits(in: spans.map(RowCounter.days), view)
    var count = 0
    for span in spans {
      let part = try counter.count(of: span, view)
      count += span.isSubtracted ? -part : part
    }
    return try checkedCount(Int128(count), in: Transactions.name, "the selected rows")
  }

  /// Returns the approximate number of rows in a range of days.
  ///
  /// If the range contains any part of a year, all rows of the year are counted. A row in several
  /// buckets is counted several times.
  func estimate(_ days: Range<Day>?, _ view: borrowing View) throws -> Int {
    let days = days ?? Period(level: .all, index: 0).days
    if days.isEmpty { return 0 }
    let first = Int32(clamping: days.lowerBound.year)
    let last = Int32(clamping: days.upperBound.adding(days: -1).year)
    return try counts(of: PeriodSpan(.year, first, last + 1), view).reduce(0) { $0 + $1.count }
  }

  /// The place of a row within its day, or within its month if days aren't counted.
  struct Place {
    /// The bounds of the day's or month's rows.
    let part: Range<RowKey>
    /// The number of newer rows within the bounds.
    let newerCount: Int
    /// The number of newer rows within the bounds.
    let restCount: Int

    init(_ days: Range<Day>, count: Int, newerCount: Int) {
      part = RowKey.first(of: days.lowerBound)..<RowKey.first(of: days.upperBound)
      self.newerCount = newerCount
      restCount = count - newerCount
    }
  }

  /// Returns the place of the row with `offset` newer rows in a range of days, or `nil` after the
  /// last row.
  ///
  /// - Complexity: O(years + 12 months + 31 days), independent of the offset.
  func place(
    atOffset offset: Int, in days: Range<Day>?, _ view: borrowing View
  ) throws -> Place? {
    let range = (days ?? Period(level: .all, index: 0).days)
      .clamped(to: Period(level: .all, index: 0).days)
    if range.isEmpty { return nil }
    var rest = offset
    return try sparingSplits(in: [range], view).descend(.year, in: range, &rest, view)
  }

  // Returns the counter without the lists of splits if the days have no splits, which is common.
  private func sparingSplits(in ranges: [Range<Day>], _ view: borrowing View) throws -> RowCounter {
    if path.splits.isEmpty { return self }
    for days in ranges {
      var walk = try splitsWalk(days, view)
      if try walk.next() != nil { return self }
    }
    var counter = self
    counter.path.splits = []
    return counter
  }

  // Skips whole periods of a level, newest first, and continues within the period that contains the
  // row.
  private func descend(
    _ level: Period.Level, in range: Range<Day>, _ rest: inout Int, _ view: borrowing View
  ) throws -> Place? {
    let first = Period.containing(range.lowerBound, level).index
    let last = Period.containing(range.upperBound.adding(days: -1), level).index
    for entry in try counts(of: PeriodSpan(level, first, last + 1), view).reversed() {
      let days = Period(level: level, index: entry.index).days
      let part = days.clamped(to: range)
      let isWhole = part == days
      var count = 0
      if isWhole {
        count = try exactCount(entry, level, view)
        if rest >= count {
          rest -= count
          continue
        }
      }
      let isLowest = level == .day || (level == .month && !path.hasDays)
      if !isLowest, let next = Period.Level(rawValue: level.rawValue + 1) {
        if let found = try descend(next, in: part, &rest, view) { return found }
      } else {
        if !isWhole { count = try countKeys(part, view) }
        if rest < count { return Place(part, count: count, newerCount: rest) }
        rest -= count
      }
    }
    return nil
  }

  // MARK: Counts

  struct Entry {
    var index: Int32
    var count: Int
  }

  private func count(of span: PeriodSpan, _ view: borrowing View) throws -> Int {
    if span.level == .day, !path.hasDays {
      return try countKeys(Day(rawValue: span.lower)..<Day(rawValue: span.upper), view)
    }
    let total = try counts(of: span, view).reduce(0) { $0 + $1.count }
    if path.splits.isEmpty || total < 2 { return total }
    return total - (try repeatedCount(RowCounter.days(of: span), view))
  }

  private static func days(of span: PeriodSpan) -> Range<Day> {
    let lower = Period(level: span.level, index: span.lower).days.lowerBound
    return lower..<Period(level: span.level, index: span.upper).days.lowerBound
  }

  private func exactCount(
    _ entry: Entry, _ level: Period.Level, _ view: borrowing View
  ) throws -> Int {
    if path.splits.isEmpty || entry.count < 2 { return entry.count }
    return entry.count - (try repeatedCount(Period(level: level, index: entry.index).days, view))
  }

  // Returns the counts of the periods with rows, in ascending order.
  private func counts(of span: PeriodSpan, _ view: borrowing View) throws -> [Entry] {
    if !path.hasDays { return try categoryCounts(of: span, view) }
    var entries: [Entry] = []
    for buckets in path.buckets {
      let isFirst = entries.isEmpty
      try buckets.forEachCount(in: span, handle, view) { index, count in
        if let last = entries.indices.last, entries[last].index == index {
          entries[last].count += count
        } else {
          entries.append(Entry(index: index, count: count))
        }
      }
      if !isFirst { entries = RowCounter.merged(entries) }
    }
    return entries
  }

  // Categories are counted only in periods that have rows, of which there are few.
  private func categoryCounts(of span: PeriodSpan, _ view: borrowing View) throws -> [Entry] {
    var entries: [Entry] = []
    try Buckets.all.forEachCount(in: span, handle, view) { index, _ in
      entries.append(Entry(index: index, count: 0))
    }
    for position in entries.indices {
      let period = Period(level: span.level, index: entries[position].index)
      entries[position].count = try CategoryTotals.count(
        of: path.categories, in: period, in: view)
    }
    return entries.filter { $0.count > 0 }
  }

  private static func merged(_ entries: [Entry]) -> [Entry] {
    var merged: [Entry] = []
    for entry in entries.sorted(by: { $0.index < $1.index }) {
      if let last = merged.indices.last, merged[last].index == entry.index {
        merged[last].count += entry.count
      } else {
        merged.append(entry)
      }
    }
    return merged
  }

  // MARK: Keys

  private func countKeys(_ days: Range<Day>, _ view: borrowing View) throws -> Int {
    var count = 0
    let bounds = RowKey.first(of: days.lowerBound)..<RowKey.first(of: days.upperBound)
    try path.forEachKey(in: bounds, handle, view) { _ in
      count += 1
      return true
    }
    return count
  }

  // Returns how many times rows were counted in excess, because several categories count the same
  // row.
  private func repeatedCount(_ days: Range<Day>, _ view: borrowing View) throws -> Int {
    var repeated = 0
    var walk = try splitsWalk(days, view)
    while let key = try walk.next() { repeated += try walk.step(over: key) - 1 }
    return repeated
  }

  @_lifetime(borrow view)
  private func splitsWalk(_ days: Range<Day>, _ view: borrowing View) throws -> KeyWalk {
    let bounds = RowKey.first(of: days.lowerBound)..<RowKey.first(of: days.upperBound)
    let lists = KeyLists(table: Transactions.splits, prefixes: path.splits)
    return try KeyWalk([lists], bounds, ascending: false, handle, view)
  }
}

extension Period {
  // Returns the period of a level that contains a day.
  static func containing(_ day: Day, _ level: Level) -> Period {
    switch level {
    case .all: Period(level: .all, index: 0)
    case .year: Period.year(of: day)
    case .month: Period.month(of: day)
    case .day: Period.day(day)
    }
  }
}
