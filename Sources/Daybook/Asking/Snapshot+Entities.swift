extension Snapshot {
  /// The ledger's settings: base currency, first day of the week, closed period.
  ///
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  /// - Complexity: O(1).
  public func settings() throws -> LedgerSettings {
    try entity(LedgerSettings.self, LedgerSettings.id) ?? LedgerSettings()
  }

  /// The account with an id, including deleted ones; `nil` for the built-in accounts.
  ///
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  /// - Complexity: O(1).
  public func account(_ id: AccountID) throws -> Account? {
    try chartOfAccounts().accountsByID[id]
  }

  /// All accounts except the built-in ones, in the order of their recording.
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

  /// The account with a name, ignoring case and deleted accounts.
  ///
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  /// - Complexity: O(accounts).
  public func account(named name: String) throws -> Account? {
    let wanted = Folding.key(name)
    return try accounts().first { Folding.key($0.name) == wanted }
  }

  /// The category with an id, including built-in and deleted ones.
  ///
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  /// - Complexity: O(1).
  public func category(_ id: CategoryID) throws -> Category? {
    try chartOfAccounts().tree[id]
  }

  /// All categories except the built-in ones, in the order of their recording.
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

  /// The category with a name and kind below `parent`, ignoring case and deleted categories.
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

  /// The transaction with an id.
  ///
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  /// - Complexity: O(log n).
  public func transaction(_ id: TransactionID) throws -> Transaction? {
    try entity(Transaction.self, id.rawValue)
  }

  /// The currencies that the ledger defines in addition to ISO 4217, in the order of their
  /// recording.
  ///
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  public func currencyDefinitions() throws -> [CurrencyDefinition] {
    try entities(CurrencyDefinition.self)
  }

  /// The currency with a code: the ledger's own definition if there is one, otherwise that of ISO
  /// 4217.
  ///
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  /// - Complexity: O(definitions).
  public func currency(_ code: String) throws -> Currency? {
    let defined = try currencyDefinitions().first { $0.currency.code == code }
    return defined?.currency ?? Currency.iso(code)
  }

  /// All budgets in the order of their recording.
  ///
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  public func budgets() throws -> [Budget] { try entities(Budget.self) }

  /// All recurring transactions in the order of their recording.
  ///
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  public func series() throws -> [Series] { try entities(Series.self) }

  /// All category rules in the order of their recording.
  ///
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  public func rules() throws -> [CategoryRule] { try entities(CategoryRule.self) }

  /// All saved mappings in the order of their recording.
  ///
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  public func mappings() throws -> [SavedMapping] { try entities(SavedMapping.self) }

  /// All balance assertions in the order of their recording.
  ///
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  public func assertions() throws -> [BalanceAssertion] { try entities(BalanceAssertion.self) }
}
