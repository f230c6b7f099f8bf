/// The caches that a ledger shares between its snapshots.
///
/// Each cache checks for itself which commits its entries are valid for.
final class SnapshotCache: Sendable {
  /// Accounts and categories.
  let chartOfAccounts = ChartOfAccountsCache()
  /// Figures of budget periods.
  let budgets = BudgetCache()
}
