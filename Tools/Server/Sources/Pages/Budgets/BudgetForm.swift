import Daybook

/// The form for a budget.
enum BudgetForm: EntityForm {
  static let path = "/budgets"
  static let view = MenuView.budgets
  static let title = Word.newBudget

  static func find(_ id: EntityID, _ snapshot: borrowing Snapshot) throws -> Budget? {
    try snapshot.budget(BudgetID(id))
  }

  static func name(_ entity: Budget, _ names: NameBook, _ context: PageContext) -> String {
    entity.name
  }

  static func fields(
    _ entity: Budget?, _ names: NameBook, _ context: PageContext,
    _ snapshot: borrowing Snapshot
  ) throws -> [FormField] {
    let expenses = TransactionFilterForm.categories(names, context, of: .expense)
    let periods = [
      ("month", context[.month]), ("week", context[.week]), ("halfMonth", context[.halfMonth]),
      ("quarter", context[.quarter]), ("year", context[.year]), ("custom", context[.custom]),
    ]
    let rollovers = Rollover.allCases.map { ("\($0)", context[$0.word]) }
    var fields: [FormField] = [
      .text("name", .name, isRequired: true), .text("amount", .amount, isRequired: true),
      .several("category", .categories, expenses), .flag("below", .includesBelow),
      .choice("period", .period, periods), .text("resetDay", .resetDay, type: "number"),
      .text("count", .periodCount, type: "number"),
      .text("counted", .countedFrom, type: "date", hint: context[.countedFromHint]),
      .choice("rollover", .rollover, rollovers), .text("first", .first, type: "date"),
      .text("last", .last, type: "date"),
    ]
    guard let entity else { return fields }
    let steps = entity.steps.map { "\(context.day($0.day)): \(context.amount($0.amount))" }
    fields += [
      .text("changesFrom", .changesFrom, type: "date", hint: context[.changesFromHint]),
      .flag("prorates", .prorates),
      .text(
        "stepDay", .stepDay, type: "date",
        hint: steps.isEmpty ? nil : steps.joined(separator: "; ")),
      .text("stepAmount", .stepAmount, hint: context[.removeHint]), .text("note", .note),
      .flag("archived", .archived),
    ]
    return fields
  }

  static func values(_ entity: Budget?, _ context: PageContext) -> SentForm {
    guard let entity else {
      return SentForm(["below": "on", "resetDay": "1", "count": "1"])
    }
    var form = SentForm([
      "name": entity.name, "amount": AmountText.typed(entity.amount, context.locale),
      "below": entity.includesSubcategories ? "on" : "", "rollover": "\(entity.rollover)",
      "first": entity.start?.description ?? "", "last": entity.end?.description ?? "",
      "note": entity.note, "archived": entity.isArchived ? "on" : "", "resetDay": "1", "count": "1",
      "changesFrom": "\(context.today)", "prorates": entity.proratesShortPeriods ? "on" : "",
    ])
    form.values["category"] = entity.categories.map { "\($0)" }
    switch entity.period {
    case .monthly(let day):
      form.values["period"] = ["month"]
      form.values["resetDay"] = ["\(day)"]
    case .weekly: form.values["period"] = ["week"]
    case .halfMonthly: form.values["period"] = ["halfMonth"]
    case .quarterly: form.values["period"] = ["quarter"]
    case .weeks(let count, let day):
      form.values["period"] = ["week"]
      form.values["count"] = ["\(count)"]
      form.values["counted"] = ["\(day)"]
    case .months(let count, let day):
      let factor = count % 12 == 0 ? 12 : count % 3 == 0 ? 3 : 1
      form.values["period"] = [factor == 12 ? "year" : factor == 3 ? "quarter" : "month"]
      form.values["count"] = ["\(count / factor)"]
      form.values["counted"] = ["\(day)"]
    case .yearly: form.values["period"] = ["year"]
    case .custom(let days):
      form.values["period"] = ["custom"]
      form.values["first"] = ["\(days.lowerBound)"]
      form.values["last"] = ["\(days.upperBound.adding(days: -1))"]
    }
    return form
  }

  static func commands(
    _ form: inout SentForm, _ entity: Budget?, _ context: PageContext,
    _ snapshot: borrowing Snapshot
  ) throws -> [Command] {
    let name = form.needed("name", context)
    guard let currency = try entity?.amount.currency ?? snapshot.settings().baseCurrency else {
      form.faults[""] = context[.noBase]
      return []
    }
    let amount = form.money("amount", currency, context, isNeeded: true)
    var start = form.day("first", context)
    var end = form.day("last", context)
    let resetDay = form.number("resetDay", in: 1...31, context)
    let count = form.number("count", in: 1...100, context)
    let counted = form.day("counted", context, isNeeded: count > 1)
    let period: BudgetPeriod
    switch form.text("period") {
    case "week": period = counted.map { .weeks(count, from: $0) } ?? .weekly
    case "halfMonth": period = .halfMonthly
    case "quarter": period = counted.map { .months(3 * count, from: $0) } ?? .quarterly
    case "year": period = counted.map { .months(12 * count, from: $0) } ?? .yearly
    case "month" where counted != nil:
      period = .months(count, from: counted ?? context.today)
    case "custom":
      guard let first = form.day("first", context, isNeeded: true),
        let last = form.day("last", context, isNeeded: true)
      else { return [] }
      period = .custom(first..<max(first, last.adding(days: 1)))
      (start, end) = (nil, nil)
    default: period = .monthly(resetDay: resetDay)
    }
    guard let amount else { return [] }
    let categories = form.all("category").compactMap { CategoryID($0) }
    var budget =
      entity ?? Budget(name: name, categories: categories, amount: amount, period: period)
    budget.name = name
    budget.amount = amount
    budget.start = start
    budget.end = end
    let calendar = (entity ?? budget).calendar(
      firstWeekday: try snapshot.settings().firstWeekday)
    // A new budget has no past.
    let since =
      entity == nil
      ? nil
      : form.day("changesFrom", context)
        .map { calendar.period(containing: $0)?.lowerBound ?? $0 }
    let covered = BudgetCategories(categories, includingSubcategories: form.isOn("below"))
    let rollover = form.choice("rollover", as: Rollover.self) ?? .none
    if budget.covered != covered { budget.setCategories(covered, ofPeriodsFrom: since) }
    if budget.period != period { budget.setPeriod(period, from: since) }
    if budget.rollover != rollover { budget.setRollover(rollover, ofPeriodsFrom: since) }
    guard entity != nil else { return [.putBudget(budget)] }
    budget.proratesShortPeriods = form.isOn("prorates")
    budget.note = form.text("note")
    budget.isArchived = form.isOn("archived")
    if let day = form.day("stepDay", context) {
      let step = form.money("stepAmount", currency, context)
      budget.steps.removeAll { $0.day == day }
      if let step { budget.steps.append(BudgetStep(day: day, amount: step)) }
      budget.steps.sort { $0.day < $1.day }
    }
    return budget == entity ? [] : [.putBudget(budget)]
  }

  static func deletions(
    _ entity: Budget, _ names: NameBook, _ context: PageContext
  ) -> [Deletion] {
    [Deletion(value: "", text: "", command: .removeBudget(entity.id))]
  }
}

extension Rollover {
  var word: Word {
    switch self {
    case .none: .rolloverNone
    case .surplus: .rolloverSurplus
    case .deficit: .rolloverDeficit
    case .both: .rolloverBoth
    }
  }
}
