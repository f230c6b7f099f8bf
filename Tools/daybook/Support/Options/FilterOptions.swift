import ArgumentParser
import Daybook

/// The options that select the transactions of a list.
struct FilterOptions: ParsableArguments {
  @Option(
    help: "Only transactions of this account; repeat it for several accounts.",
    completion: LedgerCompletion.accounts)
  var account: [String] = []

  @OptionGroup var rest: RowFilterOptions

  func validate() throws {
    if rest.noSubcategories, rest.category.isEmpty {
      throw ValidationError("--no-subcategories requires --category.")
    }
  }

  /// The text to search for in all texts of a transaction.
  var text: String? { rest.text }

  /// Returns the filter, with every name looked up.
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
      "Only transactions of this category; repeat it for several categories.",
      discussion: "A name, or a path such as Food:Groceries."),
    completion: LedgerCompletion.categories)
  var category: [String] = []

  @Flag(help: "Exclude the subcategories of --category.")
  var noSubcategories = false

  @Flag(
    name: [.customLong("uncategorised"), .customLong("uncategorized")],
    help: """
      Only uncategorised transactions, including splits with an uncategorised part; with --category, \
      either.
      """)
  var uncategorised = false

  @Option(help: "Only transactions of this type: income, expense or transfer.")
  var type: TypeArgument?

  @Option(help: "Only transactions with this status: pending, cleared or reconciled.")
  var status: StatusFilterArgument?

  @Flag(
    inversion: .prefixedNo,
    help: "Only transactions of which totals leave something out, or only what counts.")
  var excluded: Bool?

  @Option(help: "Only transactions with an amount in this currency.")
  var currency: String?

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Only transactions of this amount, incoming or outgoing; repeatable.",
      discussion: "12.50, or a range such as 10..20, 100.. or ..5, with or without a currency: "
        + "\"10..20 USD\".", valueName: "amount"),
    transform: { try AmountFilterArgument($0) })
  var amount: [AmountFilterArgument] = []

  @Option(help: ArgumentHelp("Only transactions of this month.", valueName: "yyyy-mm"))
  var month: MonthArgument?

  @Option(help: ArgumentHelp("Only transactions from this day on.", valueName: "yyyy-mm-dd"))
  var from: DayArgument?

  @Option(help: ArgumentHelp("Only transactions through this day.", valueName: "yyyy-mm-dd"))
  var through: DayArgument?

  @Option(
    help: "Only transactions whose payee contains this text, ignoring case.",
    completion: LedgerCompletion.payees)
  var payee: String?

  @Flag(help: "Match the whole payee with --payee, ignoring case and accents.")
  var wholePayee = false

  @Option(
    help: "Only transactions with this tag; if repeated, with all of them.",
    completion: LedgerCompletion.tags)
  var tag: [String] = []

  @Option(
    help: "Only transactions whose description, payee, note, tags or category contain this text.")
  var text: String?

  func validate() throws {
    if month != nil, from != nil || through != nil {
      throw ValidationError("Use either --month, or --from and --through.")
    }
    if wholePayee, payee == nil {
      throw ValidationError("--whole-payee requires --payee.")
    }
    for (flag, text) in [("--payee", payee), ("--text", text)] + tag.map({ ("--tag", $0) }) {
      if let text, SearchTerm(text).isEmpty {
        throw ValidationError("\(flag) must contain a letter or digit.")
      }
    }
  }

  /// Returns the filter, with every name looked up.
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
    filter.isExcluded = excluded
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
        "--from \(first) is after --through \(last).", remedy: "Swap the two days.")
    }
    return first..<last.adding(days: 1)
  }
}

/// A transaction type, given by name.
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

/// A transaction status, given by name.
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

/// A category kind, given by name.
enum CategoryKindArgument: String, ExpressibleByArgument, CaseIterable {
  case income, expense

  var kind: CategoryKind { self == .income ? .income : .expense }
}
