import ArgumentParser
import Daybook

/// `daybook recurring add`: creates a recurring transaction.
struct RecurringAddCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a recurring expense, income or transfer.",
    discussion: """
        daybook recurring add Rent expense 900 --account Checking --category Rent --from 2026-01-31
        daybook recurring add Wages income 2500 --account Checking --every 2 weeks --from 2026-01-09
        daybook recurring add Savings transfer 100 --account Checking --to Savings --every 3 months

      It comes every month where --every says nothing else. Due days are counted from the first one. Where \
      a month has no such day, --month-end says what happens: clamp (the last day, if nothing is said), \
      next-day, skip, or last-day (always the last).
      """)

  /// The type of the recorded transactions.
  enum Kind: String, ExpressibleByArgument, CaseIterable {
    case expense, income, transfer

    var type: TransactionType {
      switch self {
      case .expense: .expense
      case .income: .income
      case .transfer: .transfer
      }
    }
  }

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var today: TodayOptions

  @Argument(help: "Its name.")
  var name: String

  @Argument(help: "expense, income or transfer.")
  var kind: Kind

  @Argument(help: "How much, such as 12.50 or \"12.50 USD\".")
  var amount: String

  @OptionGroup var target: TargetOptions

  @OptionGroup var schedule: ScheduleOptions

  @Option(help: ArgumentHelp("The first due day; today if not given.", valueName: "yyyy-mm-dd"))
  var from: DayArgument?

  @Option(help: ArgumentHelp("The last day on which it may be due.", valueName: "yyyy-mm-dd"))
  var until: DayArgument?

  @Option(help: "How many times at most.")
  var count: Int64?

  @Option(help: "How many future rows are kept ahead.")
  var ahead: Int64 = 1

  @OptionGroup var text: TextOptions

  func validate() throws {
    if kind == .transfer {
      guard target.to != nil, target.account != nil else {
        throw ValidationError("A transfer needs --account and --to.")
      }
      guard target.category == nil else { throw ValidationError("A transfer has no category.") }
    } else if target.to != nil {
      throw ValidationError("--to belongs to transfers.")
    }
  }

  func execute() async throws {
    let now = today.day
    let schedule = try schedule.schedule(from: Schedule(.month))
    let new = NewCategories()
    let recorded = try await ledger.record(creating: new) { snapshot in
      let account = try target.account.map { try Lookup.account($0, in: snapshot) }
      let standard = try account?.currency ?? snapshot.settings().baseCurrency
      let categoryKind: CategoryKind = kind == .income ? .income : .expense
      var template = SeriesTemplate(
        type: kind.type, amount: try Amounts.money(amount, in: standard, snapshot),
        account: account?.id,
        category: try target.category.map {
          try new.id(of: $0, kind: categoryKind, in: snapshot)
        }, otherAccount: try target.to.map { try Lookup.account($0, in: snapshot).id })
      template.payee = text.payee ?? ""
      template.description = text.description ?? ""
      template.note = text.note ?? ""
      template.tags = text.tag
      template.isPending = text.status?.status == .pending
      var series = Series(
        id: .new, name: name, template: template, schedule: schedule,
        anchor: from?.day(today: now) ?? now)
      series.end = until?.day(today: now).adding(days: 1)
      series.countMax = count ?? 0
      series.ahead = ahead
      return [.putSeries(series)]
    }
    try ledger.answer(
      recorded,
      "Added \(name), \(schedule.text). What is due is recorded by: daybook recurring generate")
  }
}
