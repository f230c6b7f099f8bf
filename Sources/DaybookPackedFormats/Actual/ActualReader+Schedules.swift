import DaybookBookkeeping
import DaybookFormats
import Foundation

/// The rule of a schedule.
private struct ActualRule: Decodable {
  struct Condition: Decodable {
    var field: String?
    var op: String?
    var value: ActualValue?
  }

  var conditions: [Condition]
  var actions: [Condition]

  init?(_ conditions: String, _ actions: String) {
    let decoder = JSONDecoder()
    func list(_ text: String) -> [Condition]? {
      try? decoder.decode([Condition].self, from: Data(text.utf8))
    }
    guard let first = list(conditions) else { return nil }
    self.conditions = first
    self.actions = list(actions) ?? []
  }

  func value(_ fields: String...) -> Condition? {
    conditions.first { fields.contains($0.field ?? "") }
  }
}

/// A value in a rule: a text, an amount, a range of amounts, or a recurrence.
private enum ActualValue: Decodable {
  case text(String)
  case number(Int64)
  case between(Int64, Int64)
  case recurrence(ActualRecurrence)
  case other

  private struct Between: Decodable {
    var num1: Int64
    var num2: Int64
  }

  init(from decoder: any Decoder) throws {
    if let recurrence = try? ActualRecurrence(from: decoder) {
      self = .recurrence(recurrence)
    } else if let between = try? Between(from: decoder) {
      self = .between(between.num1, between.num2)
    } else if let container = try? decoder.singleValueContainer() {
      if let number = try? container.decode(Int64.self) {
        self = .number(number)
      } else if let text = try? container.decode(String.self) {
        self = .text(text)
      } else {
        self = .other
      }
    } else {
      self = .other
    }
  }
}

private struct ActualRecurrence: Decodable {
  struct Pattern: Decodable {
    var value: Int
    var type: String
  }

  var frequency: String
  var start: String
  var interval: Int?
  var patterns: [Pattern]?
  var skipWeekend: Bool?
  var endMode: String?
  var endDate: String?
}

extension ActualReader {
  private struct Found {
    var line: Int
    var id: String
    var name: String
    var rule: String
  }

  mutating func takeSchedules(
    _ tables: ActualTables, _ currency: Currency
  ) throws(InterchangeError) {
    var rules: [String: ActualRule] = [:]
    try database.read("rules", ["id", "conditions", "actions"]) {
      rules[$0.text(0)] = ActualRule($0.text(1), $0.text(2))
    }
    var due: [String: Int64] = [:]
    let dates = ["schedule_id", "local_next_date", "base_next_date"]
    try database.read("schedules_next_date", dates) {
      due[$0.text(0)] = $0.number(1) ?? $0.number(2)
    }
    var found: [Found] = []
    var line = 0
    try database.read("schedules", ["id", "name", "rule", "completed", "tombstone"]) { row in
      line += 1
      guard !row.flag(3), !row.flag(4) else { return }
      found.append(
        Found(
          line: line, id: row.text(0), name: ActualTables.trimmed(row.text(1)),
          rule: row.text(2)))
    }
    var taken: Set<String> = []
    for schedule in found {
      let next = due[schedule.id].flatMap(ActualTables.day)
      take(schedule, rules[schedule.rule], next, tables, currency, &taken)
    }
  }

  private mutating func take(
    _ found: Found, _ rule: ActualRule?, _ next: Day?, _ tables: ActualTables,
    _ currency: Currency, _ taken: inout Set<String>
  ) {
    let what = "The schedule “\(found.name.isEmpty ? found.id : found.name)”"
    guard let rule, case .recurrence(let recurrence) = rule.value("date")?.value, let next,
      let start = Day(recurrence.start)
    else { return notice(found.line, "\(what) doesn't recur and was not imported.") }
    guard let template = template(found, rule, next, tables, currency) else {
      return notice(found.line, "\(what) has no account or no amount and was not imported.")
    }
    let plans = ActualReader.plans(recurrence, start, next)
    guard !plans.isEmpty else {
      return notice(
        found.line, "\(what) has due dates that Daybook doesn't support and was not imported.")
    }
    if recurrence.skipWeekend == true {
      notice(found.line, "\(what) was imported without its weekend rule.")
    }
    if recurrence.endMode == "after_n_occurrences" {
      notice(found.line, "\(what) was imported without its number of occurrences.")
    }
    let end = recurrence.endMode == "on_date" ? recurrence.endDate.flatMap { Day($0) } : nil
    let whole = found.name.isEmpty ? template.payee : found.name
    let base = NoteLines.prefix(
      of: whole.isEmpty ? "Schedule" : whole, byteCount: Limits.nameByteCountMax - 8)
    for (schedule, first) in plans {
      var name = base
      var copy = 2
      while !taken.insert(Folding.key(name)).inserted {
        name = "\(base) (\(copy))"
        copy += 1
      }
      guard end.map({ first <= $0 }) ?? true else { continue }
      books.schedules.append(
        BookSchedule(
          line: found.line, name: name, schedule: schedule, start: first, end: end,
          template: template))
    }
  }

  /// Returns the schedules that correspond to a recurrence, with their first due dates, starting
  /// with the next due date.
  ///
  /// There is one schedule for each day of the month. The result is empty if Daybook has no
  /// equivalent.
  private static func plans(
    _ recurrence: ActualRecurrence, _ start: Day, _ next: Day
  ) -> [(Schedule, Day)] {
    let count = recurrence.interval ?? 1
    guard (1...Limits.scheduleCountMax).contains(count) else { return [] }
    let patterns = recurrence.patterns ?? []
    switch recurrence.frequency {
    case "daily": return [(Schedule(every: count, .day), next)]
    case "weekly": return [(Schedule(every: count, .week), next)]
    case "yearly": return [(Schedule(every: count, .year), next)]
    case "monthly" where patterns.isEmpty:
      let end: MonthEndPolicy = start.day == 31 ? .lastDay : .clamp
      return [(Schedule(every: count, .month, monthEnd: end), next)]
    case "monthly":
      var plans: [(Schedule, Day)] = []
      for pattern in patterns {
        let isLast = pattern.value == -1 || pattern.value == 31
        guard pattern.type == "day", isLast || (1...30).contains(pattern.value) else { return [] }
        var month = next.monthOf
        func day(_ month: Month) -> Day {
          isLast ? month.last : min(month.first.adding(days: pattern.value - 1), month.last)
        }
        if day(month) < next { month = month.adding(count) }
        guard day(month).isInRange else { return [] }
        plans.append(
          (Schedule(every: count, .month, monthEnd: isLast ? .lastDay : .clamp), day(month)))
      }
      return plans
    default: return []
    }
  }

  private func template(
    _ found: Found, _ rule: ActualRule, _ day: Day, _ tables: ActualTables, _ currency: Currency
  ) -> BookTransaction? {
    guard case .text(let account) = rule.value("account", "acct")?.value,
      let name = names[account]
    else { return nil }
    let units: Int64
    switch rule.value("amount")?.value {
    case .number(let number): units = number
    case .between(let first, let second):
      // Use the middle of the range, as Actual does.
      units = Int64(truncatingIfNeeded: (Int128(first) + Int128(second)) / 2)
    default: return nil
    }
    guard let money = ActualReader.money(units, currency), money.minorUnits != 0,
      let opposite = try? money.negated()
    else { return nil }
    var result = BookTransaction(line: found.line, day: day)
    var place = BookPosting.Place.category([], units > 0 ? .income : .expense)
    if case .text(let id) = rule.value("payee", "description")?.value,
      let payee = tables.payee(id)
    {
      if let other = payee.account {
        guard let target = names[other], target != name else { return nil }
        place = .account(target)
      } else {
        result.payee = NoteLines.prefix(
          of: ActualTables.trimmed(payee.name), byteCount: Limits.payeeByteCountMax)
      }
    }
    let action = rule.actions.first { $0.op == "set" && $0.field == "category" }
    if case .text(let id) = action?.value, let category = tables.category(id) {
      if case .category = place { place = .category(category.path, category.kind) }
    }
    result.postings = [BookPosting(.account(name), money), BookPosting(place, opposite)]
    return result
  }
}
