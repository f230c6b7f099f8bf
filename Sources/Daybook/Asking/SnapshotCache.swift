/// The caches that a ledger shares between its snapshots.
///
/// Each cache determines which commits its entries are valid for.
final class SnapshotCache: Sendable {
  /// The accounts and categories.
  let chartOfAccounts = ChartOfAccountsCache()
  /// Figures of transactions on ranges of days.
  let figures = FigureCache()
  /// The figures of budget periods.
  let budgets = BudgetCache()
  /// The transactions of which totals leave something out.
  let excludedRows = ExcludedRowsCache()
}
