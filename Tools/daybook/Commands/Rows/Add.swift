import ArgumentParser
import Daybook

/// `daybook add`: records one transaction.
struct AddCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Record an expense, an income, a refund, a transfer or a split.",
    discussion: """
      Amounts are positive; the kind says which way they go. Without a currency they are in that of
      the account.

        daybook add expense 23.50 --account Checking --category Food:Groceries --payee Rewe
        daybook add income 2500 --account Checking --category Salary
        daybook add refund 10 --account Checking --category Clothes
        daybook add transfer 100 --account Checking --to Cash
        daybook add transfer 100 --account Checking --to "Dollar account" --to-amount 108.40
        daybook add expense --account Checking --part Food=12.50 --part Household=7.30
      """)

  /// The type of the transaction.
  enum Kind: String, ExpressibleByArgument, CaseIterable {
    case expense, income, refund, transfer

    var withArticle: String {
      self == .expense || self == .income ? "an \(rawValue)" : "a \(rawValue)"
    }
  }

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var today: TodayOptions

  @Argument(help: "expense, income, refund or transfer.")
  var kind: Kind

  @Argument(help: "How much, such as 12.50 or \"12.50 USD\"; parts say it for a split.")
  var amount: String?

  @OptionGroup var target: TargetOptions

  @Option(help: "What arrives there, where it has another currency; otherwise the day's rate says.")
  var toAmount: String?

  @Option(
    help: "What the account loses or gains, where its currency is another than the amount's.")
  var accountAmount: String?

  @Option(
    help: ArgumentHelp(
      "A part of a split; may be repeated. Uncategorised=7.30 is a part without a category.",
      valueName: "category=amount"))
  var part: [String] = []

  @Option(help: ArgumentHelp("The day; today if not given.", valueName: "yyyy-mm-dd"))
  var on: DayArgument?

  @OptionGroup var text: TextOptions
  @OptionGroup var paper: PaperOptions

  @Option(
    help: "A key of your own: the same command with the same key records nothing a second time.")
  var key: String?

  func validate() throws {
    if key?.isEmpty == true {
      throw ValidationError("--key is empty: give a text, or leave it out.")
    }
    if kind == .transfer {
      guard target.to != nil else { throw ValidationError("A transfer needs --to.") }
      guard target.category == nil, part.isEmpty else {
        throw ValidationError("A transfer has no category and no parts.")
      }
    } else if target.to != nil || toAmount != nil {
      throw ValidationError("--to and --to-amount belong to transfers.")
    }
    if part.isEmpty {
      guard amount != nil else { throw ValidationError("Say how much: add \(kind.rawValue) 12.50") }
    } else {
      guard amount == nil, target.category == nil, kind != .refund else {
        throw ValidationError(
          "The parts of a split have the amounts and categories; it is an expense or an income.")
      }
      try SplitParts.validate(part)
    }
  }

  func execute() async throws {
    let day = on?.day(today: today.day) ?? today.day
    let new = NewCategories()
    try await ledger.recordAndShow("Recorded", creating: new, key: key) { snapshot in
      var draft = Draft(try shape(snapshot, new), on: day)
      text.fill(&draft)
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
    if !part.isEmpty { return try split(snapshot, new, account, standard) }
    let money = try Amounts.size(
      amount ?? "", in: standard, snapshot, of: kind.withArticle, ifNegative: remedy)
    if kind == .transfer {
      let receiver = try Lookup.account(target.to ?? "", in: snapshot)
      let arriving = try toAmount.map { try Amounts.money($0, in: receiver.currency, snapshot) }
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

  /// What to type for money that goes the other way.
  private func remedy(_ positive: String) -> String {
    switch kind {
    case .expense:
      "For money that came back: daybook add refund \(positive); for money earned: daybook add income "
        + "\(positive). What was spent: daybook add expense \(positive)."
    case .income, .refund: "For money that was spent: daybook add expense \(positive)."
    case .transfer:
      "For the other direction, let --account and --to change places: --account is where it leaves."
    }
  }

  private func split(
    _ snapshot: borrowing Snapshot, _ new: NewCategories, _ account: Account?,
    _ standard: Currency?
  ) throws -> Draft.Shape {
    let parts = try SplitParts.read(
      part, of: kind == .income ? .income : .expense, in: standard, creating: new, snapshot)
    let own = try accountAmount.map { try Amounts.money($0, in: standard, snapshot) }
    let kind: CategoryKind = kind == .income ? .income : .expense
    let signed = try own.map { kind == .income ? $0 : try $0.negated() }
    return .split(
      Draft.Split(account: account?.id, kind: kind, parts: parts, accountAmount: signed))
  }
}

/// The number on a paper document and the bank's value date.
struct PaperOptions: ParsableArguments {
  @Option(help: "The number on the paper: of a cheque, an invoice.")
  var code: String?

  @Option(
    help: ArgumentHelp(
      "The day from which the bank counts it, where that is another.", valueName: "yyyy-mm-dd"))
  var valueDay: DayArgument?
}

/// The texts, tags and status of a transaction.
struct TextOptions: ParsableArguments {
  /// How far a transaction has been checked.
  ///
  /// A third status, reconciled, is set by `daybook reconcile`.
  enum StatusArgument: String, ExpressibleByArgument, CaseIterable {
    case pending, cleared

    var status: Status { self == .pending ? .pending : .cleared }
  }

  @Option(help: "Whom it was paid to, or who paid.")
  var payee: String?

  @Option(help: "What it was.")
  var description: String?

  @Option(help: "A note.")
  var note: String?

  @Option(help: "A label; may be repeated.")
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
