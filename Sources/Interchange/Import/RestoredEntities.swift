import Daybook

/// Understands the lines of a JSON export as entities.
struct RestoredEntities {
  /// Why a line is not what it should be.
  struct Fault: Error {
    var reason: String
  }

  var currencies: [String: Currency] = [:]

  func currency(_ code: String) throws(Fault) -> Currency {
    if let currency = currencies[code] ?? Currency.iso(code) { return currency }
    throw Fault(reason: "the currency \(code) is not known")
  }

  func money(_ text: String, _ code: String) throws(Fault) -> Money {
    let currency = try currency(code)
    do { return try Money.parse(text, currency: currency) } catch {
      throw Fault(reason: "\(error)")
    }
  }

  private func value<Value: CaseIterable>(
    _ text: String?, or standard: Value? = nil
  ) throws(Fault) -> Value {
    if text == nil, let standard { return standard }
    if let value = Value.allCases.first(where: { "\($0)" == text }) { return value }
    throw Fault(reason: "\"\(text ?? "")\" is not a \(Value.self)")
  }

  private func number(_ text: String?) throws(Fault) -> Int64? {
    guard let text else { return nil }
    guard let number = Int64(text) else { throw Fault(reason: "\"\(text)\" is not a number") }
    return number
  }

  func settings(_ line: RestoredLines.SettingsLine) throws(Fault) -> Settings {
    var base: Currency?
    if let code = line.baseCurrency { base = try currency(code) }
    guard (1...7).contains(line.firstWeekday ?? 1) else {
      throw Fault(reason: "the first weekday is not from 1 to 7")
    }
    return Settings(
      number: line.number, baseCurrency: base, firstWeekday: line.firstWeekday ?? 1,
      closedThrough: line.closedThrough,
      mergePolicy: try value(line.mergePolicy, or: MergePolicy.lastWriter))
  }

  mutating func definition(
    _ line: RestoredLines.CurrencyLine
  ) throws(Fault) -> CurrencyDefinition {
    guard let currency = Currency(code: line.code, digits: line.digits ?? 0) else {
      throw Fault(reason: "\"\(line.code)\" cannot be a currency")
    }
    currencies[line.code] = currency
    return CurrencyDefinition(currency: currency, name: line.name ?? "", number: line.number)
  }

  func account(_ line: RestoredLines.AccountLine) throws(Fault) -> Account {
    Account(
      id: line.id, number: line.number, name: line.name, kind: try value(line.kind),
      currency: try currency(line.currency),
      openingBalance: try money(line.opening ?? "0", line.currency).minorUnits,
      openingDay: line.openingDay, isClosed: line.closed ?? false,
      isHidden: line.hidden ?? false, isDeleted: line.deleted ?? false, note: line.note ?? "",
      order: line.order ?? 0)
  }

  func category(_ line: RestoredLines.CategoryLine) throws(Fault) -> Category {
    Category(
      id: line.id, number: line.number, name: line.name, kind: try value(line.kind),
      parent: line.parent, isHidden: line.hidden ?? false, isDeleted: line.deleted ?? false,
      note: line.note ?? "", order: line.order ?? 0)
  }

  func rate(_ line: RestoredLines.RateLine) throws(Fault) -> ExchangeRate {
    let (base, quoted) = (try currency(line.base), try currency(line.quoted))
    do {
      return ExchangeRate(
        base: base, quoted: quoted, day: line.day, quote: try Quote(line.rate),
        number: line.number)
    } catch {
      throw Fault(reason: "\(error)")
    }
  }

  func transaction(
    _ line: RestoredLines.TransactionLine, _ kinds: [CategoryID: CategoryKind]
  ) throws(Fault) -> Transaction {
    var postings: [Posting] = []
    var hasIncome = false
    var hasExpense = false
    for posting in line.postings {
      let amount = try money(posting.amount, posting.currency)
      switch (posting.account, posting.category) {
      case (let id?, nil): postings.append(.init(.account(id), amount, note: posting.note ?? ""))
      case (nil, let id?):
        postings.append(.init(.category(id), amount, note: posting.note ?? ""))
        let kind = kinds[id] ?? (id == .uncategorizedIncome ? .income : .expense)
        if kind == .income { hasIncome = true } else { hasExpense = true }
      default: throw Fault(reason: "a posting needs an account or a category, and not both")
      }
    }
    let isImported = line.imported ?? false
    return Transaction(
      id: line.id, number: line.number, day: line.day,
      type: hasIncome ? .income : hasExpense ? .expense : .transfer,
      status: try value(line.status, or: Status.cleared), description: line.description ?? "",
      payee: line.payee ?? "", note: line.note ?? "", tags: line.tags ?? [], postings: postings,
      importIdentity: isImported
        ? ImportIdentity(reference: line.reference ?? "", original: line.original) : nil,
      series: line.series, occurrence: line.occurrence, categorizedBy: line.categorizedBy)
  }

  func assertion(_ line: RestoredLines.AssertionLine) -> BalanceAssertion {
    BalanceAssertion(
      id: line.id, number: line.number, account: line.account, day: line.day,
      units: line.units ?? 0, note: line.note ?? "")
  }

  func budget(_ line: RestoredLines.BudgetLine) throws(Fault) -> Budget {
    let period: BudgetPeriod
    switch line.period {
    case "monthly": period = .monthly(resetDay: line.resetDay ?? 1)
    case "weekly": period = .weekly
    case "yearly": period = .yearly
    default:
      guard let start = line.periodStart, let end = line.periodEnd, start <= end else {
        throw Fault(reason: "\"\(line.period)\" is not a period")
      }
      period = .custom(start..<end)
    }
    var budget = Budget(
      id: line.id, number: line.number, name: line.name, categories: line.categories ?? [],
      amount: try money(line.amount, line.currency), period: period)
    budget.includesSubcategories = !(line.withoutSubcategories ?? false)
    budget.rollover = try value(line.rollover, or: Rollover.none)
    budget.start = line.start
    budget.end = line.end
    budget.steps = (line.steps ?? []).map { BudgetStep(day: $0.day, units: $0.units ?? 0) }
    budget.isArchived = line.archived ?? false
    budget.note = line.note ?? ""
    budget.order = line.order ?? 0
    return budget
  }

  func series(_ line: RestoredLines.SeriesLine) throws(Fault) -> Series {
    let pattern = line.template
    var template = SeriesTemplate(
      type: try value(pattern.type), amount: try money(pattern.amount, pattern.currency),
      account: pattern.account, category: pattern.category, otherAccount: pattern.otherAccount,
      accountUnits: try number(pattern.accountUnits))
    template.description = pattern.description ?? ""
    template.payee = pattern.payee ?? ""
    template.note = pattern.note ?? ""
    template.tags = pattern.tags ?? []
    template.isPending = pattern.pending ?? false
    var series = Series(
      id: line.id, number: line.number, name: line.name, template: template,
      schedule: Schedule(
        every: line.every, try value(line.unit),
        monthEnd: try value(line.monthEnd, or: MonthEndPolicy.clamp)),
      anchor: line.anchor)
    series.end = line.end
    series.countMax = line.countMax ?? 0
    series.pausedFrom = line.pausedFrom
    series.ahead = line.ahead ?? 1
    for span in line.skipped ?? [] {
      let days = span.split(separator: "/").compactMap { Day($0) }
      guard days.count == 2, days[0] <= days[1] else {
        throw Fault(reason: "\"\(span)\" is not a span of days")
      }
      series.skipped.append(days[0]..<days[1])
    }
    return series
  }

  func rule(_ line: RestoredLines.RuleLine) throws(Fault) -> CategoryRule {
    var rule = CategoryRule(
      id: line.id, number: line.number, name: line.name ?? "", conditions: [],
      category: line.category)
    for condition in line.conditions ?? [] {
      if let text = condition.text {
        rule.conditions.append(.text(try value(condition.field), try value(condition.match), text))
      } else if let account = condition.account {
        rule.conditions.append(.account(account))
      } else if let code = condition.currency {
        rule.conditions.append(
          .amount(
            from: try number(condition.from), through: try number(condition.through),
            try currency(code)))
      } else {
        rule.conditions.append(.type(try value(condition.type)))
      }
    }
    rule.order = line.order ?? 0
    rule.isEnabled = !(line.disabled ?? false)
    rule.matchesAny = line.matchesAny ?? false
    rule.description = line.description ?? ""
    rule.tags = line.tags ?? []
    rule.continues = line.continues ?? false
    return rule
  }

  func mapping(_ line: RestoredLines.MappingLine) throws(Fault) -> SavedMapping {
    let columnCount = line.columnCount ?? 0
    guard (0...Limits.mappingColumnCountMax).contains(columnCount) else {
      throw Fault(reason: "\(columnCount) is not a number of columns")
    }
    return SavedMapping(
      id: line.id, number: line.number, name: line.name, contents: line.contents,
      look: ImportLook(
        delimiter: line.delimiter ?? ",", header: line.header ?? [], columnCount: columnCount),
      account: line.account)
  }
}
