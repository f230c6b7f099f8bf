import ArgumentParser
import Daybook

/// The options that select the transactions of a list.
struct FilterOptions: ParsableArguments {
  @Option(
    help: "Only rows that touch this account, or any of several; may be repeated.",
    completion: LedgerCompletion.accounts)
  var account: [String] = []

  @OptionGroup var rest: RowFilterOptions

  func validate() throws {
    if rest.noSubcategories, rest.category.isEmpty {
      throw ValidationError("--no-subcategories says something about --category only.")
    }
  }

  /// The text to search for in all texts of a transaction.
  var text: String? { rest.text }

  /// The filter, with every name looked up.
  func filter(in snapshot: borrowing Snapshot, today: Day) throws -> TransactionFilter {
    var filter = try rest.filter(in: snapshot, today: today)
    filter.accounts = try account.map {
      try Lookup.account($0, includingDeleted: true, in: snapshot).id
    }
    return filter
  }
}

/// The options that select transactions by anything except accounts.
struct RowFilterOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Only rows of this category, or any of several; may be repeated.",
      discussion: "A name, or a path such as Food:Groceries."),
    completion: LedgerCompletion.categories)
  var category: [String] = []

  @Flag(help: "Leave out the subcategories of --category.")
  var noSubcategories = false

  @Flag(
    name: [.customLong("uncategorised"), .customLong("uncategorized")],
    help: "Only rows with a part that has no category yet; with --category, those too.")
  var uncategorised = false

  @Option(help: "Only rows of this type: income, expense or transfer.")
  var type: TypeArgument?

  @Option(help: "Only rows of this status: pending, cleared or reconciled.")
  var status: StatusFilterArgument?

  @Option(help: "Only rows with an amount in this currency.")
  var currency: String?

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Only rows of this amount, whichever way it goes; may be repeated.",
      discussion: "12.50, or a range such as 10..20, 100.. or ..5, with or without a currency: "
        + "\"10..20 USD\".", valueName: "amount"),
    transform: { try AmountFilterArgument($0) })
  var amount: [AmountFilterArgument] = []

  @Option(help: ArgumentHelp("Only rows of this month.", valueName: "yyyy-mm"))
  var month: MonthArgument?

  @Option(help: ArgumentHelp("Only rows from this day on.", valueName: "yyyy-mm-dd"))
  var from: DayArgument?

  @Option(help: ArgumentHelp("Only rows up to and including this day.", valueName: "yyyy-mm-dd"))
  var through: DayArgument?

  @Option(
    help: "Only rows whose payee holds this text, in any case.",
    completion: LedgerCompletion.payees)
  var payee: String?

  @Flag(help: "The payee is exactly that of --payee, but for case and accents.")
  var wholePayee = false

  @Option(
    help: "Only rows with this label; repeated, with all of them.",
    completion: LedgerCompletion.tags)
  var tag: [String] = []

  @Option(
    help: "Only rows whose description, payee, note, tags or category hold this text, in any case.")
  var text: String?

  func validate() throws {
    if month != nil, from != nil || through != nil {
      throw ValidationError("Give either --month, or --from and --through.")
    }
    if wholePayee, payee == nil {
      throw ValidationError("--whole-payee says something about --payee only.")
    }
    for (flag, text) in [("--payee", payee), ("--text", text)] + tag.map({ ("--tag", $0) }) {
      if let text, SearchTerm(text).isEmpty {
        throw ValidationError("\(flag) needs some letters or figures to look for.")
      }
    }
  }

  /// The filter, with every name looked up.
  func filter(in snapshot: borrowing Snapshot, today: Day) throws -> TransactionFilter {
    var filter = TransactionFilter()
    filter.categories = try category.map {
      try Lookup.category(
        $0, kind: type?.categoryKind, tellingKindsApartBy: "--type", in: snapshot
      ).id
    }
    filter.includesSubcategories = !noSubcategories
    filter.isUncategorized = uncategorised
    filter.type = type?.type
    filter.status = status?.status
    if let currency { filter.currency = try Lookup.currency(currency, in: snapshot) }
    filter.amounts = try amount.map { try $0.range(in: snapshot) }
    filter.days = try days(today: today)
    filter.payee = payee
    filter.matchesWholePayee = wholePayee
    filter.tags = tag
    filter.text = text
    return filter
  }

  private func days(today: Day) throws -> Range<Day>? {
    if let month { return month.month.days }
    guard from != nil || through != nil else { return nil }
    let first = from?.day(today: today) ?? Day.min
    let last = through?.day(today: today) ?? Day.max
    guard first <= last else {
      throw CommandFailure.usage(
        "--from \(first) comes after --through \(last).", remedy: "Give the earlier day first.")
    }
    return first..<last.adding(days: 1)
  }
}

/// A transaction type by its name.
enum TypeArgument: String, ExpressibleByArgument, CaseIterable {
  case income, expense, transfer

  var type: TransactionType {
    switch self {
    case .income: .income
    case .expense: .expense
    case .transfer: .transfer
    }
  }

  /// The kind of the type's categories, or `nil` for transfers.
  var categoryKind: CategoryKind? {
    switch self {
    case .income: .income
    case .expense: .expense
    case .transfer: nil
    }
  }
}

/// A transaction status by its name.
enum StatusFilterArgument: String, ExpressibleByArgument, CaseIterable {
  case pending, cleared, reconciled

  var status: Status {
    switch self {
    case .pending: .pending
    case .cleared: .cleared
    case .reconciled: .reconciled
    }
  }
}

/// A category kind by its name.
enum CategoryKindArgument: String, ExpressibleByArgument, CaseIterable {
  case income, expense

  var kind: CategoryKind { self == .income ? .income : .expense }
}
