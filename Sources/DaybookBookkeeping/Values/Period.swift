/// A period for which totals are stored: a year, a month, a day or all time.
public struct Period: Hashable, Sendable {
  /// The length of a period.
  public enum Level: UInt8, Hashable, Sendable, CaseIterable {
    /// All time, which is a single period.
    case all = 0
    /// A calendar year.
    case year = 1
    /// A calendar month.
    case month = 2
    /// A calendar day.
    case day = 3
  }

  /// The length of the period.
  public let level: Level
  /// The year, ``Month/rawValue`` or ``Day/rawValue``; 0 for all time.
  public let index: Int32

  /// Creates a period from its level and index.
  @inlinable
  public init(level: Level, index: Int32) {
    self.level = level
    self.index = index
  }

  /// The year that contains a day.
  @inlinable
  public static func year(of day: Day) -> Period {
    Period(level: .year, index: Int32(clamping: day.year))
  }

  /// The month that contains a day.
  @inlinable
  public static func month(of day: Day) -> Period {
    Period(level: .month, index: day.monthOf.rawValue)
  }

  /// The period of a single day.
  @inlinable
  public static func day(_ day: Day) -> Period { Period(level: .day, index: day.rawValue) }

  /// The days of the period.
  @inlinable
  public var days: Range<Day> {
    switch level {
    case .all: Day.min..<Day.max.adding(days: 1)
    case .year:
      Month(year: Int(index), month: 1).first..<Month(year: Int(index) + 1, month: 1).first
    case .month: Month(rawValue: index).days
    case .day: Day(rawValue: index)..<Day(rawValue: index).adding(days: 1)
    }
  }
}

/// A range of consecutive periods of one level, whose totals are to be added or subtracted.
public struct PeriodSpan: Hashable, Sendable {
  /// The length of each period.
  public let level: Period.Level
  /// The index of the first period.
  public let lower: Int32
  /// The index after the last period.
  public let upper: Int32
  /// Whether the totals are subtracted instead of added.
  public let isSubtracted: Bool

  /// Creates a span of consecutive periods.
  public init(_ level: Period.Level, _ lower: Int32, _ upper: Int32, isSubtracted: Bool = false) {
    self.level = level
    self.lower = lower
    self.upper = upper
    self.isSubtracted = isSubtracted
  }

  /// Whether the span is a single period to be added.
  @inlinable
  public var isSinglePeriod: Bool { !isSubtracted && upper - lower == 1 }

  /// Divides a range of days into at most six spans, each of years, months or days.
  ///
  /// If a range begins or ends such that it contains most of a month, the other days are subtracted
  /// from the month's total. The same is done with the months of a year. A range needs at most 15
  /// days and 6 months at each end, and one total per year.
  ///
  /// - Parameters:
  ///   - range: The days. Days that a ledger doesn't accept are left out.
  ///   - quietFrom: The day from which on only a few days have totals, such as tomorrow.
  ///     Subtracting later days and months is fast, so “this month until today” needs only one
  ///     period and the planned days.
  ///   - takingAllTime: Whether all-time totals exist. If so, they are used for ranges that start
  ///     on the first day and reach `quietFrom`, and later days are subtracted.
  /// - Returns: Spans whose signed totals add up to the total of the range; empty for an empty
  ///   range.
  public static func spans(
    of range: Range<Day>, quietFrom: Day? = nil, takingAllTime: Bool = false
  ) -> PeriodSpans {
    let days = range.clamped(to: Day.min..<Day.max.adding(days: 1))
    if days.isEmpty { return PeriodSpans() }
    var cutter = PeriodCutter(quietFrom: quietFrom)
    let whole = Period(level: .all, index: 0).days
    if takingAllTime, days.lowerBound == whole.lowerBound,
      days.upperBound >= quietFrom ?? whole.upperBound
    {
      cutter.spans.append(PeriodSpan(.all, 0, 1))
      if days == whole { return cutter.spans }
      cutter.isInverted = true
      cutter.cut(days.upperBound..<whole.upperBound)
      return cutter.spans
    }
    cutter.cut(days)
    return cutter.spans
  }
}

/// The spans of a range of days, stored inline without an allocation.
public struct PeriodSpans: RandomAccessCollection, Sendable {
  @usableFromInline var span0 = PeriodSpan(.all, 0, 0)
  @usableFromInline var span1 = PeriodSpan(.all, 0, 0)
  @usableFromInline var span2 = PeriodSpan(.all, 0, 0)
  @usableFromInline var span3 = PeriodSpan(.all, 0, 0)
  @usableFromInline var span4 = PeriodSpan(.all, 0, 0)
  @usableFromInline var span5 = PeriodSpan(.all, 0, 0)
  /// The number of spans, which is the index after the last one.
  public private(set) var endIndex = 0

  init() {}

  /// Always 0.
  @inlinable
  public var startIndex: Int { 0 }

  /// The span at an index from 0.
  @inlinable
  public subscript(index: Int) -> PeriodSpan {
    precondition(index < endIndex, "index out of range")
    return switch index {
    case 0: span0
    case 1: span1
    case 2: span2
    case 3: span3
    case 4: span4
    default: span5
    }
  }

  mutating func append(_ span: PeriodSpan) {
    switch endIndex {
    case 0: span0 = span
    case 1: span1 = span
    case 2: span2 = span
    case 3: span3 = span
    case 4: span4 = span
    case 5: span5 = span
    default: preconditionFailure("a range is cut into at most six spans")
    }
    endIndex += 1
  }
}

/// Builds the spans of a range.
private struct PeriodCutter {
  let quietFrom: Day?
  var spans = PeriodSpans()
  /// Whether the spans are subtracted.
  var isInverted = false

  init(quietFrom: Day?) { self.quietFrom = quietFrom }

  mutating func cut(_ days: Range<Day>) {
    let lower = days.lowerBound
    let upper = days.upperBound
    let firstMonth = lower.monthOf
    let endMonth = upper.monthOf
    let monthStart = firstMonth.first
    let endStart = endMonth.first
    var months = firstMonth..<endMonth
    if firstMonth == endMonth {
      // Within one month, use its days, or the whole month minus the days before and after.
      let rest = firstMonth.days
      let outside =
        1 + cost(monthStart.rawValue, lower.rawValue, dayOf: { Day(rawValue: $0) })
        + cost(upper.rawValue, rest.upperBound.rawValue, dayOf: { Day(rawValue: $0) })
      if outside >= cost(lower.rawValue, upper.rawValue, dayOf: { Day(rawValue: $0) }) {
        return add(.day, lower.rawValue, upper.rawValue)
      }
      add(.month, firstMonth.rawValue, firstMonth.rawValue + 1)
      add(.day, monthStart.rawValue, lower.rawValue, isSubtracted: true)
      return add(.day, upper.rawValue, rest.upperBound.rawValue, isSubtracted: true)
    }
    if lower != monthStart {
      let next = firstMonth.adding(1).first
      if isCheaper(lower..<next, than: monthStart..<lower) {
        add(.day, lower.rawValue, next.rawValue)
        months = firstMonth.adding(1)..<endMonth
      } else {
        add(.day, monthStart.rawValue, lower.rawValue, isSubtracted: true)
      }
    }
    if upper != endStart {
      let end = endMonth.adding(1).first
      if isCheaper(endStart..<upper, than: upper..<end) {
        add(.day, endStart.rawValue, upper.rawValue)
      } else {
        months = months.lowerBound..<endMonth.adding(1)
        add(.day, upper.rawValue, end.rawValue, isSubtracted: true)
      }
    }
    if !months.isEmpty { cut(months: months) }
  }

  private mutating func cut(months: Range<Month>) {
    let lower = months.lowerBound.rawValue
    let upper = months.upperBound.rawValue
    let firstYear = Int32(clamping: months.lowerBound.year)
    let endYear = Int32(clamping: months.upperBound.year)
    let yearStart = firstYear * 12
    let endStart = endYear * 12
    if firstYear == endYear {
      let outside = 1 + monthCost(yearStart, lower) + monthCost(upper, yearStart + 12)
      if outside >= monthCost(lower, upper) { return add(.month, lower, upper) }
      add(.year, firstYear, firstYear + 1)
      add(.month, yearStart, lower, isSubtracted: true)
      return add(.month, upper, yearStart + 12, isSubtracted: true)
    }
    var years = firstYear..<endYear
    if lower != yearStart {
      if monthCost(lower, yearStart + 12) <= 1 + monthCost(yearStart, lower) {
        add(.month, lower, yearStart + 12)
        years = firstYear + 1..<endYear
      } else {
        add(.month, yearStart, lower, isSubtracted: true)
      }
    }
    if upper != endStart {
      if monthCost(endStart, upper) <= 1 + monthCost(upper, endStart + 12) {
        add(.month, endStart, upper)
      } else {
        years = years.lowerBound..<endYear + 1
        add(.month, upper, endStart + 12, isSubtracted: true)
      }
    }
    add(.year, years.lowerBound, years.upperBound)
  }

  private func isCheaper(_ added: Range<Day>, than subtracted: Range<Day>) -> Bool {
    cost(added.lowerBound.rawValue, added.upperBound.rawValue) { Day(rawValue: $0) }
      <= 1
      + cost(subtracted.lowerBound.rawValue, subtracted.upperBound.rawValue) { Day(rawValue: $0) }
  }

  private func monthCost(_ lower: Int32, _ upper: Int32) -> Int {
    cost(lower, upper) { Month(rawValue: $0).first }
  }

  // The number of periods in a span that are likely to have totals.
  private func cost(_ lower: Int32, _ upper: Int32, dayOf: (Int32) -> Day) -> Int {
    guard lower < upper else { return 0 }
    if let quietFrom, dayOf(lower) >= quietFrom { return 1 }
    return Int(upper - lower)
  }

  private mutating func add(
    _ level: Period.Level, _ lower: Int32, _ upper: Int32, isSubtracted: Bool = false
  ) {
    if lower < upper {
      spans.append(PeriodSpan(level, lower, upper, isSubtracted: isSubtracted != isInverted))
    }
  }
}
