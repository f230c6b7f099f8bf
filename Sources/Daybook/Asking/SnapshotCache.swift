/// What a ledger keeps between snapshots.
///
/// Each part knows by itself for which commits it holds.
final class SnapshotCache: Sendable {
  /// Accounts and categories.
  let chartOfAccounts = ChartOfAccountsCache()
  /// What periods of budgets came to.
  let budgets = BudgetCache()
}
