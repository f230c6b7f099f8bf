import ArgumentParser
import Daybook

/// A command about one budget.
protocol OneBudgetCommand: LedgerCommand {
  var budget: String { get }
}

extension OneBudgetCommand {
  /// Records a changed version of the named budget and prints a sentence about it.
  func change(
    creating new: NewCategories? = nil, saying done: (Budget) -> String,
    by body: (inout Budget, _ calendar: BudgetCalendar, borrowing Snapshot) throws -> Void
  ) async throws {
    var changed: Budget?
    let recorded = try await ledger.record(creating: new) { snapshot in
      var budget = try Lookup.budget(self.budget, in: snapshot)
      let calendar = budget.calendar(firstWeekday: try snapshot.settings().firstWeekday)
      try body(&budget, calendar, snapshot)
      changed = budget
      return [.putBudget(budget)]
    }
    guard let changed else { return }
    try ledger.answer(recorded, done(changed))
  }
}

/// `daybook budget set`: sets a budget's amount from the current period on.
struct BudgetSetCommand: OneBudgetCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Set a budget's amount from the current period on.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var today: TodayOptions

  @Argument(help: "The budget's name or id.", completion: LedgerCompletion.budgets)
  var budget: String

  @Argument(help: "The amount per period.")
  var amount: String

  @Option(
    help: ArgumentHelp(
      "Start with the period that contains this day (default: today).", valueName: "yyyy-mm-dd"))
  var from: DayArgument?

  @Flag(help: "Change past periods too.")
  var always = false

  func validate() throws {
    if always, from != nil { throw ValidationError("Use either --from or --always, not both.") }
  }

  func execute() async throws {
    let now = today.day
    var since: Day?
    try await change(
      saying: { changed in
        let money = Figures.withCode(Total(changed.amount(ofPeriodFrom: since ?? now)))
        return "Set budget \(changed.name) to \(money) "
          + (since.map { "from \($0) on." } ?? "for all periods.")
      },
      by: { budget, calendar, snapshot in
        let currency = budget.amount.currency
        let money = try Amounts.money(amount, in: currency, snapshot)
        guard always || money.currency == currency else {
          throw CommandFailure.usage(
            "Couldn't set the amount: budget “\(budget.name)” is in \(currency.code), not in "
              + "\(money.currency.code).",
            remedy: "To change the currency for all periods, add --always.")
        }
        if always {
          budget.amount = money
          budget.steps = []
          return
        }
        let day = from?.day(today: now) ?? now
        let first = calendar.period(containing: day)?.lowerBound ?? day
        since = first
        budget.setAmount(money, ofPeriodsFrom: first)
      })
  }
}

/// `daybook budget edit`: changes a budget's name, categories, periods and other properties.
struct BudgetEditCommand: OneBudgetCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract:
      "Change a budget's name, categories, period or carry-over.",
    discussion: """
      Everything else stays unchanged. To change the amount, use `daybook budget set`. Carrying \
      over starts with the budget's first day, or with the first period that has expenses.

      New periods, categories and rollovers apply from the current period on, or from the period \
      of --from on. Past periods keep theirs, unless you add --always. If the new periods shorten \
      one, it has its share of the amount by days, or the full amount with --no-prorate.
      """)

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var today: TodayOptions

  @Argument(help: "The budget's name or id.", completion: LedgerCompletion.budgets)
  var budget: String

  @Option(help: "The new name.")
  var name: String?

  @Option(
    help: "A category that the budget covers, replacing the current ones; repeatable.",
    completion: LedgerCompletion.categories)
  var category: [String] = []

  @Flag(help: "Cover all expenses.")
  var allExpenses = false

  @Flag(inversion: .prefixedNo, help: "Include the subcategories of its categories.")
  var subcategories: Bool?

  @OptionGroup var period: BudgetPeriodOptions

  @Flag(help: "Change past periods too.")
  var always = false

  @Flag(
    inversion: .prefixedNo,
    help: "Give a period that the new periods shorten its share of the amount by days.")
  var prorate: Bool?

  @Option(help: "What to carry over to the next period: none, surplus, deficit or both.")
  var rollover: RolloverArgument?

  @Option(help: ArgumentHelp("The budget's first day.", valueName: "yyyy-mm-dd"))
  var start: DayArgument?

  @Flag(help: "Count from the first transaction on.")
  var noStart = false

  @Option(help: ArgumentHelp("The first day after the budget ends.", valueName: "yyyy-mm-dd"))
  var end: DayArgument?

  @Flag(help: "Remove the end.")
  var noEnd = false

  @Option(help: "The new note.")
  var note: String?

  @Option(help: "Its position in the list, as a number; lowest first.")
  var order: Int64?

  func validate() throws {
    if allExpenses, !category.isEmpty {
      throw ValidationError("Use either --category or --all-expenses, not both.")
    }
    if noStart, start != nil {
      throw ValidationError(
        "Use either --start or --no-start, not both.")
    }
    if noEnd, end != nil { throw ValidationError("Use either --end or --no-end, not both.") }
    if period.every != .once, period.from != nil {
      if always { throw ValidationError("Use either --from or --always, not both.") }
      guard changesPeriods else {
        throw ValidationError(
          "--from requires a change of the period, the categories or the rollover.")
      }
    }
  }

  private var changesCategories: Bool {
    subcategories != nil || allExpenses || !category.isEmpty
  }

  /// Whether the command changes something that past periods can keep.
  private var changesPeriods: Bool {
    period.every != nil || period.resetDay != nil || rollover != nil || changesCategories
  }

  func execute() async throws {
    let now = today.day
    let kind = try period.period(today: now)
    let new = NewCategories()
    var since: Day?
    var firstWeekday = 1
    try await change(
      creating: new,
      saying: {
        "Changed budget \($0.name), \($0.period.text)." + remark(on: $0, since, firstWeekday)
      },
      by: { budget, calendar, snapshot in
        if let name { budget.name = name }
        if let start { budget.start = start.day(today: now) }
        if noStart { budget.start = nil }
        if let end { budget.end = end.day(today: now) }
        if noEnd { budget.end = nil }
        if !always, period.every != .once {
          let day = period.from?.day(today: now) ?? now
          // The first of the new periods begins on the day from which they are counted.
          since =
            period.countsFromFrom ? day : calendar.period(containing: day)?.lowerBound ?? day
        }
        firstWeekday = try snapshot.settings().firstWeekday
        var covered = since.map { budget.categories(ofPeriodFrom: $0) } ?? budget.covered
        if allExpenses { covered.categories = [] }
        if !category.isEmpty {
          covered.categories = try category.map {
            try new.id(of: $0, kind: .expense, in: snapshot)
          }
        }
        if let subcategories { covered.includesSubcategories = subcategories }
        if changesCategories {
          budget.setCategories(covered, ofPeriodsFrom: since)
        }
        if let kind { budget.setPeriod(kind, from: since) }
        if let rollover { budget.setRollover(rollover.rollover, ofPeriodsFrom: since) }
        if let prorate { budget.proratesShortPeriods = prorate }
        if let note { budget.note = note }
        if let order { budget.order = order }
      })
  }

  /// What the changed budget's past keeps, and the amount of a shortened period.
  private func remark(on budget: Budget, _ since: Day?, _ firstWeekday: Int) -> String {
    let days =
      budget.earlierPeriods.map(\.until) + budget.earlierRollovers.map(\.until)
      + budget.earlierCategories.map(\.until)
    guard changesPeriods, let since, days.contains(since) else { return "" }
    var text = " Periods before \(since) stay unchanged."
    let calendar = budget.calendar(firstWeekday: firstWeekday)
    if let period = calendar.period(containing: since), calendar.isShortened(period) {
      let amount = Figures.withCode(Total(budget.amount(of: period, in: calendar)))
      text +=
        " The period from \(period.lowerBound) to \(period.upperBound.adding(days: -1)) is "
        + "shorter and has \(amount)."
    }
    return text
  }
}

/// `daybook budget archive`: archives a budget.
struct BudgetArchiveCommand: OneBudgetCommand {
  static let configuration = CommandConfiguration(
    commandName: "archive", abstract: "Archive a budget; its past periods are kept.")

  @OptionGroup var ledger: LedgerOptions

  @Argument(help: "The budget's name or id.", completion: LedgerCompletion.budgets)
  var budget: String

  func execute() async throws {
    try await change(
      saying: { "Archived budget \($0.name)." }, by: { budget, _, _ in budget.isArchived = true })
  }
}

/// `daybook budget unarchive`: restores an archived budget.
struct BudgetUnarchiveCommand: OneBudgetCommand {
  static let configuration = CommandConfiguration(
    commandName: "unarchive", abstract: "Restore an archived budget.")

  @OptionGroup var ledger: LedgerOptions

  @Argument(help: "The budget's name or id.", completion: LedgerCompletion.budgets)
  var budget: String

  func execute() async throws {
    try await change(
      saying: {
        "Unarchived budget \($0.name)."
      }, by: { budget, _, _ in budget.isArchived = false })
  }
}

/// `daybook budget delete`: deletes a budget, but not its transactions.
struct BudgetDeleteCommand: OneBudgetCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete a budget. Transactions aren't affected.")

  @OptionGroup var ledger: LedgerOptions

  @Argument(help: "The budget's name or id.", completion: LedgerCompletion.budgets)
  var budget: String

  func execute() async throws {
    var name = budget
    let recorded = try await ledger.record { snapshot in
      let found = try Lookup.budget(budget, in: snapshot)
      name = found.name
      return [.removeBudget(found.id)]
    }
    try ledger.answer(recorded, "Deleted budget \(name).")
  }
}

/// `daybook budget invalidate`: recomputes the sums of all budgets; a tool for operators.
struct BudgetInvalidateCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "invalidate",
    abstract: "Recompute all budgets from daily totals. Normally not needed; no data is lost.")

  @OptionGroup var ledger: LedgerOptions

  func execute() async throws {
    let count = try await ledger.withLedger { ledger in
      try await ledger.invalidateBudgets()
      return try ledger.read { try $0.budgets().count }
    }
    try ledger.answer(
      JSONAnswer(["budgets": count]), "Recomputed \(count == 1 ? "1 budget" : "\(count) budgets")."
    )
  }
}
