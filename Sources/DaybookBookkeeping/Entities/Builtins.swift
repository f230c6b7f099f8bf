import DaybookEntities

extension Account {
  /// Returns a built-in account for display, or `nil` for any other id.
  ///
  /// Built-in accounts are of the kind `equity`, hidden, and not stored in the journal. They accept
  /// every currency, so their `currency` has no meaning.
  public static func builtin(_ id: AccountID, currency: Currency) -> Account? {
    guard let name = builtinName(id) else { return nil }
    return Account(
      id: id, number: id.rawValue.low, name: name, kind: .equity, currency: currency,
      isHidden: true)
  }

  /// The name of a built-in account, or `nil` for any other id.
  public static func builtinName(_ id: AccountID) -> String? {
    switch id {
    case .opening: "Opening"
    case .exchange: "Exchange"
    case .outside: "Outside"
    default: nil
    }
  }
}

extension Category {
  /// A built-in category, or `nil` for any other id.
  public static func builtin(_ id: CategoryID) -> Category? {
    switch id {
    case .uncategorizedExpense: Category(id: id, number: 4, name: builtinName, kind: .expense)
    case .uncategorizedIncome: Category(id: id, number: 5, name: builtinName, kind: .income)
    default: nil
    }
  }

  /// The name of both built-in categories.
  public static let builtinName = "Uncategorised"
}
