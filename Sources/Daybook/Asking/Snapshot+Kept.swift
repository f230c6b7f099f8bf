extension Snapshot {
  /// Whether an account exists, or was deleted and still has transactions or an opening balance.
  ///
  /// The record of a deleted account is kept permanently; lists show it while this is true.
  ///
  /// - Complexity: That of counting its transactions.
  package func isKept(_ account: Account) throws -> Bool {
    try !account.isDeleted || account.opening.minorUnits != 0
      || count(TransactionFilter(account: account.id)) > 0
  }

  /// Whether a category exists, or was deleted and still has transactions.
  ///
  /// - Complexity: That of counting its transactions.
  package func isKept(_ category: Category) throws -> Bool {
    try !category.isDeleted
      || count(TransactionFilter(category: category.id, includesSubcategories: false)) > 0
  }
}
