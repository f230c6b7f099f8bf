import Daybook

/// The goal of an envelope in words, and in the fields of its form.
enum GoalText {
  /// Returns a goal in words, such as “€400.00 each month”.
  static func text(_ goal: EnvelopeGoal, _ context: PageContext) -> String {
    let amount = context.amount(goal.amount)
    return switch goal.kind {
    case .monthly: "\(amount) \(context[.eachMonth])"
    case .byDay(let day): "\(amount) \(context[.byDay]) \(context.day(day))"
    case .balance: "\(amount) \(context[.toKeep])"
    }
  }

  static func fields(_ context: PageContext) -> [FormField] {
    [
      .choice(
        "goal", .goal,
        [
          ("", context[.goalNone]), ("monthly", context[.goalMonthly]),
          ("byDay", context[.goalByDay]), ("balance", context[.goalBalance]),
        ]),
      .text("goalAmount", .amount), .text("goalDay", .day, type: "date"),
      .flag("carries", .carriesIt),
    ]
  }

  static func values(_ category: Category, _ context: PageContext) -> SentForm {
    var values = ["carries": category.carriesOverspending ? "on" : ""]
    if let goal = category.goal {
      values["goalAmount"] = AmountText.typed(goal.amount, context.locale)
      switch goal.kind {
      case .monthly: values["goal"] = "monthly"
      case .balance: values["goal"] = "balance"
      case .byDay(let day):
        values["goal"] = "byDay"
        values["goalDay"] = "\(day)"
      }
    }
    return SentForm(values)
  }

  /// Returns the command for a submitted form, or `nil` if nothing is changed; adds errors to the
  /// form if it is invalid.
  static func command(
    _ form: inout SentForm, _ category: Category, _ base: Currency, _ context: PageContext
  ) -> Command? {
    var change = CategoryChange(seen: category)
    if form.isOn("carries") != category.carriesOverspending {
      change.carriesOverspending = form.isOn("carries")
    }
    let kind = form.text("goal")
    var goal: EnvelopeGoal?
    if !kind.isEmpty {
      let amount = form.money("goalAmount", base, context, isNeeded: true)
      if let amount, amount.minorUnits <= 0 {
        form.faults["goalAmount"] = context[.amountAboveZero]
      }
      let day = kind == "byDay" ? form.day("goalDay", context, isNeeded: true) : nil
      if let amount {
        let regular: EnvelopeGoal.Kind = kind == "monthly" ? .monthly : .balance
        goal = EnvelopeGoal(day.map { .byDay($0) } ?? regular, amount)
      }
    }
    if goal != category.goal { change.goal = .some(goal) }
    return change == CategoryChange(seen: category) ? nil : .amendCategory(category.id, change)
  }
}
