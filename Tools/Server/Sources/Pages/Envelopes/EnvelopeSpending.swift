import Daybook

/// The transactions that an envelope's spending consists of.
enum EnvelopeSpending {
  /// Returns the address of the counted transactions of a month through today.
  static func link(
    _ month: Month, _ query: [(String, String?)], _ context: PageContext
  ) -> String {
    context.transactions(
      days(month, context), query + [("excluded", context.countsEverything ? nil : "false")])
  }

  /// Returns what the list at the address adds up to, which includes what accounts outside the
  /// budget paid; `nil` if the list is too long.
  static func listed(
    _ category: CategoryID, _ month: Month, _ context: PageContext, _ snapshot: borrowing Snapshot
  ) throws -> Total? {
    var filter = TransactionFilter(
      category: category, days: days(month, context), isExcluded: false)
    filter.includesSubcategories = false
    let sums = try snapshot.sums(of: filter, readingAtMost: FilterSums.readCountMax)
    guard sums.isComplete, let net = sums.converted?.net else { return nil }
    return Total(units: -net.units, currency: net.currency)
  }

  private static func days(_ month: Month, _ context: PageContext) -> Range<Day> {
    month.first..<max(month.first, min(month.last, context.today)).adding(days: 1)
  }
}

extension NameBook {
  /// Whether the lists of categories can contain what envelopes don't count.
  var hasAccountsOutsideBudget: Bool {
    accounts.contains { $0.isOutsideBudget || $0.kind == .equity }
  }
}
