import ArgumentParser
import Daybook
import Terminal

/// `daybook recurring list`: all series.
struct RecurringListCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the recurring series.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var today: TodayOptions

  func execute() async throws {
    let today = today.day
    let (series, names) = try await ledger.read { snapshot in
      (try snapshot.series(), try Names(snapshot))
    }
    if ledger.json {
      return try Output.json(
        .object([("series", .array(series.map { .series($0, names, today: today) }))]))
    }
    var table = TextTable([
      .init("Name"), .init("Account"), .init("Category"), .init("Amount", .right),
      .init("", isFlexible: false), .init("How often", isFlexible: false),
      .init("Next", isFlexible: false),
    ])
    for one in series {
      let template = one.template
      let accounts = [template.account, template.otherAccount].compactMap { $0 }
      let next = one.next(after: today).map { "\($0)" } ?? one.state(on: today)
      table.add([
        .init(one.name), .init(accounts.map { names.name(of: $0) }.joined(separator: " → ")),
        .init(template.category.map { names.path(of: $0) } ?? ""),
        .init(Figures.text(Total(template.amount))), .init(template.amount.currency.code),
        .init(one.schedule.text), .init(next),
      ])
    }
    try Output.table(table, ifEmpty: "No series.")
  }
}

/// `daybook recurring upcoming`: what comes next.
struct RecurringUpcomingCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "upcoming", abstract: "List the payments to come, and those overdue.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var today: TodayOptions
  @OptionGroup var until: UntilOptions

  @Option(help: "Only payments out of or into this account.")
  var account: String?

  func execute() async throws {
    let today = today.day
    let (payments, names) = try await ledger.read { snapshot in
      let found = try account.map { try Lookup.account($0, in: snapshot).id }
      let last = until.day(today: today)
      return (
        try snapshot.upcoming(through: last, today: today, account: found), try Names(snapshot)
      )
    }
    ledger.json ? try Output.json(json(payments, names)) : try show(payments)
  }

  private func json(_ payments: [UpcomingPayment], _ names: Names) -> JSON {
    let lines: [JSON] = payments.map { payment in
      let money = payment.amount
      return .object([
        ("series", .string(payment.series.name)), ("seriesID", .string("\(payment.series.id)")),
        ("due", .day(payment.due)), ("day", .day(payment.day)),
        ("type", .string("\(payment.series.template.type)")), ("amount", .string(money.text)),
        ("currency", .string(money.currency.code)), ("overdue", .bool(payment.isOverdue)),
        ("transaction", .optional(payment.transaction?.place)),
      ])
    }
    return .object([("upcoming", .array(lines))])
  }

  private func show(_ payments: [UpcomingPayment]) throws {
    var table = TextTable([
      .init("Day", isFlexible: false), .init("Series"), .init("Amount", .right),
      .init("", isFlexible: false), .init("", isFlexible: false),
    ])
    for payment in payments {
      let money = payment.amount
      let remark = payment.isOverdue ? "overdue" : payment.transaction?.place ?? ""
      table.add([
        .init("\(payment.day)"), .init(payment.series.name),
        .init(Figures.text(Total(money))), .init(money.currency.code),
        .init(remark, payment.isOverdue ? .red : .dim),
      ])
    }
    try Output.table(table, ifEmpty: "Nothing is due.")
  }
}

extension UpcomingPayment {
  /// How much, with the sign of what it does to what one has; a transfer has none.
  var amount: Money {
    let amount = series.template.amount
    return series.template.type == .expense
      ? Money(0 - amount.minorUnits, amount.currency) : amount
  }
}

/// Up to which day to look ahead.
struct UntilOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The last day; three months from today if not given.", valueName: "day"))
  var through: DayArgument?

  /// The last day.
  func day(today: Day) -> Day { through?.day(today: today) ?? today.adding(months: 3) }
}

/// `daybook recurring forecast`: what an account will hold.
struct RecurringForecastCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "forecast", abstract: "Show what an account will hold if all goes as planned.",
    discussion: "Rows dated ahead and payments to come are counted; overdue ones tomorrow.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var today: TodayOptions
  @OptionGroup var until: UntilOptions

  @Argument(help: "The account.")
  var account: String

  func execute() async throws {
    let today = today.day
    let forecast = try await ledger.read { snapshot in
      let found = try Lookup.account(account, in: snapshot)
      return try snapshot.forecast(of: found.id, through: until.day(today: today), today: today)
    }
    // Days on which nothing happens are left out.
    var last: Total?
    let points = forecast.balances.filter { point in
      defer { last = point.total }
      return last != point.total
    }
    if ledger.json {
      return try Output.json(
        .object([
          ("account", .string(forecast.account.name)),
          ("currency", .string(forecast.account.currency.code)),
          (
            "balances",
            .array(
              points.map {
                .object([("day", .day($0.day)), ("amount", .string($0.total.text))])
              })
          ), ("unconverted", .totals(forecast.unconverted)),
        ]))
    }
    var table = TextTable([.init("From", isFlexible: false), .init("Balance", .right)])
    for point in points { table.add([.init("\(point.day)"), Figures.cell(point.total)]) }
    try Output.table(table, ifEmpty: "Nothing.")
    if !forecast.unconverted.isEmpty {
      try Output.remark("Without a rate, and left out: \(Figures.list(forecast.unconverted)).")
    }
  }
}
