import Daybook

// Accounts, categories, budgets, rates and settings by small forms; what is refused comes back as it was typed.
extension LedgerSite {
  /// Records what a small form says, or shows its view again with what is wrong.
  func record(
    _ context: PageContext, view: MenuView,
    _ command: @Sendable (SentForm, borrowing Snapshot) throws -> Command?
  ) async throws -> PageAnswer {
    let form = SentForm(context)
    var context = context
    if let command = try ledger.read({ try command(form, $0) }) {
      do {
        try await ledger.append([command])
        return redirect(Address(view.path, [("done", "saved")]))
      } catch {
        context.fault = error.remedy.isEmpty ? error.message : "\(error.message) \(error.remedy)"
      }
    } else {
      context.fault = context[.mend]
    }
    var page = try await page(context)
    page.status = 422
    return try laidOut(page, context)
  }

  func openAccount(_ context: PageContext) async throws -> PageAnswer {
    try await record(context, view: .accounts) { form, snapshot in
      guard let currency = try snapshot.currency(form.text("currency").uppercased()),
        let kind = AccountKind.allCases.first(where: { "\($0)" == form.text("kind") })
      else { return nil }
      let opening = form.optional("opening").map {
        AmountText.read($0, currency, context.locale)
      }
      if case .some(nil) = opening { return nil }
      return .openAccount(
        NewAccount(
          name: form.text("name"), kind: kind, currency: currency, opening: opening ?? nil))
    }
  }

  func createCategory(_ context: PageContext) async throws -> PageAnswer {
    try await record(context, view: .categories) { form, snapshot in
      let parent = form.optional("parent").flatMap { CategoryID($0) }
      // What stands below another is of its kind.
      let above = try parent.flatMap { try snapshot.category($0) }
      let kind: CategoryKind = form.text("kind") == "income" ? .income : .expense
      return .createCategory(
        NewCategory(name: form.text("name"), kind: above?.kind ?? kind, parent: parent))
    }
  }

  func putBudget(_ context: PageContext) async throws -> PageAnswer {
    try await record(context, view: .budgets) { form, snapshot in
      guard let currency = try snapshot.settings().baseCurrency,
        let amount = AmountText.read(form.text("amount"), currency, context.locale)
      else { return nil }
      let category = form.optional("category").flatMap { CategoryID($0) }
      let period: BudgetPeriod =
        switch form.text("period") {
        case "week": .weekly
        case "year": .yearly
        default: .monthly(resetDay: 1)
        }
      return .putBudget(
        Budget(
          name: form.text("name"), categories: category.map { [$0] } ?? [], amount: amount,
          period: period))
    }
  }

  func setRate(_ context: PageContext) async throws -> PageAnswer {
    try await record(context, view: .rates) { form, snapshot in
      guard let base = try snapshot.currency(form.text("base").uppercased()),
        let quoted = try snapshot.currency(form.text("quoted").uppercased()),
        let day = Day(form.text("day")),
        let quote = try? Quote(form.text("rate").replacing(",", with: "."))
      else { return nil }
      return .setRate(ExchangeRate(base: base, quoted: quoted, day: day, quote: quote))
    }
  }

  func setSettings(_ context: PageContext) async throws -> PageAnswer {
    try await record(context, view: .settings) { form, snapshot in
      guard let currency = try snapshot.currency(form.text("currency").uppercased()) else {
        return nil
      }
      return .setSettings(
        SettingsChange(baseCurrency: currency, firstWeekday: Int(form.text("weekday"))))
    }
  }

  func putRule(_ context: PageContext) async throws -> PageAnswer {
    try await record(context, view: .rules) { form, _ in
      guard let category = CategoryID(form.text("category")) else { return nil }
      return .putRule(
        CategoryRule(
          name: form.text("name"), conditions: [.text(.any, .contains, form.text("contains"))],
          category: category))
    }
  }

  func putSeries(_ context: PageContext) async throws -> PageAnswer {
    try await record(context, view: .recurring) { form, snapshot in
      guard let id = AccountID(form.text("account")), let account = try snapshot.account(id),
        let amount = AmountText.read(form.text("amount"), account.currency, context.locale),
        let unit = ScheduleUnit.allCases.first(where: { "\($0)" == form.text("unit") }),
        let first = Day(form.text("first"))
      else { return nil }
      let category = form.optional("category").flatMap { CategoryID($0) }
      let isIncome = try category.flatMap { try snapshot.category($0) }?.kind == .income
      let template = SeriesTemplate(
        type: isIncome ? .income : .expense, amount: amount, account: id, category: category)
      return .putSeries(
        Series(
          name: form.text("name"), template: template, schedule: Schedule(unit), anchor: first))
    }
  }
}
