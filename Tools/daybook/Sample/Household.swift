package import Bookkeeping

/// A made-up family's accounts: salaries, rent, groceries, a flat abroad, a journey a year.
///
/// A pure function of its arguments, so that everyone who generates it sees the same figures. Fixed
/// payments come first; ordinary purchases fill up to exactly the number of rows asked for.
package struct Household: Sendable {
  /// The accounts, each with what was in it at the beginning.
  package let accounts: [HouseholdAccount] = HouseholdCatalogue.accounts
  /// The rows, oldest first.
  package let rows: [HouseholdRow]
  /// The rates that go with them.
  package let rates: HouseholdRates
  /// The first day a row may have.
  package let firstDay: Day

  /// Generates a household.
  ///
  /// - Parameters:
  ///   - count: the number of rows.
  ///   - years: how many years they span.
  ///   - lastDay: the day of the newest rows.
  ///   - seed: the same seed gives the same rows.
  package init(count: Int, years: Int, through lastDay: Day, seed: UInt64) {
    firstDay = lastDay.adding(months: -12 * years).adding(days: 1)
    rates = HouseholdRates(from: firstDay, through: lastDay, seed: seed)
    var maker = HouseholdMaker(first: firstDay, last: lastDay, rates: rates, seed: seed)
    maker.addRegulars()
    maker.addJourneys()
    maker.addPurchases(upTo: count)
    maker.addCardPayments()
    maker.addCashPurchases(upTo: count)
    rows = maker.sorted(keeping: count)
  }
}
