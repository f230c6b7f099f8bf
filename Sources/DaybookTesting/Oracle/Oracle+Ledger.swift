package import Daybook

extension Oracle {
  /// Creates an oracle from the stored entities of a ledger, without using any views.
  package init(of snapshot: borrowing Snapshot) throws {
    try snapshot.forEach(Account.self) { accounts.append($0) }
    try snapshot.forEach(Category.self) { categories.append($0) }
    lowerFromDeleted()
    try snapshot.forEach(Transaction.self) { transactions.append($0.compared) }
    try snapshot.forEach(ExchangeRate.self) { rates.append($0) }
    try snapshot.forEach(LedgerSettings.self) { settings = $0 }
    try snapshot.forEach(BalanceAssertion.self) { assertions.append($0) }
    try snapshot.forEach(CurrencyDefinition.self) { currencies.append($0) }
    try snapshot.forEach(Series.self) { series.append($0) }
    try snapshot.forEach(Fingerprint.self) { skipped.insert(TransactionID($0.id)) }
    try snapshot.forEach(Budget.self) { budgets.append($0) }
    try snapshot.forEach(CategoryRule.self) { rules.append($0) }
    try snapshot.forEach(SavedMapping.self) { mappings.append($0) }
    try snapshot.forEach(Allocation.self) { allocations.append($0) }
    try snapshot.forEach(AccountTerms.self) { terms.append($0) }
    transactions.sort { $0.number < $1.number }
  }

  /// Moves each category below its nearest ancestor that isn't deleted.
  private mutating func lowerFromDeleted() {
    func isGone(_ id: CategoryID?) -> Bool {
      categories.contains { $0.id == id && $0.isDeleted }
    }
    for index in categories.indices {
      while isGone(categories[index].parent) {
        categories[index].parent =
          categories.first { $0.id == categories[index].parent }?.parent
      }
    }
  }

  /// The currencies of transactions and accounts, most used first.
  var usedCurrencies: [Currency] {
    var uses: [Currency: Int] = [:]
    for account in accounts { uses[account.currency, default: 0] += 1 }
    for posting in transactions.lazy.flatMap(\.postings) {
      uses[posting.amount.currency, default: 0] += 1
    }
    let sorted = uses.sorted { ($1.value, $0.key.code) < ($0.value, $1.key.code) }
    return sorted.isEmpty ? [.eur] : sorted.map(\.key)
  }
}
