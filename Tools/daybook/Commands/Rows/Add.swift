import ArgumentParser
import Daybook
import DaybookTerminal

/// `daybook add`: records one transaction.
struct AddCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add an expense, income, refund, transfer or split.",
    discussion: """
      Amounts are positive; the kind determines the direction. Amounts without a currency are in \
      the account's currency.

        daybook add expense 23.50 --account Checking --category Food:Groceries --payee Rewe
        daybook add income 2500 --account Checking --category Salary
        daybook add refund 10 --account Checking --category Clothes
        daybook add transfer 100 --account Checking --to Cash
        daybook add transfer 100 --account Checking --to "Dollar account" --to-amount 108.40
        daybook add transfer 100 --account Checking --to Cash --fee 1.50 --fee-category Bank:Fees
        daybook add transfer 100 --account Checking --to Broker --category Investing
        daybook add expense --account Checking --part Food=12.50 --part Household=7.30
        daybook add expense --account Checking --part Shoes=80 --part Shirts=-25
        daybook add expense --account Checking --part Interest=120 --part-to Mortgage=380
      """)

  /// The type of the transaction.
  enum Kind: String, ExpressibleByArgument, CaseIterable {
    case expense, income, refund, transfer

    var transactionKind: TransactionKind {
      switch self {
      case .expense: .expense
      case .income: .income
      case .refund: .refund
      case .transfer: .transfer
      }
    }

    var withArticle: String {
      self == .expense || self == .income ? "an \(rawValue)" : "a \(rawValue)"
    }
  }

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var today: TodayOptions

  @Argument(help: "expense, income, refund or transfer.")
  var kind: Kind

  @Argument(help: "The amount, such as 12.50 or \"12.50 USD\"; leave it out for a split.")
  var amount: String?

  @OptionGroup var target: TargetOptions

  @Option(
    help: "The amount received, if in another currency (default: converted at the day's rate).")
  var toAmount: String?

  @Option(
    help: "The amount in the account's currency, if it differs from the amount's currency.")
  var accountAmount: String?

  @OptionGroup var parts: PartOptions
  @OptionGroup var fees: FeeOptions

  @Option(help: ArgumentHelp("The day (default: today).", valueName: "yyyy-mm-dd"))
  var on: DayArgument?

  @OptionGroup var text: TextOptions
  @OptionGroup var paper: PaperOptions
  @OptionGroup var totals: NewTotalsOptions

  @Option(
    help: "An idempotency key: repeating the command with the same key records nothing new.")
  var key: String?

  func validate() throws {
    if key?.isEmpty == true {
      throw ValidationError("--key is empty. Give it a value, or leave it out.")
    }
    if kind == .transfer {
      guard target.to != nil else { throw ValidationError("A transfer requires --to.") }
      guard !parts.isUsed else {
        throw ValidationError(
          "--part and --part-to can't be used with a transfer. For a fee, use --fee and "
            + "--fee-category.")
      }
      guard target.category == nil || target.account != nil && !fees.isUsed && toAmount == nil
      else {
        throw ValidationError(
          "A transfer with --category requires --account, and has no --fee or --to-amount.")
      }
      guard fees.fee != nil || fees.feeCategory == nil || toAmount != nil else {
        throw ValidationError("--fee-category requires --fee, or --to-amount.")
      }
    } else if target.to != nil || toAmount != nil {
      throw ValidationError("--to and --to-amount can be used only with a transfer.")
    } else if fees.isUsed {
      throw ValidationError("--fee and --fee-category can be used only with a transfer.")
    }
    if !parts.isUsed {
      guard amount != nil else {
        throw ValidationError(
          "The amount is missing. Write, for example: add \(kind.rawValue) 12.50")
      }
    } else {
      guard amount == nil, target.category == nil, kind != .refund else {
        throw ValidationError(
          "With --part and --part-to, leave out the amount and --category, and use expense or income."
        )
      }
      try SplitParts.validate(parts.part, to: parts.partTo)
    }
  }

  func execute() async throws {
    let day = on?.day(today: today.day) ?? today.day
    let new = NewCategories()
    try await ledger.recordAndShow("Recorded", creating: new, key: key) { snapshot in
      var draft = Draft(try shape(snapshot, new), on: day)
      text.fill(&draft)
      draft.isExcludedFromTotals = totals.excludeFromTotals
      draft.code = paper.code ?? ""
      draft.valueDay = paper.valueDay?.day(today: today.day)
      return [.record(draft)]
    }
  }

  private func shape(
    _ snapshot: borrowing Snapshot, _ new: NewCategories
  ) throws -> Draft.Shape {
    let account = try target.account.map { try Lookup.account($0, in: snapshot) }
    let standard = try account?.currency ?? snapshot.settings().baseCurrency
    if parts.isUsed { return try split(snapshot, new, account, standard) }
    let money = try Amounts.size(
      amount ?? "", in: standard, snapshot, of: kind.withArticle, ifNegative: remedy)
    if kind == .transfer {
      let receiver = try Lookup.account(target.to ?? "", in: snapshot)
      let arriving = try toAmount.map { try Amounts.money($0, in: receiver.currency, snapshot) }
      if fees.isUsed {
        return try TransferFee(fees, standard, snapshot).shape(
          money, from: account, to: receiver, arriving, on: on?.day(today: today.day) ?? today.day,
          creating: new, snapshot)
      }
      if let category = target.category, let account {
        let found = try new.id(of: category, kind: .expense, in: snapshot)
        return try categorized(money, from: account, to: receiver, found)
      }
      return .transfer(
        Draft.Transfer(money, from: account?.id, to: receiver.id, targetAmount: arriving))
    }
    let categoryKind: CategoryKind = kind == .income ? .income : .expense
    let found = try target.category.map {
      try new.id(of: $0, kind: categoryKind, in: snapshot)
    }
    let direction: Draft.Direction =
      switch kind {
      case .income: .income
      case .refund: .refund
      case .expense, .transfer: .expense
      }
    let own = try accountAmount.map { try Amounts.money($0, in: standard, snapshot) }
    return .entry(
      Draft.Entry(direction, money, account: account?.id, category: found, accountAmount: own))
  }

  /// Returns a transfer that counts in a category, because the money leaves or enters the budget.
  private func categorized(
    _ money: Money, from account: Account, to receiver: Account, _ category: CategoryID
  ) throws -> Draft.Shape {
    guard account.isOutsideBudget != receiver.isOutsideBudget else {
      let place = account.isOutsideBudget ? "outside" : "in"
      throw CommandFailure.usage(
        "A transfer between “\(account.name)” and “\(receiver.name)” has no category: both are "
          + "\(place) the budget.",
        remedy: "Leave out --category, or exclude one account with `daybook envelopes exclude`.")
    }
    guard account.currency == money.currency, receiver.currency == money.currency else {
      throw CommandFailure.usage(
        "A transfer with --category has one currency, but “\(account.name)” is in "
          + "\(account.currency) and “\(receiver.name)” in \(receiver.currency).",
        remedy: "Leave out --category.")
    }
    return Draft.transfer(
      money, from: account.id, to: receiver.id, category: category,
      isRefund: account.isOutsideBudget, on: on?.day(today: today.day) ?? today.day
    ).shape
  }

  /// Returns a remedy that names the command for the opposite direction.
  private func remedy(_ positive: String) -> String {
    let account = target.account.map { " --account \($0.asArgument)" } ?? ""
    return switch kind {
    case .expense:
      "For money spent, run `daybook add expense \(positive)`; for money returned, `daybook add "
        + "refund \(positive)`; for money earned, `daybook add income \(positive)`."
    case .income where target.category != nil:
      "For money paid back or spent, run `daybook add expense \(positive)\(account)`, with a "
        + "--category for expenses or none."
    case .income, .refund: "For money spent, run `daybook add expense \(positive)\(account)`."
    case .transfer:
      "For the other direction, swap --account and --to: money leaves --account."
    }
  }

  private func split(
    _ snapshot: borrowing Snapshot, _ new: NewCategories, _ account: Account?,
    _ standard: Currency?
  ) throws -> Draft.Shape {
    let parts =
      try SplitParts.read(
        self.parts.part, of: kind == .income ? .income : .expense, in: standard, creating: new,
        snapshot)
      + SplitParts.read(to: self.parts.partTo, snapshot)
    let own = try accountAmount.map { try Amounts.money($0, in: standard, snapshot) }
    let kind: CategoryKind = kind == .income ? .income : .expense
    let signed = try own.map { kind == .income ? $0 : try $0.negated() }
    return .split(
      Draft.Split(account: account?.id, kind: kind, parts: parts, accountAmount: signed))
  }
}

/// The number on a paper document and the bank's value date.
struct PaperOptions: ParsableArguments {
  @Option(help: "The number of a cheque or invoice.")
  var code: String?

  @Option(
    help: ArgumentHelp(
      "The bank's value date, if it differs from the day; for a transfer, the day on which the "
        + "money arrives.", valueName: "yyyy-mm-dd"))
  var valueDay: DayArgument?
}

/// The texts, tags and status of a transaction.
struct TextOptions: ParsableArguments {
  /// The status of a transaction.
  ///
  /// The third status, reconciled, is set by `daybook reconcile`.
  enum StatusArgument: String, ExpressibleByArgument, CaseIterable {
    case pending, cleared

    var status: Status { self == .pending ? .pending : .cleared }
  }

  @Option(help: "The other party: who was paid, or who paid.")
  var payee: String?

  @Option(help: "The description.")
  var description: String?

  @Option(help: "A note.")
  var note: String?

  @Option(help: "A tag; repeatable.")
  var tag: [String] = []

  @Option(help: "pending or cleared.")
  var status: StatusArgument?

  /// Copies the options into a draft.
  func fill(_ draft: inout Draft) {
    draft.payee = payee ?? ""
    draft.description = description ?? ""
    draft.note = note ?? ""
    draft.tags = tag
    draft.status = status?.status ?? .cleared
  }
}
