/// Goal: reimplement suggested categories. Method: follow the documentation of
/// `Snapshot.suggestions`, and compare each uncategorised transaction with all others.
import Daybook

extension Oracle {
  /// Returns the uncategorised transactions that aren't in a closed period, newest first, each with
  /// its suggestion.
  func suggestions() -> [UncategorizedTransaction] {
    let ruled = changes(by: rules)
    let open = transactions.indices.filter { index in
      let row = transactions[index]
      if let closed = settings?.closedThrough, row.day <= closed { return false }
      return categories(of: row).contains { $0.isBuiltin }
    }
    let found = open.map { index -> UncategorizedTransaction in
      let row = transactions[index]
      var suggestion: CategorySuggestion?
      let own = categories(of: row)
      if own.count == 1 {
        if let new = ruled[index].map({ categories(of: $0) }), new != own {
          // There is no category if the rules make a transfer.
          suggestion = new.first.map {
            CategorySuggestion(category: $0, rule: ruled[index]?.categorizedBy)
          }
        } else {
          suggestion = usualCategory(for: row)
        }
      }
      return UncategorizedTransaction(transaction: row.compared, suggestion: suggestion)
    }
    return found.sorted { $0.transaction.key > $1.transaction.key }
  }

  /// The category of each part.
  private func categories(of row: Transaction) -> [CategoryID] {
    row.postings.compactMap { if case .category(let id) = $0.account { id } else { nil } }
  }

  private func usualCategory(for row: Transaction) -> CategorySuggestion? {
    if searched(row.payee).isEmpty { return nil }
    let payees = transactions.filter { searched($0.payee) == searched(row.payee) }
      .sorted { $0.key > $1.key }.prefix(500)
    var chosen: [CategoryID] = []
    for other in payees where other.type == row.type {
      let all = Set(categories(of: other))
      guard all.count == 1, let id = all.first, !id.isBuiltin, let category = try? known(id),
        !category.isDeleted, !category.isHidden, chosen.count < 50
      else { continue }
      chosen.append(id)
    }
    for id in Set(chosen) {
      let count = chosen.count { $0 == id }
      if count > 1, Double(count) / Double(chosen.count) >= 0.6 {
        return CategorySuggestion(category: id, count: count, total: chosen.count)
      }
    }
    return nil
  }
}
