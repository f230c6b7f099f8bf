extension Snapshot {
  /// Returns whether an account exists, or was deleted but still has transactions or an opening
  /// balance.
  ///
  /// The record of a deleted account is kept permanently. Lists show the account while this method
  /// returns `true`.
  ///
  /// - Complexity: The same as counting the account's transactions.
  package func isKept(_ account: Account) throws -> Bool {
    try !account.isDeleted || account.opening.minorUnits != 0
      || count(TransactionFilter(account: account.id)) > 0
  }

  /// Returns whether a category exists, or was deleted but still has transactions.
  ///
  /// - Complexity: The same as counting the category's transactions.
  package func isKept(_ category: Category) throws -> Bool {
    try !category.isDeleted
      || count(TransactionFilter(category: category.id, includesSubcategories: false)) > 0
  }
}
