extension BookkeepingState {
  /// The name of an account in messages.
  mutating func name(_ id: AccountID) -> String {
    if let builtin = Account.builtinName(id) { return builtin }
    guard let account = try? account(id) else { return "account \(id)" }
    return "account “\(account.name)”"
  }

  /// The name of a category in messages.
  mutating func name(_ id: CategoryID) -> String {
    guard let category = Category.builtin(id) ?? (try? category(id)) else {
      return "category \(id)"
    }
    return "\(category.kind) category “\(category.name)”"
  }

  /// The name of an account or category in messages.
  mutating func name(_ account: PostingAccount) -> String {
    switch account {
    case .account(let id): name(id)
    case .category(let id): name(id)
    }
  }
}

extension Transaction {
  /// The name of the transaction in messages.
  var title: String {
    let text = [details.description, details.payee, details.note].first { !$0.isEmpty }
    return "the transaction \(text.map { "“\($0.excerpt)” " } ?? "")of \(day) (\(id))"
  }
}
