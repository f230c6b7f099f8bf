/// What a ledger keeps between snapshots.
///
/// Each part knows by itself for which commits it holds.
final class SnapshotCache: Sendable {
  /// Accounts and categories.
  let directory = DirectoryCache()
  /// What periods of budgets came to.
  let budgets = BudgetCache()
}
