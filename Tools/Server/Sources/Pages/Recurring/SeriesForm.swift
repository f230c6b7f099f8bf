import Daybook

/// The form for a recurring transaction.
enum SeriesForm: EntityForm {
  static let path = "/recurring"
  static let view = MenuView.recurring
  static let title = Word.newSeries

  static func find(_ id: EntityID, _ snapshot: borrowing Snapshot) throws -> Series? {
    try snapshot.series(SeriesID(id))
  }

  static func name(_ entity: Series, _ names: NameBook, _ context: PageContext) -> String {
    entity.name
  }

  static func fields(
    _ entity: Series?, _ names: NameBook, _ context: PageContext,
    _ snapshot: borrowing Snapshot
  ) throws -> [FormField] {
    let accounts = TransactionFilterForm.accounts(names)
    let categories = TransactionFilterForm.categories(names, context)
    let units = [ScheduleUnit.month, .week, .year, .day].map { unit in
      ("\(unit)", context[unit.word(entity == nil ? 1 : 2)])
    }
    let ends = MonthEndPolicy.allCases.map { ("\($0)", context[$0.word]) }
    var fields: [FormField] = [
      .text("name", .name, isRequired: true), .text("amount", .amount, isRequired: true),
      .choice("type", .type, TransactionType.allCases.map { ("\($0)", context[$0.word]) }),
      .choice("account", .account, accounts),
      .choice("category", .category, categories, isOptional: true),
      .choice("otherAccount", .toAccount, accounts, isOptional: true), .parts(names),
      .text("count", .everyCount, type: "number"), .choice("unit", .schedule, units),
      .choice("monthEnd", .monthEnd, ends), .text("rule", .recurrenceRule),
      .choice(
        "weekends", .weekends, WeekendPolicy.allCases.map { ("\($0)", context[$0.word]) }),
      .text("first", .first, type: "date", isRequired: true), .text("last", .last, type: "date"),
    ]
    guard entity != nil else { return fields }
    let scopes = [
      ("none", context[.scopeOnly]), ("future", context[.scopeFuture]), ("all", context[.scopeAll]),
    ]
    fields += [
      .text("times", .countMax, type: "number"), .text("payee", .payee),
      .text("description", .description), .text("note", .note), .text("tags", .tags),
      .choice("scope", .scope, scopes), .flag("paused", .paused),
    ]
    return fields
  }

  static func values(_ entity: Series?, _ context: PageContext) -> SentForm {
    guard let entity else { return SentForm(["count": "1", "first": "\(context.today)"]) }
    let template = entity.template
    var form = SentForm([
      "name": entity.name, "amount": AmountText.typed(template.amount, context.locale),
      "type": "\(template.type)", "account": template.account.map { "\($0)" } ?? "",
      "category": template.category.map { "\($0)" } ?? "",
      "otherAccount": template.otherAccount.map { "\($0)" } ?? "",
      "count": "\(entity.schedule.count)", "unit": "\(entity.schedule.unit)",
      "monthEnd": "\(entity.schedule.monthEnd)",
      "rule": entity.schedule.hasParts ? RecurrenceRule(entity.schedule).text() : "",
      "weekends": "\(entity.weekends)", "first": "\(entity.anchor)",
      "last": entity.end?.description ?? "",
      "times": entity.countMax == 0 ? "" : "\(entity.countMax)", "payee": template.payee,
      "description": template.description, "note": template.note,
      "tags": template.tags.joined(separator: ", "), "scope": "future",
      "paused": entity.pausedFrom == nil ? "" : "on",
    ])
    form.values.merge(SplitParts(template, context).values) { $1 }
    return form
  }

  static func commands(
    _ form: inout SentForm, _ entity: Series?, _ context: PageContext,
    _ snapshot: borrowing Snapshot
  ) throws -> [Command] {
    let name = form.needed("name", context)
    let id: AccountID? = form.id("account", context, isNeeded: true)
    let category: CategoryID? = form.id("category", context)
    let first = form.day("first", context, isNeeded: true)
    let last = form.day("last", context)
    let count = form.number("count", in: 1...1_000, context)
    let times = form.number("times", in: 0...100_000, context)
    guard let unit = form.choice("unit", as: ScheduleUnit.self) else {
      form.faults["unit"] = context[.needed]
      return []
    }
    guard let account = try id.flatMap({ try snapshot.account($0) }), let first,
      let amount = form.money("amount", account.currency, context, isNeeded: true)
    else { return [] }
    // Except for transfers, the category determines whether the type is income or expense.
    let isIncome = try category.flatMap { try snapshot.category($0) }?.kind == .income
    let type = TransactionType(name: form.text("type"))
    var template =
      entity?.template ?? SeriesTemplate(type: .expense, amount: amount, account: account.id)
    template.type = type == .transfer ? .transfer : isIncome ? .income : type ?? .expense
    if category != nil, !isIncome, template.type == .income { template.type = .expense }
    if template.amount != amount { template.accountAmount = nil }
    template.amount = amount
    template.account = account.id
    template.category = template.type == .transfer ? nil : category
    template.otherAccount = template.type == .transfer ? form.id("otherAccount", context) : nil
    guard try divide(&template, &form, context, snapshot) else { return [] }
    let policy = form.choice("monthEnd", as: MonthEndPolicy.self) ?? .clamp
    var rule = RecurrenceRule(Schedule(every: count, unit, monthEnd: policy))
    let text = form.text("rule")
    if !text.isEmpty {
      do { rule = try RecurrenceRule(text) } catch {
        form.faults["rule"] = "\(error)"
        return []
      }
    }
    let schedule = rule.schedule
    var series =
      entity ?? Series(name: name, template: template, schedule: schedule, anchor: first)
    series.end = last ?? rule.end
    series.countMax = rule.countMax
    series.weekends = form.choice("weekends", as: WeekendPolicy.self) ?? series.weekends
    guard let entity else { return [.putSeries(series)] }
    template.payee = form.text("payee")
    template.description = form.text("description")
    template.note = form.text("note")
    template.tags = form.list("tags")
    series.name = name
    series.template = template
    series.schedule = schedule
    series.anchor = first
    if times > 0 { series.countMax = Int64(times) }
    let scope: SeriesScope =
      switch form.text("scope") {
      case "none": .seriesOnly
      case "all": .all(from: context.today)
      default: .future(from: context.today)
      }
    var commands: [Command] = series == entity ? [] : [.amendSeries(series, scope)]
    switch (entity.pausedFrom == nil, form.isOn("paused")) {
    case (true, true): commands.append(.pauseSeries(entity.id, after: context.today))
    case (false, false): commands.append(.resumeSeries(entity.id, on: context.today))
    default: break
    }
    return commands
  }

  /// Sets the parts of a split; returns whether they make up the amount.
  private static func divide(
    _ template: inout SeriesTemplate, _ form: inout SentForm, _ context: PageContext,
    _ snapshot: borrowing Snapshot
  ) throws -> Bool {
    let parts = SplitParts(form)
    template.parts = []
    guard parts.isUsed, let account = template.account else { return true }
    let type = TransactionType(name: form.text("type")) ?? template.type
    let rest = try parts.remainder(
      of: template.amount, isIncome: type == .income, context, NameBook(snapshot))
    guard rest?.minorUnits == 0,
      let split = parts.split(
        account, template.amount.currency, isIncome: type == .income, context)
    else {
      form.faults["parts"] = context[rest == nil ? .wrongAmount : .partsDiffer]
      return false
    }
    (template.type, template.category) = (type, nil)
    template.parts = split.parts
    return true
  }

  static func deletions(
    _ entity: Series, _ names: NameBook, _ context: PageContext
  ) -> [Deletion] {
    [
      Deletion(
        value: "keep", text: context[.keepRows],
        command: .removeSeries(entity.id, withRows: false)),
      Deletion(
        value: "with", text: context[.withRows], command: .removeSeries(entity.id, withRows: true)),
    ]
  }

  /// Returns the next due dates, each with a button to skip it or to undo the skip.
  static func more(
    _ entity: Series, _ context: PageContext, _ snapshot: borrowing Snapshot
  ) throws -> HTML {
    var rows: [HTML] = []
    for due in entity.scheduledDays(from: context.today.adding(days: 1)) {
      guard rows.count < 8 else { break }
      let isPaused = entity.pausedFrom.map { due >= $0 } ?? false
      let isSkipped = try !isPaused && snapshot.isSkipped(SeriesLink(entity.id, due: due))
      let word: Word = isSkipped ? .unskipDay : .skipDay
      let mark: HTML? =
        isSkipped ? " <span class=\"status\">\(context[.skippedDay])</span>" : nil
      rows.append(
        """
        <tr><th scope="row">\(context.day(due))\(mark)</th><td class="num"><form method="post" action="\(path)/\("\(entity.id)")/skip">\
        <input type="hidden" name="due" value="\(due)"><button name="do" value="\(isSkipped ? "unskip" : "skip")" aria-label="\(context[word]): \(context.day(due))">\(context[word])</button></form></td></tr>
        """)
    }
    guard !rows.isEmpty else { return HTML() }
    return """
      <section class="card"><h2>\(context[.upcoming])</h2><table class="figures"><tbody>\(rows)</tbody></table></section>
      """
  }
}

extension LedgerSite {
  /// Skips a due date, or undoes the skip.
  func skip(_ context: PageContext, _ id: SeriesID) async throws -> PageAnswer {
    guard let due = context.field("due").flatMap({ Day($0) }) else { throw PageError.notFound }
    let link = SeriesLink(id, due: due)
    try await append(
      [context.field("do") == "unskip" ? .unskipOccurrence(link) : .skipOccurrence(link)], context)
    return redirect(Address("\(SeriesForm.path)/\(id)/edit", [("done", "saved")]))
  }
}

extension WeekendPolicy {
  var word: Word {
    switch self {
    case .keep: .weekendsKeep
    case .before: .weekendsBefore
    case .after: .weekendsAfter
    }
  }
}

extension MonthEndPolicy {
  var word: Word {
    switch self {
    case .clamp: .endClamp
    case .nextDay: .endNextDay
    case .skip: .endSkip
    case .lastDay: .endLastDay
    }
  }
}
