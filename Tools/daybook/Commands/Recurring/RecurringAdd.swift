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
        daybook recurring add Salary income 1300 --account Checking --on 15,last
        daybook recurring add Club expense 20 --account Checking --on "last friday"
        daybook recurring add Loan expense --account Checking --part Interest=120 --part-to Mortgage=380

      The default interval is a month. Due dates are counted from the first one. For months \
      without that day, --month-end chooses clamp (the last day of the month, the default), \
      next-day, skip, or last-day (the last day of every month). With --weekends before or after, \
      transactions due on a Saturday, a Sunday or a day of `daybook holidays` move to a business \
      day; the due date stays the same.
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

  @Argument(help: "The name.")
  var name: String

  @Argument(help: "expense, income or transfer.")
  var kind: Kind

  @Argument(
    help: "The amount, such as 12.50 or \"12.50 USD\"; leave it out for a split.")
  var amount: String?

  @OptionGroup var target: TargetOptions
  @OptionGroup var parts: PartOptions

  @Option(
    help: ArgumentHelp(
      "For a transfer, the amount received, if in another currency (default: converted at the "
        + "day's rate)."))
  var toAmount: String?

  @Option(
    help: "The amount in the account's currency, if it differs from the amount's currency.")
  var accountAmount: String?

  @OptionGroup var schedule: ScheduleOptions

  @Option(help: ArgumentHelp("The first due date (default: today).", valueName: "yyyy-mm-dd"))
  var from: DayArgument?

  @Option(help: ArgumentHelp("The last possible due date.", valueName: "yyyy-mm-dd"))
  var until: DayArgument?

  @Option(help: "The maximum number of times.")
  var count: Int64?

  @Option(help: "The number of future transactions to record in advance.")
  var ahead: Int64 = 1

  @Option(
    help: ArgumentHelp(
      "How much the amount in an imported bank file may differ.", valueName: "amount"))
  var tolerance: String?

  @OptionGroup var text: TextOptions

  func validate() throws {
    if kind == .transfer {
      guard target.to != nil, target.account != nil else {
        throw ValidationError("A transfer requires --account and --to.")
      }
      guard target.category == nil, accountAmount == nil, !parts.isUsed else {
        throw ValidationError(
          "--category, --part, --part-to and --account-amount can't be used with a transfer.")
      }
    } else if target.to != nil || toAmount != nil {
      throw ValidationError("--to and --to-amount can be used only with a transfer.")
    }
    if parts.isUsed {
      guard amount == nil, target.category == nil else {
        throw ValidationError(
          "With --part and --part-to, leave out the amount and --category.")
      }
      try SplitParts.validate(parts.part, to: parts.partTo)
    } else if amount == nil {
      throw ValidationError(
        "The amount is missing. Write, for example: recurring add Rent \(kind.rawValue) 12.50")
    }
  }

  func execute() async throws {
    let now = today.day
    let rule = try schedule.rule(from: Schedule(.month))
    let new = NewCategories()
    let recorded = try await ledger.record(creating: new) { snapshot in
      let account = try target.account.map { try Lookup.account($0, in: snapshot) }
      let standard = try account?.currency ?? snapshot.settings().baseCurrency
      let categoryKind: CategoryKind = kind == .income ? .income : .expense
      // The amount of a split is the sum of its parts.
      var template = SeriesTemplate(
        type: kind.type,
        amount: try Amounts.money(amount ?? "0 \(standard?.code ?? "EUR")", in: standard, snapshot),
        account: account?.id,
        category: try target.category.map {
          try new.id(of: $0, kind: categoryKind, in: snapshot)
        }, otherAccount: try target.to.map { try Lookup.account($0, in: snapshot).id })
      if parts.isUsed {
        try SplitParts.read(parts, in: standard, into: &template, creating: new, snapshot)
      }
      if let stated = toAmount ?? accountAmount {
        template.accountAmount = try template.money(stated, snapshot)
      }
      template.payee = text.payee ?? ""
      template.description = text.description ?? ""
      template.note = text.note ?? ""
      template.tags = text.tag
      template.isPending = text.status?.status == .pending
      var series = Series(
        id: .unassigned, name: name, template: template, schedule: rule.schedule,
        anchor: from?.day(today: now) ?? now)
      series.end = until?.day(today: now).adding(days: 1) ?? rule.end
      series.countMax = count ?? rule.countMax
      series.ahead = ahead
      series.weekends = schedule.weekends?.policy ?? .keep
      if let tolerance {
        series.tolerance = try Amounts.money(
          tolerance, in: account?.currency ?? template.amount.currency, snapshot
        ).minorUnits
      }
      return [.putSeries(series)]
    }
    try ledger.answer(
      recorded,
      "Added \(name), \(rule.schedule.text)\(Series.words(schedule.weekends?.policy ?? .keep)). To record what is due, run `daybook recurring generate`."
    )
  }
}
