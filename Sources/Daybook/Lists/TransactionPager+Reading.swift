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

  /// The account whose transactions are listed, with the balance after each; `nil` for all.
  public var account: AccountID? {
    get { filter.account }
    set { filter.account = newValue }
  }

  /// The category whose transactions are listed; `nil` for all.
  public var category: CategoryID? {
    get { filter.category }
    set { filter.category = newValue }
  }

  /// Whether ``category`` stands for its subcategories too.
  public var includesSubcategories: Bool {
    get { filter.includesSubcategories }
    set { filter.includesSubcategories = newValue }
  }

  /// The type of the transactions that are listed; `nil` for all.
  public var type: TransactionType? {
    get { filter.type }
    set { filter.type = newValue }
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
  func holds(_ key: TransactionKey) -> Bool {
    let position = rows.position(of: key)
    return position < rows.count && rows[position].key == key
  }
}
