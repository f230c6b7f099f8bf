/// A recurrence rule (`RRULE`) of RFC 5545, in the subset that schedules support.
///
/// The subset is: `FREQ` from `DAILY` to `YEARLY`, `INTERVAL`, `COUNT` or `UNTIL`, `BYMONTH`,
/// `BYMONTHDAY`, `BYDAY`, `BYSETPOS` and `WKST`; and from RFC 7529, `SKIP` with
/// `RSCALE=GREGORIAN`. The first due date (`DTSTART`) is the anchor of the series. Unlike in a
/// calendar, it counts only if it matches the rule.
public struct RecurrenceRule: Hashable, Sendable {
  /// The intervals and the days in each.
  public var schedule: Schedule
  /// The maximum number of occurrences (`COUNT`); 0 for no limit.
  public var countMax: Int64
  /// The day after the last possible due date (`UNTIL`), or `nil`.
  public var end: Day?

  /// Creates a rule.
  public init(_ schedule: Schedule, countMax: Int64 = 0, end: Day? = nil) {
    self.schedule = schedule
    self.countMax = countMax
    self.end = end
  }
}

/// A schedule that can't be read or isn't supported.
public struct ScheduleError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The problem and its solution.
  public var description: String

  init(_ description: String) { self.description = description }
}

extension RecurrenceRule {
  /// Reads a rule such as `FREQ=MONTHLY;BYDAY=-1FR`, with or without `RRULE:` before it.
  ///
  /// A time in `UNTIL` is ignored, because due dates are days.
  ///
  /// - Throws: ``ScheduleError`` if the text isn't a rule, or names a part outside the subset.
  public init(_ text: String) throws(ScheduleError) {
    var values: [String: String] = [:]
    var rest = text.uppercased().filter { !$0.isWhitespace }
    if rest.hasPrefix("RRULE:") { rest.removeFirst(6) }
    for part in rest.split(separator: ";", omittingEmptySubsequences: true) {
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard sides.count == 2, !sides[1].isEmpty else {
        throw ScheduleError(
          "“\(String(part).excerpt)” isn't a part of a recurrence rule; give parts such as "
            + "FREQ=MONTHLY;BYDAY=-1FR")
      }
      guard Self.parts.contains(String(sides[0])) else {
        throw ScheduleError(
          "can't use \(String(sides[0]).excerpt) in a recurrence rule; use "
            + Self.parts.joined(separator: ", "))
      }
      guard values.updateValue(String(sides[1]), forKey: String(sides[0])) == nil else {
        throw ScheduleError("the recurrence rule has \(sides[0]) twice; give it once")
      }
    }
    guard let frequency = values["FREQ"] else {
      throw ScheduleError("the recurrence rule has no FREQ; start with FREQ=MONTHLY, for example")
    }
    guard let unit = Self.frequencies.first(where: { $0.name == frequency })?.unit else {
      throw ScheduleError(
        "can't use FREQ=\(frequency.excerpt); use DAILY, WEEKLY, MONTHLY or YEARLY")
    }
    var schedule = Schedule(unit, monthEnd: .skip)
    if let text = values["INTERVAL"] {
      schedule.count = try Self.numbers(text, in: 1...Limits.scheduleCountMax, "INTERVAL")[0]
    }
    if let text = values["BYMONTH"] {
      schedule.months = try Self.numbers(text, in: 1...12, "BYMONTH")
    }
    if let text = values["BYMONTHDAY"] {
      schedule.monthDays = try Self.numbers(text, in: -31...31, "BYMONTHDAY")
    }
    if let text = values["BYSETPOS"] {
      schedule.positions = try Self.numbers(text, in: -366...366, "BYSETPOS")
    }
    if let text = values["BYDAY"] {
      for item in text.split(separator: ",", omittingEmptySubsequences: false) {
        schedule.weekdays.append(try Self.weekday(item, "BYDAY"))
      }
    }
    if let text = values["WKST"] {
      let day = try Self.weekday(text[...], "WKST")
      guard day.ordinal == 0 else { throw Self.invalid(text[...], "WKST") }
      schedule.weekStart = day.weekday
    }
    schedule.monthEnd = try Self.monthEnd(values)
    if unit == .day || unit == .week { schedule.monthEnd = .clamp }
    schedule.normalize()
    if let fault = schedule.fault { throw ScheduleError("the recurrence rule \(fault)") }
    self.init(schedule)
    guard values["COUNT"] == nil || values["UNTIL"] == nil else {
      throw ScheduleError("a recurrence rule can't have both COUNT and UNTIL; give one of them")
    }
    if let text = values["COUNT"] {
      countMax = Int64(try Self.numbers(text, in: 1...Int(Limits.occurrenceCountMax), "COUNT")[0])
    }
    if let text = values["UNTIL"] {
      let digits = text.prefix(8)
      let rest = text.dropFirst(8)
      let day = Day("\(digits.prefix(4))-\(digits.dropFirst(4).prefix(2))-\(digits.dropFirst(6))")
      guard let day, rest.isEmpty || rest.hasPrefix("T") && rest.utf8.count <= 8 else {
        throw ScheduleError(
          "“\(text.excerpt)” isn't a day for UNTIL; write it as 20261231 for 2026-12-31")
      }
      end = day.adding(days: 1)
    }
  }

  private static let parts = [
    "FREQ", "INTERVAL", "COUNT", "UNTIL", "BYMONTH", "BYMONTHDAY", "BYDAY", "BYSETPOS", "WKST",
    "RSCALE", "SKIP",
  ]
  private static let frequencies: [(name: String, unit: ScheduleUnit)] = [
    ("DAILY", .day), ("WEEKLY", .week), ("MONTHLY", .month), ("YEARLY", .year),
  ]
  private static let codes = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

  private static func invalid(_ text: Substring, _ part: String) -> ScheduleError {
    let example =
      switch part {
      case "BYDAY": "a day such as FR, 1MO or -1FR"
      case "WKST": "a day such as MO or SU"
      case "BYMONTHDAY": "1 to 31, or -1 for the last day"
      case "BYMONTH": "1 to 12"
      case "BYSETPOS": "1 to 366, or -1 for the last"
      case "COUNT": "1 to \(Limits.occurrenceCountMax)"
      default: "1 to \(Limits.scheduleCountMax)"
      }
    return ScheduleError("can't use “\(String(text).excerpt)” for \(part); give \(example)")
  }

  private static func numbers(
    _ text: String, in range: ClosedRange<Int>, _ part: String
  ) throws(ScheduleError) -> [Int] {
    let isList = part.hasPrefix("BY")
    var numbers: [Int] = []
    for item in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let number = Int(item), number != 0, range.contains(number),
        isList || numbers.isEmpty
      else { throw invalid(item, part) }
      numbers.append(number)
    }
    return numbers
  }

  private static func weekday(
    _ item: Substring, _ part: String
  ) throws(ScheduleError) -> ScheduleWeekday {
    guard let index = codes.firstIndex(of: String(item.suffix(2))) else {
      throw invalid(item, part)
    }
    let number = item.dropLast(2)
    guard let ordinal = number.isEmpty ? 0 : Int(number), number.isEmpty || ordinal != 0,
      abs(ordinal) <= 53
    else { throw invalid(item, part) }
    return ScheduleWeekday(index + 1, ordinal: ordinal)
  }

  /// Reads the policy for dates that don't exist: RFC 7529, section 4.1.
  private static func monthEnd(_ values: [String: String]) throws(ScheduleError) -> MonthEndPolicy {
    guard values["RSCALE"] ?? "GREGORIAN" == "GREGORIAN" else {
      throw ScheduleError(
        "can't use RSCALE=\(values["RSCALE", default: ""].excerpt); use GREGORIAN")
    }
    switch values["SKIP"] {
    case nil, "OMIT": return .skip
    case "BACKWARD": return .clamp
    case "FORWARD": return .nextDay
    case let other?:
      throw ScheduleError(
        "can't use SKIP=\(other.excerpt); use OMIT, BACKWARD or FORWARD")
    }
  }
}

extension RecurrenceRule {
  /// The rule as text, which ``init(_:)`` reads.
  ///
  /// - Parameter anchor: The first day, on which a schedule that names no days depends; `nil` to
  ///   include all parts that can make a difference.
  public func text(from anchor: Day? = nil) -> String {
    var parts: [String] = []
    let isMonthly = schedule.unit == .month || schedule.unit == .year
    var monthDays = schedule.monthDays
    var months = schedule.months
    if schedule.monthEnd == .lastDay, isMonthly {
      monthDays = [-1]
      if let anchor, schedule.unit == .year, months.isEmpty { months = [anchor.month] }
    }
    let isAnchored = monthDays.isEmpty && schedule.weekdays.isEmpty
    let dayMax = isAnchored ? anchor?.day ?? 31 : monthDays.max() ?? 0
    let skip: String? =
      switch schedule.monthEnd {
      case .clamp where isMonthly && dayMax > 28: "BACKWARD"
      case .nextDay where isMonthly && dayMax > 28: "FORWARD"
      default: nil
      }
    if skip != nil { parts.append("RSCALE=GREGORIAN") }
    if let name = Self.frequencies.first(where: { $0.unit == schedule.unit })?.name {
      parts.append("FREQ=\(name)")
    }
    if schedule.count != 1 { parts.append("INTERVAL=\(schedule.count)") }
    func list(_ name: String, _ numbers: [Int]) {
      if numbers.isEmpty { return }
      parts.append("\(name)=" + numbers.map { "\($0)" }.joined(separator: ","))
    }
    list("BYMONTH", months)
    list("BYMONTHDAY", monthDays)
    if !schedule.weekdays.isEmpty {
      let days = schedule.weekdays.map { day in
        (day.ordinal == 0 ? "" : "\(day.ordinal)") + Self.codes[(day.weekday - 1) % 7]
      }
      parts.append("BYDAY=" + days.joined(separator: ","))
    }
    list("BYSETPOS", schedule.positions)
    if schedule.weekStart != 1 { parts.append("WKST=" + Self.codes[(schedule.weekStart - 1) % 7]) }
    if let skip { parts.append("SKIP=\(skip)") }
    if countMax > 0 {
      parts.append("COUNT=\(countMax)")
    } else if let end {
      parts.append("UNTIL=" + "\(end.adding(days: -1))".filter { $0 != "-" })
    }
    return parts.joined(separator: ";")
  }
}

extension Series {
  /// The due dates as a recurrence rule of RFC 5545, whose `DTSTART` is the anchor; see
  /// ``RecurrenceRule``.
  public var rrule: String {
    var rule = RecurrenceRule(schedule, countMax: countMax, end: end)
    // A rule can't have both ends, so take the earlier.
    if countMax > 0, end != nil {
      rule.countMax = 0
      for day in scheduledDays { rule.end = day.adding(days: 1) }
    }
    return rule.text(from: anchor)
  }
}
