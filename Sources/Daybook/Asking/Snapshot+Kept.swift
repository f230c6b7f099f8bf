extension Snapshot {
  /// Whether an account is there, or was deleted and still has something: rows that were kept, or an opening.
  ///
  /// The record of one that was deleted stays for ever; lists show it while it has something.
  ///
  /// - Complexity: as counting its rows.
  package func isKept(_ account: Account) throws -> Bool {
    try !account.isDeleted || account.opening.minorUnits != 0
      || count(TransactionFilter(account: account.id)) > 0
  }

  /// Whether a category is there, or was deleted and still has rows that were kept.
  ///
  /// - Complexity: as counting its rows.
  package func isKept(_ category: Category) throws -> Bool {
    try !category.isDeleted
      || count(TransactionFilter(category: category.id, includesSubcategories: false)) > 0
  }
}
