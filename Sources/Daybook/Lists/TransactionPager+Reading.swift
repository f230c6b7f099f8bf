extension TransactionPager {
  /// Reports that a row has come into view; near either end of the loaded rows, loads the next
  /// page.
  ///
  /// The pager assumes that rows reported earlier are still visible, up to a page of rows. If you
  /// know the exact visible range, call ``showing(from:to:)`` instead. A row that is no longer
  /// loaded is ignored.
  public func reached(_ row: TransactionRow) {
    guard let part, part.holds(row.key) else { return }
    place.reach(row.key, in: part.rows, pageSize: pageSize)
    loadAhead()
  }

  /// Reports the exact range of visible rows; near either end of the loaded rows, loads the next
  /// page.
  ///
  /// If the range is longer than a page, only its uppermost page counts as visible.
  public func showing(from first: TransactionRow, to last: TransactionRow) {
    guard let part, part.holds(first.key), part.holds(last.key) else { return }
    place = TransactionPlace()
    place.reach(last.key, in: part.rows, pageSize: pageSize)
    place.reach(max(first.key, last.key), in: part.rows, pageSize: pageSize)
    loadAhead()
  }

  // MARK: Filters

  /// The text to search for; empty for none.
  public var text: String {
    get { filter.text ?? "" }
    set { filter.text = newValue.isEmpty ? nil : newValue }
  }

  /// The account whose transactions are listed, each with the account's balance after it.
  ///
  /// It is `nil` if all accounts, or more than one, are listed.
  public var account: AccountID? {
    get { filter.account }
    set { filter.account = newValue }
  }

  /// The accounts whose transactions are listed; empty for all.
  ///
  /// If they have the same currency, each row shows their total balance after it.
  public var accounts: [AccountID] {
    get { filter.accounts }
    set { filter.accounts = newValue }
  }

  /// The category whose transactions are listed; `nil` if all, or more than one, are listed.
  public var category: CategoryID? {
    get { filter.category }
    set { filter.category = newValue }
  }

  /// The categories whose transactions are listed; empty for all.
  public var categories: [CategoryID] {
    get { filter.categories }
    set { filter.categories = newValue }
  }

  /// Whether to list uncategorised transactions, in addition to those in ``categories``, if any.
  public var isUncategorized: Bool {
    get { filter.isUncategorized }
    set { filter.isUncategorized = newValue }
  }

  /// Whether ``categories`` includes their subcategories.
  public var includesSubcategories: Bool {
    get { filter.includesSubcategories }
    set { filter.includesSubcategories = newValue }
  }

  /// The type of the listed transactions; `nil` for all.
  public var type: TransactionType? {
    get { filter.type }
    set { filter.type = newValue }
  }

  /// The status of the listed transactions; `nil` for all.
  public var status: Status? {
    get { filter.status }
    set { filter.status = newValue }
  }

  /// The amounts of the listed transactions; empty for all.
  public var amounts: [AmountRange] {
    get { filter.amounts }
    set { filter.amounts = newValue }
  }

  /// A text that is contained in the payees of the listed transactions; empty for all.
  public var payee: String {
    get { filter.payee ?? "" }
    set { filter.payee = newValue.isEmpty ? nil : newValue }
  }

  /// Whether ``payee`` must match the whole payee instead of a part of it.
  public var matchesWholePayee: Bool {
    get { filter.matchesWholePayee }
    set { filter.matchesWholePayee = newValue }
  }

  /// The tags that every listed transaction must have; empty for all.
  public var tags: [String] {
    get { filter.tags }
    set { filter.tags = newValue }
  }

  /// The currency of the listed transactions; `nil` for all.
  public var currency: Currency? {
    get { filter.currency }
    set { filter.currency = newValue }
  }

  /// The days of the listed transactions, half-open; `nil` for all.
  public var days: Range<Day>? {
    get { filter.days }
    set { filter.days = newValue }
  }
}

extension ListPart {
  /// Returns whether a row with the given key is in the part.
  func holds(_ key: TransactionPosition) -> Bool {
    let position = rows.position(of: key)
    return position < rows.count && rows[position].key == key
  }
}
