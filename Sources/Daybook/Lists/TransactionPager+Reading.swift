extension TransactionPager {
  /// Tells that a row has come into view, which fetches the next page when an end of what is held is
  /// near, either end.
  ///
  /// What has been in view before is taken to be still, up to a page; whoever knows exactly says so
  /// with ``showing(from:to:)`` instead. A row that is not held any more is passed over.
  public func reached(_ row: TransactionRow) {
    guard let part, part.holds(row.key) else { return }
    place.reach(row.key, in: part.rows, pageSize: pageSize)
    loadAhead()
  }

  /// Tells exactly which rows are in view, from the uppermost to the lowest, which fetches the next page
  /// when an end of what is held is near.
  ///
  /// Of more than a page, the uppermost are taken to be in view.
  public func showing(from first: TransactionRow, to last: TransactionRow) {
    guard let part, part.holds(first.key), part.holds(last.key) else { return }
    place = TransactionPlace()
    place.reach(last.key, in: part.rows, pageSize: pageSize)
    place.reach(max(first.key, last.key), in: part.rows, pageSize: pageSize)
    loadAhead()
  }

  // MARK: Filters

  /// The text that is looked for; empty for none.
  public var text: String {
    get { filter.text ?? "" }
    set { filter.text = newValue.isEmpty ? nil : newValue }
  }

  /// The account whose transactions are listed, with the balance after each; `nil` for all, and for
  /// several.
  public var account: AccountID? {
    get { filter.account }
    set { filter.account = newValue }
  }

  /// The accounts whose transactions are listed, with the balance of all of them after each where they
  /// have one currency; empty for all.
  public var accounts: [AccountID] {
    get { filter.accounts }
    set { filter.accounts = newValue }
  }

  /// The category whose transactions are listed; `nil` for all, and for several.
  public var category: CategoryID? {
    get { filter.category }
    set { filter.category = newValue }
  }

  /// The categories whose transactions are listed; empty for all.
  public var categories: [CategoryID] {
    get { filter.categories }
    set { filter.categories = newValue }
  }

  /// Whether transactions are listed that have no category yet, alone or besides those of
  /// ``categories``.
  public var isUncategorized: Bool {
    get { filter.isUncategorized }
    set { filter.isUncategorized = newValue }
  }

  /// Whether ``categories`` stand for their subcategories too.
  public var includesSubcategories: Bool {
    get { filter.includesSubcategories }
    set { filter.includesSubcategories = newValue }
  }

  /// The type of the transactions that are listed; `nil` for all.
  public var type: TransactionType? {
    get { filter.type }
    set { filter.type = newValue }
  }

  /// How far the transactions that are listed have been checked; `nil` for all.
  public var status: Status? {
    get { filter.status }
    set { filter.status = newValue }
  }

  /// The amounts that are listed; empty for all.
  public var amounts: [AmountRange] {
    get { filter.amounts }
    set { filter.amounts = newValue }
  }

  /// What the payees of the transactions that are listed hold; empty for all.
  public var payee: String {
    get { filter.payee ?? "" }
    set { filter.payee = newValue.isEmpty ? nil : newValue }
  }

  /// Whether ``payee`` is the whole payee, and not a part of it.
  public var matchesWholePayee: Bool {
    get { filter.matchesWholePayee }
    set { filter.matchesWholePayee = newValue }
  }

  /// The tags that the transactions that are listed have, all of them; empty for all.
  public var tags: [String] {
    get { filter.tags }
    set { filter.tags = newValue }
  }

  /// The currency of the transactions that are listed; `nil` for all.
  public var currency: Currency? {
    get { filter.currency }
    set { filter.currency = newValue }
  }

  /// The days that are listed, half-open; `nil` for all.
  public var days: Range<Day>? {
    get { filter.days }
    set { filter.days = newValue }
  }
}

extension ListPart {
  /// Whether a row is one of these.
  func holds(_ key: TransactionPosition) -> Bool {
    let position = rows.position(of: key)
    return position < rows.count && rows[position].key == key
  }
}
