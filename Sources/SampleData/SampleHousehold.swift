public import Bookkeeping

/// A made-up family's accounts: salaries, rent, groceries, a flat abroad, a journey a year.
///
/// For tests and previews. It is a pure function of its arguments: the same seed gives the same rows, with the same
/// ids, on every machine. Fixed payments come first; ordinary purchases fill up to exactly the number of rows asked
/// for.
///
/// ```swift
/// let household = SampleHousehold(transactionCount: 500, through: today)
/// let ledger = try await household.ledger()
/// ```
public struct SampleHousehold: Sendable {
  /// The seed it was made with.
  public let seed: UInt64
  /// The first day that a row may have.
  public let firstDay: Day
  /// The day of the newest rows.
  public let lastDay: Day
  /// The accounts, each with what was in it at the beginning.
  package let accounts: [HouseholdAccount] = HouseholdCatalogue.accounts
  /// The rows, oldest first.
  package let rows: [HouseholdRow]
  /// The rates that go with them.
  package let rates: HouseholdRates

  /// Makes up a household.
  ///
  /// - Parameters:
  ///   - seed: Another seed gives other rows.
  ///   - transactionCount: How many rows; none where it is negative.
  ///   - years: Over how many years, 1 to 100; what is beyond is taken for the nearest.
  ///   - lastDay: The day of the newest rows, from the year 101 on; usually today.
  /// - Complexity: O(rows · log rows + years).
  public init(
    seed: UInt64 = 2026, transactionCount: Int = 20_000, years: Int = 6, through lastDay: Day
  ) {
    self.seed = seed
    let years = min(max(years, 1), 100)
    let last = min(max(lastDay, Day.min.adding(months: 12 * years)), .max)
    self.lastDay = last
    firstDay = last.adding(months: -12 * years).adding(days: 1)
    rates = HouseholdRates(from: firstDay, through: last, seed: seed)
    let count = max(0, transactionCount)
    var maker = HouseholdMaker(first: firstDay, last: last, rates: rates, seed: seed)
    maker.addRegulars()
    maker.addJourneys()
    maker.addPurchases(upTo: count)
    maker.addCardPayments()
    maker.addCashPurchases(upTo: count)
    rows = maker.sorted(keeping: count)
  }

  /// The names of its accounts, such as “Checking” and “Credit card”.
  public var accountNames: [String] { accounts.map(\.name) }

  /// Its categories, each with those above it: “Food”, “Food:Groceries”.
  public var categoryPaths: [String] {
    HouseholdCatalogue.categories.map { $0.path.joined(separator: ":") }
  }

  /// The id of the account of a name, or `nil` where there is none.
  public func account(_ name: String) -> AccountID? {
    accounts.firstIndex { $0.name == name }.map { id(.account, $0) }
  }

  /// The id of the category of a path such as “Food:Groceries”, or `nil` where there is none.
  public func category(_ path: String) -> CategoryID? {
    category(path.split(separator: ":").map(String.init))
  }
}
