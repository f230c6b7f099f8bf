import ArgumentParser
import Daybook
import DaybookTerminal

/// `daybook recurring list`: lists recurring transactions.
struct RecurringListCommand: ReportCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List recurring transactions.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var today: TodayOptions
  @OptionGroup var output: ReportOptions

  func report(_ snapshot: borrowing Snapshot) throws -> Report {
    let today = today.day
    let series = try snapshot.series()
    let names = try Names(snapshot)
    let hasTolerance = series.contains { $0.tolerance > 0 }
    var report = Report(
      [
        .text("name", "Name", wraps: true, yielding: .never), .data("id"), .data("type"),
        .text(nil, "Account", yielding: .below(3)), .data("account"), .data("to"),
        .text("category", "Category", yielding: .below(2)), .figure("amount", "Amount"),
        .fixed("currency"),
        hasTolerance
          ? .fixed("tolerance", "Tolerance", yielding: .below(4)) : .data("tolerance"),
        .text("every", "Interval", wraps: true, yielding: .below(1)), .data("rrule"),
        .fixed(nil, "Next"), .data("next"), .data("state"),
      ], ifEmpty: "No recurring transactions.",
      json: JSONAnswer(["series": series.map { SeriesState($0, on: today) }], names))
    for one in series {
      let template = one.template
      let receivers = [template.otherAccount] + template.parts.map(\.account)
      let accounts = [
        template.account.map { names.name(of: $0) } ?? "",
        receivers.compactMap(\.self).map { names.name(of: $0) }.joined(separator: ", "),
      ]
      let next = one.next(after: today).map { "\($0)" }
      let state = one.state(on: today)
      let account = try template.account.flatMap { try snapshot.account($0) }
      let tolerance = Money(one.tolerance, account?.currency ?? template.amount.currency)
      report.add([
        .init(one.name), .init("\(one.id)"), .init("\(template.type)"),
        .init(accounts.filter { !$0.isEmpty }.joined(separator: " → ")), .init(accounts[0]),
        .init(accounts[1]),
        .init(template.categories.map { names.path(of: $0) }.joined(separator: ", ")),
        .total(Total(template.amount)), .currency(template.amount.currency),
        one.tolerance > 0
          ? .init(data: tolerance.text, .init("± \(Figures.text(Total(tolerance)))")) : "",
        .init(one.dates), .init(one.rrule), .init(next ?? state), .init(next ?? ""), .init(state),
      ])
    }
    return report
  }
}

/// A recurring transaction and its state on a day.
private struct SeriesState: Encodable, Sendable {
  var series: Series
  var state: String
  var next: Day?
  var rrule: String

  init(_ series: Series, on day: Day) {
    self.series = series
    state = series.state(on: day)
    next = series.next(after: day)
    rrule = series.rrule
  }
}

/// `daybook recurring upcoming`: lists upcoming and overdue payments.
struct RecurringUpcomingCommand: ReportCommand {
  static let configuration = CommandConfiguration(
    commandName: "upcoming", abstract: "List upcoming and overdue payments.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var today: TodayOptions
  @OptionGroup var output: ReportOptions
  @OptionGroup var until: UntilOptions

  @Option(help: "Only payments from or to this account.", completion: LedgerCompletion.accounts)
  var account: String?

  func report(_ snapshot: borrowing Snapshot) throws -> Report {
    let today = today.day
    let found = try account.map { try Lookup.account($0, in: snapshot).id }
    let payments = try snapshot.upcoming(
      through: until.day(today: today), today: today, account: found)
    var report = Report(
      [
        .fixed("day", "Day"), .data("due"),
        .text("series", "Name", wraps: true, yielding: .never),
        .data("type"), .figure("amount", "Amount"), .fixed("currency"), .data("overdue"),
        .data("transaction"), .fixed(nil, yielding: .below(1)),
      ], ifEmpty: "Nothing is due.",
      json: JSONAnswer(["upcoming": payments], try Names(snapshot)))
    for payment in payments {
      let money = payment.amount
      let place = payment.transaction?.place ?? ""
      report.add([
        .day(payment.day), .day(payment.due), .init(payment.series.name),
        .init("\(payment.series.template.type)"),
        .init(data: money.text, .init(Figures.text(Total(money)))), .currency(money.currency),
        .flag(payment.isOverdue), .init(place),
        payment.isOverdue ? .init("overdue", .red) : .init(place, .dim),
      ])
    }
    return report
  }
}

extension UpcomingPayment {
  /// The amount, which is negative for an expense.
  ///
  /// The amount of a transfer is always positive.
  var amount: Money {
    let amount = series.template.amount
    return series.template.type == .expense
      ? Money(0 - amount.minorUnits, amount.currency) : amount
  }
}

/// The last day of a forecast or a list of payments.
struct UntilOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The last day (default: three months from today).", valueName: "day"))
  var through: DayArgument?

  /// The last day, by default three months from today.
  func day(today: Day) -> Day { through?.day(today: today) ?? today.adding(months: 3) }
}

/// `daybook recurring forecast`: forecasts the balance of an account.
struct RecurringForecastCommand: ReportCommand {
  static let configuration = CommandConfiguration(
    commandName: "forecast", abstract: "Show an account's planned future balance.",
    discussion: "Counts future transactions and upcoming payments. Overdue payments count tomorrow."
  )

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var today: TodayOptions
  @OptionGroup var output: ReportOptions
  @OptionGroup var until: UntilOptions

  @Flag(help: "Include the account's interest, or a loan's planned payments.")
  var interest = false

  @Argument(help: "The account.", completion: LedgerCompletion.accounts)
  var account: String

  func report(_ snapshot: borrowing Snapshot) throws -> Report {
    let today = today.day
    let found = try Lookup.account(account, in: snapshot)
    let forecast = try snapshot.forecast(
      of: found.id, through: until.day(today: today), today: today,
      includesInterest: interest)
    // Leave out days on which the balance doesn't change.
    var last: Total?
    let points = forecast.balances.filter { point in
      defer { last = point.total }
      return last != point.total
    }
    let answer = CashFlowForecast(
      account: found, balances: points, unconverted: forecast.unconverted)
    var report = Report(
      [.fixed("day", "From"), .figure("amount", "Balance"), .data("currency")],
      ifEmpty: "Nothing.", json: JSONAnswer(answer, try Names(snapshot)))
    for point in points {
      report.add([.day(point.day), .total(point.total), .currency(found.currency)])
    }
    if !forecast.unconverted.isEmpty {
      report.remarks = [
        "Left out because there is no rate: \(Figures.list(forecast.unconverted))."
      ]
    }
    return report
  }
}
