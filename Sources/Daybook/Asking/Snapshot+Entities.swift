extension Snapshot {
  /// The ledger's settings: base currency, first day of the week, closed period.
  ///
  /// - Throws: ``DaybookError`` where the views cannot answer; see ``Snapshot``.
  /// - Complexity: O(1).
  public func settings() throws -> LedgerSettings {
    try entity(LedgerSettings.self, LedgerSettings.id) ?? LedgerSettings()
  }

  /// An account by its id, deleted ones too.
  ///
  /// The built-in ones have none.
  ///
  /// - Throws: ``DaybookError`` where the views cannot answer; see ``Snapshot``.
  /// - Complexity: O(1).
  public func account(_ id: AccountID) throws -> Account? {
    try chartOfAccounts().accountsByID[id]
  }

  /// All accounts in the order of their recording, without the built-in ones.
  ///
  /// - Parameters:
  ///   - includingClosed: Whether closed accounts are listed.
  ///   - includingDeleted: Whether deleted accounts are listed.
  /// - Throws: ``DaybookError`` where the views cannot answer; see ``Snapshot``.
  /// - Complexity: O(accounts).
  public func accounts(includingClosed: Bool = true, includingDeleted: Bool = false) throws
    -> [Account]
  {
    try chartOfAccounts().accounts.filter { account in
      account.isDeleted ? includingDeleted : includingClosed || !account.isClosed
    }
  }

  /// The account of this name, whatever its case, deleted ones left out.
  ///
  /// - Throws: ``DaybookError`` where the views cannot answer; see ``Snapshot``.
  /// - Complexity: O(accounts).
  public func account(named name: String) throws -> Account? {
    let wanted = Folding.key(name)
    return try accounts().first { Folding.key($0.name) == wanted }
  }

  /// A category by its id, built-in and deleted ones too.
  ///
  /// - Throws: ``DaybookError`` where the views cannot answer; see ``Snapshot``.
  /// - Complexity: O(1).
  public func category(_ id: CategoryID) throws -> Category? {
    try chartOfAccounts().tree[id]
  }

  /// All categories in the order of their recording, without the built-in ones.
  ///
  /// - Parameters:
  ///   - kind: Income or expense categories only.
  ///   - includingDeleted: Whether deleted categories are listed.
  /// - Throws: ``DaybookError`` where the views cannot answer; see ``Snapshot``.
  /// - Complexity: O(categories).
  public func categories(_ kind: CategoryKind? = nil, includingDeleted: Bool = false) throws
    -> [Category]
  {
    try chartOfAccounts().categories.filter { category in
      (kind == nil || category.kind == kind) && (includingDeleted || !category.isDeleted)
    }
  }

  /// The category of this name and kind below `parent`, whatever its case, deleted ones left out.
  ///
  /// - Throws: ``DaybookError`` where the views cannot answer; see ``Snapshot``.
  /// - Complexity: O(categories).
  public func category(named name: String, kind: CategoryKind, parent: CategoryID? = nil) throws
    -> Category?
  {
    let wanted = Folding.key(name)
    return try categories(kind).first {
      $0.parent == parent && Folding.key($0.name) == wanted
    }
  }

  /// A transaction by its id.
  ///
  /// - Throws: ``DaybookError`` where the views cannot answer; see ``Snapshot``.
  /// - Complexity: O(log n).
  public func transaction(_ id: TransactionID) throws -> Transaction? {
    try entity(Transaction.self, id.rawValue)
  }

  /// The currencies that the ledger defines beside those of ISO 4217, in the order of their
  /// recording.
  ///
  /// - Throws: ``DaybookError`` where the views cannot answer; see ``Snapshot``.
  public func currencyDefinitions() throws -> [CurrencyDefinition] {
    try entities(CurrencyDefinition.self)
  }

  /// The currency of this code: the ledger's own definition, or that of ISO 4217.
  ///
  /// - Throws: ``DaybookError`` where the views cannot answer; see ``Snapshot``.
  /// - Complexity: O(definitions).
  public func currency(_ code: String) throws -> Currency? {
    let defined = try currencyDefinitions().first { $0.currency.code == code }
    return defined?.currency ?? Currency.iso(code)
  }

  /// All budgets in the order of their recording.
  ///
  /// - Throws: ``DaybookError`` where the views cannot answer; see ``Snapshot``.
  public func budgets() throws -> [Budget] { try entities(Budget.self) }

  /// All recurring series in the order of their recording.
  ///
  /// - Throws: ``DaybookError`` where the views cannot answer; see ``Snapshot``.
  public func series() throws -> [Series] { try entities(Series.self) }

  /// All category rules in the order of their recording.
  ///
  /// - Throws: ``DaybookError`` where the views cannot answer; see ``Snapshot``.
  public func rules() throws -> [CategoryRule] { try entities(CategoryRule.self) }

  /// All saved mappings in the order of their recording.
  ///
  /// - Throws: ``DaybookError`` where the views cannot answer; see ``Snapshot``.
  public func mappings() throws -> [SavedMapping] { try entities(SavedMapping.self) }

  /// All balance assertions in the order of their recording.
  ///
  /// - Throws: ``DaybookError`` where the views cannot answer; see ``Snapshot``.
  public func assertions() throws -> [BalanceAssertion] {
    try entities(BalanceAssertion.self).map { stated in
      // Ledgers from before the first release say no currency: it is that of the account.
      guard stated.balance.currency.packed == 0, let found = try account(stated.account) else {
        return stated
      }
      var stated = stated
      stated.balance = Money(stated.balance.minorUnits, found.currency)
      return stated
    }
  }
}
