// JSON forms of the parts of budgets, recurring transactions and rules; see Docs/JSON.md.

/// A day of the week by name.
package struct WeekdayName: Hashable, Sendable, Codable {
  /// The number of the weekday, from 1 (Monday) to 7 (Sunday).
  package var number: Int
  private static let names = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]

  init(number: Int) { self.number = number }

  /// The lowercase English name, or the number if it is invalid.
  package var name: String {
    (1...7).contains(number) ? Self.names[number - 1] : "\(number)"
  }

  /// Writes the lowercase English name.
  ///
  /// An invalid number is written as a number, which can't be read back.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    guard (1...7).contains(number) else { return try container.encode(number) }
    try container.encode(Self.names[number - 1])
  }

  /// Reads the lowercase English name.
  ///
  /// - Throws: `DecodingError` if it isn't a day of the week.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let name = try container.decode(String.self)
    guard let index = Self.names.firstIndex(of: name) else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "“\(name.excerpt)” isn't a day of the week such as “monday”")
    }
    number = index + 1
  }
}

extension BudgetPeriod: Codable {
  private enum Key: String, CodingKey {
    case every, resetDay, count, from, start, end
  }

  /// Writes the period.
  ///
  /// The forms are `{"every": "month", "resetDay": 25}`, `{"every": "week"}`, `{"every": "year"}`,
  /// `{"every": "halfMonth"}`, `{"every": "quarter"}`, and for a custom period
  /// `{"start": …, "end": …}` where `end` is the day after the last. Weeks and months counted from a
  /// day are `{"every": "week", "count": 2, "from": "2026-01-05"}`; 3 months are a quarter, and 12
  /// months are a year.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch self {
    case .monthly(let resetDay):
      try container.encode("month", forKey: .every)
      if resetDay != 1 { try container.encode(resetDay, forKey: .resetDay) }
    case .weekly: try container.encode("week", forKey: .every)
    case .yearly: try container.encode("year", forKey: .every)
    case .custom(let days):
      try container.encode(days.lowerBound, forKey: .start)
      try container.encode(days.upperBound, forKey: .end)
    case .weeks(let count, let day):
      try container.encode("week", forKey: .every)
      if count != 1 { try container.encode(count, forKey: .count) }
      try container.encode(day, forKey: .from)
    case .halfMonthly: try container.encode("halfMonth", forKey: .every)
    case .quarterly: try container.encode("quarter", forKey: .every)
    case .months(let count, let day):
      let unit = count == 3 ? "quarter" : count == 12 ? "year" : "month"
      try container.encode(unit, forKey: .every)
      if unit == "month", count != 1 { try container.encode(count, forKey: .count) }
      try container.encode(day, forKey: .from)
    }
  }

  /// Reads the form written by ``encode(to:)``.
  ///
  /// - Throws: `DecodingError` if the value isn't a period.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let unit = try container.decodeIfPresent(String.self, forKey: .every)
    let months = ["month": 1, "quarter": 3, "year": 12]
    if let unit, unit == "week" || months[unit] != nil,
      let from = try container.decodeIfPresent(Day.self, forKey: .from)
    {
      let count = try container.decodeIfPresent(Int.self, forKey: .count) ?? 1
      let (product, overflow) = count.multipliedReportingOverflow(by: months[unit] ?? 1)
      guard !overflow, !container.contains(.resetDay) else {
        throw DecodingError.dataCorruptedError(
          forKey: overflow ? .count : .resetDay, in: container,
          debugDescription: overflow
            ? "the count is too large" : "a period has either “resetDay” or “from”")
      }
      self = unit == "week" ? .weeks(product, from: from) : .months(product, from: from)
      return
    }
    for key in [Key.count, .from] where container.contains(key) {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: container,
        debugDescription: key == .count
          ? "“count” needs a day “from” and “every” week, month, quarter or year"
          : "“from” needs “every” week, month, quarter or year")
    }
    switch unit {
    case "month":
      let day = try container.decodeIfPresent(Int.self, forKey: .resetDay) ?? 1
      guard (1...31).contains(day) else {
        throw DecodingError.dataCorruptedError(
          forKey: .resetDay, in: container, debugDescription: "the reset day is not from 1 to 31")
      }
      self = .monthly(resetDay: day)
    case "week": self = .weekly
    case "year": self = .yearly
    case "halfMonth": self = .halfMonthly
    case "quarter": self = .quarterly
    case nil:
      guard let days = try DaySpan(from: decoder).days else {
        throw DecodingError.dataCorruptedError(
          forKey: .end, in: container, debugDescription: "the period ends before it starts")
      }
      self = .custom(days)
    case let other?:
      throw DecodingError.dataCorruptedError(
        forKey: .every, in: container,
        debugDescription:
          "“\(other.excerpt)” isn't one of “month”, “week”, “year”, “halfMonth”, “quarter”")
    }
  }
}

extension Schedule: Codable {
  private enum Key: String, CodingKey {
    case every, unit, monthEnd, rrule
  }

  /// Writes `{"every": 2, "unit": "week"}`, and `monthEnd` unless it is `clamp`; or
  /// `{"rrule": "FREQ=MONTHLY;BYDAY=-1FR"}` if the schedule has more parts.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    if hasParts {
      var schedule = self
      schedule.normalize()
      if schedule.hasParts {
        return try container.encode(RecurrenceRule(schedule).text(), forKey: .rrule)
      }
    }
    try container.encode(count, forKey: .every)
    try container.encode(unit, forKey: .unit)
    if monthEnd != .clamp { try container.encode(monthEnd, forKey: .monthEnd) }
  }

  /// Reads the forms written by ``encode(to:)``; `every` defaults to 1.
  ///
  /// - Throws: `DecodingError` if the value isn't a schedule.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    if let text = try container.decodeIfPresent(String.self, forKey: .rrule) {
      func fail(_ message: String) -> DecodingError {
        DecodingError.dataCorruptedError(
          forKey: .rrule, in: container, debugDescription: message)
      }
      guard container.allKeys.count == 1 else {
        throw fail("a schedule has either “rrule” or “every” and “unit”")
      }
      let rule: RecurrenceRule
      do { rule = try RecurrenceRule(text) } catch { throw fail("\(error)") }
      guard rule.countMax == 0, rule.end == nil else {
        throw fail("leave out COUNT and UNTIL, and set “countMax” or “end” of the series")
      }
      self = rule.schedule
      return
    }
    self.init(
      every: try container.decodeIfPresent(Int.self, forKey: .every) ?? 1,
      try container.decode(ScheduleUnit.self, forKey: .unit),
      monthEnd: try container.decodeIfPresent(MonthEndPolicy.self, forKey: .monthEnd) ?? .clamp)
  }
}

extension RuleCondition: Codable {
  private enum Key: String, CodingKey {
    case field, match, text, account, least, most, currency, type
  }

  /// Writes the condition in one of four forms.
  ///
  /// The forms are `{"field", "match", "text"}`, `{"account"}`, `{"least", "most", "currency"}` and
  /// `{"type"}`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch self {
    case .text(let field, let match, let text):
      if field != .any { try container.encode(field, forKey: .field) }
      try container.encode(match, forKey: .match)
      try container.encode(text, forKey: .text)
    case .account(let id): try container.encode(id, forKey: .account)
    case .amount(let from, let through):
      if let from { try container.encode(from.text, forKey: .least) }
      if let through { try container.encode(through.text, forKey: .most) }
      if let currency { try container.encode(currency, forKey: .currency) }
    case .type(let type): try container.encode(type, forKey: .type)
    }
  }

  /// Reads the form written by ``encode(to:)``.
  ///
  /// - Throws: `DecodingError` if the value isn't a condition.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    if let text = try container.decodeIfPresent(String.self, forKey: .text) {
      self = .text(
        try container.decodeIfPresent(RuleField.self, forKey: .field) ?? .any,
        try container.decode(RuleMatch.self, forKey: .match), text)
    } else if let account = try container.decodeIfPresent(AccountID.self, forKey: .account) {
      self = .account(account)
    } else if let currency = try container.decodeIfPresent(Currency.self, forKey: .currency) {
      func units(_ key: Key) throws -> Int64? {
        guard let text = try container.decodeIfPresent(String.self, forKey: key) else { return nil }
        do { return try Money.parse(text, currency: currency).minorUnits } catch {
          throw DecodingError.dataCorruptedError(
            forKey: key, in: container, debugDescription: "\(error)")
        }
      }
      self = .amount(from: try units(.least), through: try units(.most), in: currency)
    } else {
      self = .type(try container.decode(TransactionType.self, forKey: .type))
    }
  }
}
