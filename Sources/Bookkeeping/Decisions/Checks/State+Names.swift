extension BookkeepingState {
  /// What messages call an account.
  mutating func name(_ id: AccountID) -> String {
    if let builtin = Account.builtinName(id) { return builtin }
    guard let account = try? account(id) else { return "account \(id)" }
    return "account “\(account.name)”"
  }

  /// What messages call a category.
  mutating func name(_ id: CategoryID) -> String {
    guard let category = Category.builtin(id) ?? (try? category(id)) else {
      return "category \(id)"
    }
    return "\(category.kind) category “\(category.name)”"
  }

  /// What messages call an account or category.
  mutating func name(_ account: PostingAccount) -> String {
    switch account {
    case .account(let id): name(id)
    case .category(let id): name(id)
    }
  }
}

extension Transaction {
  /// What messages call a transaction.
  var title: String {
    let text = [description, payee, note].first { !$0.isEmpty }
    return "the transaction \(text.map { "“\($0.excerpt)” " } ?? "")of \(day) (\(id))"
  }
}
