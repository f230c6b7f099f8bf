public import DaybookBookkeeping

/// A generated household with salaries, rent, groceries, a flat abroad and a yearly trip, for tests
/// and previews.
///
/// The rows depend only on the arguments. The same seed generates the same rows with the same ids
/// on every machine. Regular payments are generated first, and ordinary purchases are added until
/// the requested number of rows is reached.
///
/// ```swift
/// let household = SampleHousehold(transactionCount: 500, through: today)
/// let ledger = try await household.ledger()
/// ```
public struct SampleHousehold: Sendable {
  /// The seed.
  public let seed: UInt64
  /// The first day that can have rows.
  public let firstDay: Day
  /// The day of the newest rows.
  public let lastDay: Day
  /// The accounts, with their opening balances.
  package let accounts: [HouseholdAccount] = HouseholdCatalogue.accounts
  /// The rows, oldest first.
  package let rows: [HouseholdRow]
  /// The exchange rates.
  package let rates: HouseholdRates

  /// Generates a household.
  ///
  /// - Parameters:
  ///   - seed: The seed. Different seeds generate different rows.
  ///   - transactionCount: The number of rows; a negative number means none.
  ///   - years: The number of years, clamped to 1...100.
  ///   - lastDay: The day of the newest rows, usually today.
  /// - Complexity: O(*n* log *n* + *years*), where *n* is the number of rows.
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

  /// The names of the accounts, such as “Checking” and “Credit card”.
  public var accountNames: [String] { accounts.map(\.name) }

  /// The paths of the categories, such as “Food” and “Food:Groceries”.
  public var categoryPaths: [String] {
    HouseholdCatalogue.categories.map { $0.path.joined(separator: ":") }
  }

  /// Returns the id of the account with a name, or `nil` if there is none.
  public func account(_ name: String) -> AccountID? {
    accounts.firstIndex { $0.name == name }.map { id(.account, $0) }
  }

  /// Returns the id of the category with a path such as “Food:Groceries”, or `nil` if there is
  /// none.
  public func category(_ path: String) -> CategoryID? {
    category(path.split(separator: ":").map(String.init))
  }
}
