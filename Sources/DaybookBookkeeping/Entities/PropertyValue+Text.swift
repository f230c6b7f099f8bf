package import DaybookEntities

extension PropertyValue {
  /// The value as English text for display.
  ///
  /// - Parameters:
  ///   - isQuoted: Whether a text is enclosed in quotation marks.
  ///   - name: Returns the name of an account, category or other entity.
  package func text(
    isQuoted: Bool = true, naming name: (EntityID) throws -> String
  ) rethrows -> String {
    switch self {
    case .text(let text): return isQuoted ? "“\(text)”" : text
    case .texts(let texts): return texts.joined(separator: ", ")
    case .day(let day): return "\(day)"
    case .month(let month): return "\(month)"
    case .number(let number): return "\(number)"
    case .flag(let flag): return flag ? "yes" : "no"
    case .choice(let name): return name
    case .entity(let id): return try name(id)
    case .currency(let currency): return currency.code
    case .money(let money): return "\(money.text) \(money.currency.code)"
    case .quote(let quote): return "\(quote)"
    case .entities(let ids): return try ids.map(name).joined(separator: ", ")
    case .days(let spans): return spans.map(\.text).joined(separator: ", ")
    case .steps(let steps):
      return steps.map { step in
        let code = step.amount.currency.code
        return "\(step.amount.text)\(code.isEmpty ? "" : " ")\(code) from \(step.day)"
      }.joined(separator: ", ")
    case .schedule(let schedule): return schedule.text
    case .period(let period): return period.text
    case .earlierPeriods(let list): return list.text { $0.text }
    case .earlierRollovers(let list): return list.text { "\($0)" }
    case .earlierCategories(let list):
      return try list.text { covered in
        let names = try covered.categories.map { try name($0.rawValue) }.joined(separator: ", ")
        let text = names.isEmpty ? "all expenses" : names
        return covered.includesSubcategories ? text : "\(text) without subcategories"
      }
    case .goal(let goal): return goal.text
    case .conditions(let conditions):
      return try conditions.map { try $0.text(naming: name) }.joined(separator: "; ")
    case .bytes: return "an unknown value"
    case .postings(let postings):
      return try postings.map { posting in
        let id =
          switch posting.account {
          case .account(let id): id.rawValue
          case .category(let id): id.rawValue
          }
        return "\(try name(id)) \(posting.amount.text) \(posting.amount.currency.code)"
      }.joined(separator: ", ")
    }
  }
}

extension Array {
  /// Former values in words, such as `every week until 2026-04-25`.
  fileprivate func text<Value>(_ value: (Value) throws -> String) rethrows -> String
  where Element == EarlierValue<Value> {
    try map { "\(try value($0.value)) until \($0.until)" }.joined(separator: "; ")
  }
}

extension Range<Day> {
  /// The days in words, such as `2026-04-02` or `2026-04-02 to 2026-04-10`.
  fileprivate var text: String {
    let last = upperBound.adding(days: -1)
    return last > lowerBound ? "\(lowerBound) to \(last)" : "\(lowerBound)"
  }
}

extension BudgetPeriod {
  /// The period in words, such as `every month, from day 15` or `every 2 weeks, from 2026-01-05`.
  package var text: String {
    switch self {
    case .monthly(let day): day == 1 ? "every month" : "every month, from day \(day)"
    case .weekly: "every week"
    case .yearly: "every year"
    case .custom(let span): "\(span.lowerBound) to \(span.upperBound.adding(days: -1))"
    case .weeks(let count, let day):
      (count == 1 ? "every week" : "every \(count) weeks") + ", from \(day)"
    case .halfMonthly: "every half-month"
    case .quarterly: "every quarter"
    case .months(3, let day): "every quarter, from \(day)"
    case .months(12, let day): "every year, from \(padded(day.month, 2))-\(padded(day.day, 2))"
    case .months(let count, let day):
      (count == 1 ? "every month" : "every \(count) months") + ", from \(day)"
    }
  }
}

extension EnvelopeGoal {
  /// The goal in words, such as `100.00 EUR each month`.
  package var text: String {
    let money = "\(amount.text) \(amount.currency.code)"
    return switch kind {
    case .byDay(let day): "\(money) by \(day)"
    case .monthly: "\(money) each month"
    case .balance: "a balance of \(money)"
    }
  }
}

extension RuleField {
  /// The field's name on the command line.
  package var word: String { self == .any ? "text" : "\(self)" }
}

extension RuleCondition {
  /// The condition in words, such as `payee contains “rewe”`.
  ///
  /// - Parameter name: Returns the name of an account.
  package func text(naming name: (EntityID) throws -> String) rethrows -> String {
    switch self {
    case .text(let field, let match, let text): "\(field.word) \(match) “\(text)”"
    case .account(let id): "on \(try name(id.rawValue))"
    case .amount(let from, let through):
      [from.map { "at least \($0.text)" }, through.map { "at most \($0.text)" }]
        .compactMap(\.self).joined(separator: ", ") + " \(currency?.code ?? "")"
    case .type(let type): "\(type)"
    }
  }
}
