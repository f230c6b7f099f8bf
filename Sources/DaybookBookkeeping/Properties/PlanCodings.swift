package import DaybookEntities

/// The coding of a budget's periods.
///
/// One byte (0 monthly, 1 weekly, 2 yearly, 3 custom, 4 weeks, 5 half months, 6 months), followed by
/// the reset day (one byte, 1 to 31) for monthly periods, by two days (the first day, and the day
/// after the last) for a custom period, or by a varint and a day for a number of weeks or months.
package struct BudgetPeriodCoding: RequiredCoding {
  package static var blank: BudgetPeriod { .weekly }

  package static func write(_ value: BudgetPeriod, to writer: inout ByteWriter) {
    value.write(to: &writer)
  }

  @_lifetime(walk: copy walk)
  package static func read(_ walk: inout RecordWalk) throws(DecodingFault) -> BudgetPeriod {
    try BudgetPeriod(from: &walk.value)
  }
  package static func shown(_ value: BudgetPeriod, _ bytes: RawSpan) -> PropertyValue {
    .period(value)
  }
}

extension BudgetPeriod: EarlierCoded {
  package func write(to writer: inout ByteWriter) {
    switch self {
    case .monthly(let resetDay):
      writer.u8(0)
      writer.u8(UInt8(clamping: resetDay))
    case .weekly: writer.u8(1)
    case .yearly: writer.u8(2)
    case .custom(let days):
      writer.u8(3)
      writer.u32be(days.lowerBound.biased)
      writer.u32be(days.upperBound.biased)
    case .weeks(let count, let anchor):
      writer.u8(4)
      writer.varint(UInt64(clamping: count))
      writer.u32be(anchor.biased)
    case .halfMonthly: writer.u8(5)
    case .months(let count, let anchor):
      writer.u8(6)
      writer.varint(UInt64(clamping: count))
      writer.u32be(anchor.biased)
    }
  }

  @_lifetime(reader: copy reader)
  private static func count(_ reader: inout ByteReader) throws(DecodingFault) -> Int {
    let count = try reader.varint()
    guard count >= 1, count <= UInt64(Limits.budgetPeriodCountMax) else {
      throw .invalidValue("budget period")
    }
    return Int(count)
  }

  @_lifetime(reader: copy reader)
  package init(from reader: inout ByteReader) throws(DecodingFault) {
    switch try reader.u8() {
    case 0:
      let day = Int(try reader.u8())
      guard (1...31).contains(day) else { throw .invalidValue("reset day") }
      self = .monthly(resetDay: day)
    case 1: self = .weekly
    case 2: self = .yearly
    case 3:
      let (first, end) = (try reader.day(), try reader.day())
      guard first <= end else { throw .invalidValue("budget period") }
      self = .custom(first..<end)
    case 4: self = .weeks(try Self.count(&reader), from: try reader.day())
    case 5: self = .halfMonthly
    case 6: self = .months(try Self.count(&reader), from: try reader.day())
    default: throw .invalidValue("budget period")
    }
  }

  package static func shown(_ list: [EarlierValue<BudgetPeriod>]) -> PropertyValue {
    .earlierPeriods(list)
  }
}

extension Rollover: EarlierCoded {
  package func write(to writer: inout ByteWriter) { writer.u8(rawValue) }

  @_lifetime(reader: copy reader)
  package init(from reader: inout ByteReader) throws(DecodingFault) { self = try reader.code() }

  package static func shown(_ list: [EarlierValue<Rollover>]) -> PropertyValue {
    .earlierRollovers(list)
  }
}

/// The coding of a budget's categories: a count and the ids, then one byte, 1 if subcategories are
/// excluded.
extension BudgetCategories: EarlierCoded {
  package func write(to writer: inout ByteWriter) {
    writer.varint(UInt64(categories.count))
    for id in categories { writer.id(id.rawValue) }
    writer.u8(includesSubcategories ? 0 : 1)
  }

  @_lifetime(reader: copy reader)
  package init(from reader: inout ByteReader) throws(DecodingFault) {
    var categories: [CategoryID] = []
    for _ in 0..<(try reader.count()) { categories.append(CategoryID(try reader.id())) }
    self.init(categories, includingSubcategories: !(try reader.flag()))
  }

  package static func shown(_ list: [EarlierValue<BudgetCategories>]) -> PropertyValue {
    .earlierCategories(list)
  }
}

/// A value of a budget that can be changed from a day on.
package protocol EarlierCoded: Hashable, Sendable, Codable {
  func write(to writer: inout ByteWriter)
  /// - Throws: `DecodingFault` if the value is damaged.
  @_lifetime(reader: copy reader)
  init(from reader: inout ByteReader) throws(DecodingFault)
  /// The list as shown in the history.
  static func shown(_ list: [EarlierValue<Self>]) -> PropertyValue
}

/// The coding of a value that applied before a day: the day and the value.
extension EarlierValue: ListElement where Value: EarlierCoded {
  package func write(to writer: inout ByteWriter) {
    writer.u32be(until.biased)
    value.write(to: &writer)
  }

  @_lifetime(reader: copy reader)
  package init(from reader: inout ByteReader) throws(DecodingFault) {
    self.init(until: try reader.day(), value: try Value(from: &reader))
  }

  package static func shown(_ list: [Self]) -> PropertyValue? { Value.shown(list) }
}

/// The coding of an amount that applies from a given day on: the day and the minor units.
///
/// An amount that is read from a record has no currency. The amount is in the currency of the
/// budget's amount.
package struct DatedAmount: ListElement {
  /// The first day.
  package var day: Day
  /// The amount.
  package var amount: Money

  init(day: Day, amount: Money) {
    self.day = day
    self.amount = amount
  }

  package func write(to writer: inout ByteWriter) {
    writer.u32be(day.biased)
    writer.zigzag(amount.minorUnits)
  }

  @_lifetime(reader: copy reader)
  package init(from reader: inout ByteReader) throws(DecodingFault) {
    day = try reader.day()
    amount = Money(try reader.zigzag(), Currency(packed: 0))
  }

  package static func shown(_ list: [DatedAmount]) -> PropertyValue? {
    .steps(list.map { BudgetStep(day: $0.day, amount: $0.amount) })
  }

  private enum Key: String, CodingKey { case day, amount, units }

  /// Writes `{"day": …, "amount": {…}}`, or minor units as `units` if the currency is unknown.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(day, forKey: .day)
    if amount.currency == Currency(packed: 0) {
      try container.encode(amount.minorUnits, forKey: .units)
    } else {
      try container.encode(amount, forKey: .amount)
    }
  }

  /// Reads the form written by ``encode(to:)``.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    day = try container.decode(Day.self, forKey: .day)
    if let units = try container.decodeIfPresent(Int64.self, forKey: .units) {
      amount = Money(units, Currency(packed: 0))
    } else {
      amount = try container.decode(Money.self, forKey: .amount)
    }
  }
}

/// The coding of a schedule.
///
/// One byte for the unit (0 day, 1 week, 2 month, 3 year), a varint for the count, and one byte for
/// the month-end policy. A schedule with parts continues with four lists, each a varint for the
/// number of items and then the items as numbers: days of the month, days of the week (each the
/// position times 8, plus the day), months and positions; and one byte for the start of the week.
package struct ScheduleCoding: RequiredCoding {
  package static var blank: Schedule { Schedule(.month) }

  package static func write(_ value: Schedule, to writer: inout ByteWriter) {
    writer.u8(value.unit.rawValue)
    writer.varint(UInt64(clamping: value.count))
    writer.u8(value.monthEnd.rawValue)
    guard value.hasParts else { return }
    let weekdays = value.weekdays.map { $0.ordinal * 8 + $0.weekday }
    for list in [value.monthDays, weekdays, value.months, value.positions] {
      writer.varint(UInt64(list.count))
      for item in list { writer.zigzag(Int64(item)) }
    }
    writer.u8(UInt8(clamping: value.weekStart))
  }

  @_lifetime(walk: copy walk)
  package static func read(_ walk: inout RecordWalk) throws(DecodingFault) -> Schedule {
    let unit: ScheduleUnit = try walk.value.code()
    let count = try walk.value.varint()
    guard let count = Int(exactly: count), count > 0 else { throw .invalidValue("schedule") }
    var schedule = Schedule(every: count, unit, monthEnd: try walk.value.code())
    if walk.value.isAtEnd { return schedule }
    schedule.monthDays = try items(&walk)
    schedule.weekdays = try items(&walk).map {
      ScheduleWeekday($0 & 7, ordinal: $0 >> 3)
    }
    schedule.months = try items(&walk)
    schedule.positions = try items(&walk)
    schedule.weekStart = Int(try walk.value.u8())
    guard schedule.hasParts, schedule.fault == nil else { throw .invalidValue("schedule") }
    return schedule
  }

  @_lifetime(walk: copy walk)
  private static func items(_ walk: inout RecordWalk) throws(DecodingFault) -> [Int] {
    var items: [Int] = []
    for _ in 0..<(try walk.value.count()) { items.append(Int(try walk.value.zigzag())) }
    return items
  }

  package static func shown(_ value: Schedule, _ bytes: RawSpan) -> PropertyValue {
    .schedule(value)
  }
}

extension Day: ListElement {
  package func write(to writer: inout ByteWriter) { writer.u32be(biased) }

  @_lifetime(reader: copy reader)
  package init(from reader: inout ByteReader) throws(DecodingFault) { self = try reader.day() }

  package static func shown(_ list: [Day]) -> PropertyValue? {
    .days(list.map { $0..<$0.adding(days: 1) })
  }
}

extension DaySpan: ListElement {
  package func write(to writer: inout ByteWriter) {
    writer.u32be(start.biased)
    writer.u32be(end.biased)
  }

  @_lifetime(reader: copy reader)
  package init(from reader: inout ByteReader) throws(DecodingFault) {
    start = try reader.day()
    end = try reader.day()
    guard start <= end else { throw .invalidValue("skipped days") }
  }

  package static func shown(_ list: [DaySpan]) -> PropertyValue? {
    .days(list.compactMap(\.days))
  }
}

extension RuleCondition: ListElement {
  package func write(to writer: inout ByteWriter) {
    switch self {
    case .text(let field, let match, let text):
      writer.u8(0)
      writer.u8(field.rawValue)
      writer.u8(match.rawValue)
      writer.string(text)
    case .account(let id):
      writer.u8(1)
      writer.id(id.rawValue)
    case .amount(let from, let through):
      writer.u8(2)
      writer.optional(from?.minorUnits) { $0.zigzag($1) }
      writer.optional(through?.minorUnits) { $0.zigzag($1) }
      writer.currency(currency ?? CurrencyCoding.blank)
    case .type(let type):
      writer.u8(3)
      writer.u8(type.rawValue)
    }
  }

  @_lifetime(reader: copy reader)
  package init(from reader: inout ByteReader) throws(DecodingFault) {
    switch try reader.u8() {
    case 0: self = .text(try reader.code(), try reader.code(), try reader.string())
    case 1: self = .account(AccountID(try reader.id()))
    case 2:
      let from = try reader.flag() ? try reader.zigzag() : nil
      let through = try reader.flag() ? try reader.zigzag() : nil
      self = .amount(from: from, through: through, in: try reader.currency())
    case 3: self = .type(try reader.code())
    default: throw .invalidValue("condition of a rule")
    }
  }

  package static func shown(_ list: [RuleCondition]) -> PropertyValue? { .conditions(list) }
}

extension RuleCondition {
  /// Creates a condition from minor units; without bounds, it matches any amount of the currency.
  static func amount(from: Int64?, through: Int64?, in currency: Currency) -> RuleCondition {
    let least = through == nil ? from ?? 0 : from
    return .amount(
      from: least.map { Money($0, currency) }, through: through.map { Money($0, currency) })
  }
}

/// The coding of the week's first day: 2 (Tuesday) to 7, absent for Monday.
package struct WeekdayCoding: DefaultedCoding {
  package static var standard: WeekdayName { WeekdayName(number: 1) }
  package static func write(_ value: WeekdayName, to writer: inout ByteWriter) {
    writer.u8(UInt8(truncatingIfNeeded: value.number))
  }
  @_lifetime(walk: copy walk)
  package static func read(_ walk: inout RecordWalk) throws(DecodingFault) -> WeekdayName {
    let number = Int(try walk.value.u8())
    guard (2...7).contains(number) else { throw .invalidValue("first weekday") }
    return WeekdayName(number: number)
  }
  package static func shown(_ value: WeekdayName, _ bytes: RawSpan) -> PropertyValue {
    .choice(value.name)
  }
}

/// The coding of a quote: the mantissa as a number, then one byte for the number of decimals.
package struct QuoteCoding: RequiredCoding {
  package static var blank: Quote { Quote(unchecked: 1, scale: 0) }
  package static func write(_ value: Quote, to writer: inout ByteWriter) {
    writer.zigzag(value.mantissa)
    writer.u8(value.scale)
  }
  @inline(__always)
  @_lifetime(walk: copy walk)
  package static func read(_ walk: inout RecordWalk) throws(DecodingFault) -> Quote {
    let mantissa = try walk.value.zigzag()
    guard let quote = Quote(mantissa: mantissa, scale: try walk.value.u8()) else {
      throw .invalidValue("rate")
    }
    return quote
  }
  package static func shown(_ value: Quote, _ bytes: RawSpan) -> PropertyValue { .quote(value) }
}

extension PropertyCoding where Self == BudgetPeriodCoding {
  /// The coding of a budget's periods.
  static var budgetPeriod: Self { Self() }
}
extension PropertyCoding where Self == ScheduleCoding {
  /// The coding of a schedule.
  static var schedule: Self { Self() }
}
extension PropertyCoding where Self == WeekdayCoding {
  /// The coding of the week's first day.
  static var weekday: Self { Self() }
}
extension PropertyCoding where Self == QuoteCoding {
  /// The coding of a quote.
  static var quote: Self { Self() }
}
