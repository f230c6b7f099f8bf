import ArgumentParser
import Daybook

/// Which transactions a list is about.
struct FilterOptions: ParsableArguments {
  @Option(help: "Only rows that touch this account.")
  var account: String?

  @Option(help: "Only rows of this category (a name, or a path such as Food:Groceries).")
  var category: String?

  @Flag(help: "Leave out the category's subcategories.")
  var noSubcategories = false

  @Option(help: "Only rows of this type: income, expense or transfer.")
  var type: TypeArgument?

  @Option(help: "Only rows with an amount in this currency.")
  var currency: String?

  @Option(help: ArgumentHelp("Only rows of this month.", valueName: "yyyy-mm"))
  var month: MonthArgument?

  @Option(help: ArgumentHelp("Only rows from this day on.", valueName: "yyyy-mm-dd"))
  var from: DayArgument?

  @Option(help: ArgumentHelp("Only rows up to and including this day.", valueName: "yyyy-mm-dd"))
  var through: DayArgument?

  @Option(
    help: "Only rows whose description, payee, note, tags or category hold this text, in any case.")
  var text: String?

  func validate() throws {
    if month != nil, from != nil || through != nil {
      throw ValidationError("Give either --month, or --from and --through.")
    }
    if noSubcategories, category == nil {
      throw ValidationError("--no-subcategories says something about --category only.")
    }
  }

  /// The filter, with every name looked up.
  func filter(in snapshot: borrowing Snapshot, today: Day) throws -> TransactionFilter {
    var filter = TransactionFilter()
    if let account { filter.account = try Lookup.account(account, in: snapshot).id }
    if let category { filter.category = try Lookup.category(category, in: snapshot).id }
    filter.includesSubcategories = !noSubcategories
    filter.type = type?.type
    if let currency { filter.currency = try Lookup.currency(currency, in: snapshot) }
    filter.days = try days(today: today)
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

/// A type of transaction by its name.
enum TypeArgument: String, ExpressibleByArgument, CaseIterable {
  case income, expense, transfer

  var type: TransactionType {
    switch self {
    case .income: .income
    case .expense: .expense
    case .transfer: .transfer
    }
  }
}

/// A kind of category by its name.
enum CategoryKindArgument: String, ExpressibleByArgument, CaseIterable {
  case income, expense

  var kind: CategoryKind { self == .income ? .income : .expense }
}
