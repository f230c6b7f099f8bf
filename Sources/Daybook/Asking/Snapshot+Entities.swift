extension Snapshot {
  /// Returns the ledger's settings: the base currency, the first day of the week and the closed
  /// period.
  ///
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  /// - Complexity: O(1).
  public func settings() throws -> LedgerSettings {
    try entity(LedgerSettings.self, LedgerSettings.id) ?? LedgerSettings()
  }

  /// Returns the account with the given id, even if it is deleted; `nil` for the built-in accounts.
  ///
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  /// - Complexity: O(1).
  public func account(_ id: AccountID) throws -> Account? {
    try chartOfAccounts().accountsByID[id]
  }

  /// Returns all accounts except the built-in ones, in the order in which they were recorded.
  ///
  /// - Parameters:
  ///   - includingClosed: Whether to include closed accounts.
  ///   - includingDeleted: Whether to include deleted accounts.
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  /// - Complexity: O(accounts).
  public func accounts(includingClosed: Bool = true, includingDeleted: Bool = false) throws
    -> [Account]
  {
    try chartOfAccounts().accounts.filter { account in
      account.isDeleted ? includingDeleted : includingClosed || !account.isClosed
    }
  }

  /// Returns the account with the given name, ignoring case; deleted accounts are skipped.
  ///
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  /// - Complexity: O(accounts).
  public func account(named name: String) throws -> Account? {
    let wanted = Folding.key(name)
    return try accounts().first { Folding.key($0.name) == wanted }
  }

  /// Returns the category with the given id, even if it is built in or deleted.
  ///
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  /// - Complexity: O(1).
  public func category(_ id: CategoryID) throws -> Category? {
    try chartOfAccounts().tree[id]
  }

  /// Returns all categories except the built-in ones, in the order in which they were recorded.
  ///
  /// - Parameters:
  ///   - kind: Income or expense; `nil` for both.
  ///   - includingDeleted: Whether to include deleted categories.
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  /// - Complexity: O(categories).
  public func categories(_ kind: CategoryKind? = nil, includingDeleted: Bool = false) throws
    -> [Category]
  {
    try chartOfAccounts().categories.filter { category in
      (kind == nil || category.kind == kind) && (includingDeleted || !category.isDeleted)
    }
  }

  /// Returns the category with the given name and kind below `parent`, ignoring case; deleted
  /// categories are skipped.
  ///
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  /// - Complexity: O(categories).
  public func category(named name: String, kind: CategoryKind, parent: CategoryID? = nil) throws
    -> Category?
  {
    let wanted = Folding.key(name)
    return try categories(kind).first {
      $0.parent == parent && Folding.key($0.name) == wanted
    }
  }

  /// Returns the transaction with the given id.
  ///
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  /// - Complexity: O(log n).
  public func transaction(_ id: TransactionID) throws -> Transaction? {
    try entity(Transaction.self, id.rawValue)
  }

  /// Returns the currencies that the ledger defines in addition to those of ISO 4217.
  ///
  /// The definitions are in the order in which they were recorded.
  ///
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  public func currencyDefinitions() throws -> [CurrencyDefinition] {
    try entities(CurrencyDefinition.self)
  }

  /// Returns the currency with the given code.
  ///
  /// The ledger's own definition takes precedence over the one in ISO 4217.
  ///
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  /// - Complexity: O(definitions).
  public func currency(_ code: String) throws -> Currency? {
    let defined = try currencyDefinitions().first { $0.currency.code == code }
    return defined?.currency ?? Currency.iso(code)
  }

  /// Returns all budgets in the order in which they were recorded.
  ///
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  public func budgets() throws -> [Budget] { try entities(Budget.self) }

  /// Returns all recurring transactions in the order in which they were recorded.
  ///
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  public func series() throws -> [Series] { try entities(Series.self) }

  /// Returns all category rules in the order in which they were recorded.
  ///
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  public func rules() throws -> [CategoryRule] { try entities(CategoryRule.self) }

  /// Returns all saved mappings in the order in which they were recorded.
  ///
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  public func mappings() throws -> [SavedMapping] { try entities(SavedMapping.self) }

  /// Returns all allocations of money to envelopes in the order in which they were recorded.
  ///
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  public func allocations() throws -> [Allocation] { try entities(Allocation.self) }

  /// Returns all balance assertions in the order in which they were recorded.
  ///
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  public func assertions() throws -> [BalanceAssertion] { try entities(BalanceAssertion.self) }
}
