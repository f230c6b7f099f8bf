import DaybookEntities

extension BookkeepingState {
  /// Deletes an account according to a policy.
  ///
  /// The account's record is kept permanently with a deletion flag, because commits made on another
  /// device in the meantime may refer to it.
  mutating func delete(
    _ id: AccountID, _ policy: DeletionPolicy<AccountID>
  ) throws(Refusal) -> Outcome {
    let stored = try requiredStored(id)
    let account = stored.entity
    try releaseTerms(of: id)
    switch policy {
    case .keepRows:
      try emit(stored, account.tombstone)
      return .rows(0)
    case .withRows:
      try checkUnreferenced(account: account)
      let rows = try reading { try transactions(touching: .account(id)) }
      for row in rows { try delete(try required(row)) }
      try checkOpening(nil, before: account)
      try removeAssertions(of: id)
      try releasePayments(of: id)
      try emit(stored, account.emptyTombstone)
      return .rows(rows.count)
    case .move(let other):
      let count = try moveRows(of: account, to: other)
      try removeAssertions(of: id)
      try emit(stored, account.emptyTombstone)
      return .rows(count)
    }
  }

  /// Moves an account's transactions, opening balance, series, rules and mappings to another
  /// account, and returns the number of transactions.
  ///
  /// - Parameter isMerge: Whether the accounts are merged. If so, reconciled transactions move too,
  ///   because they still belong to the same statements.
  mutating func moveRows(
    of account: Account, to other: AccountID, isMerge: Bool = false
  ) throws(Refusal) -> Int {
    guard other != account.id else { throw Refusal.intoItself("account “\(account.name)”", other) }
    guard let heir = try usableAccount(other, []) else {
      _ = try required(other)
      return 0
    }
    guard heir.currency == account.currency else {
      throw Refusal(
        .currencyMismatch,
        "can't move the transactions of account “\(account.name)”, which is in "
          + "\(account.currency), to account “\(heir.name)”, which is in \(heir.currency); choose "
          + "an account in the same currency",
        [account.id.rawValue, other.rawValue])
    }
    try moveOpening(of: account, to: heir)
    let rows = try reading { try transactions(touching: .account(account.id)) }
    for row in rows {
      try retarget(row, .account(account.id), .account(other), heedsReconciled: !isMerge)
    }
    try movePlans(account: account.id, to: other)
    return rows.count
  }

  private mutating func moveOpening(of account: Account, to heir: Account) throws(Refusal) {
    guard account.openingBalance != 0 else { return }
    guard heir.openingBalance == 0 || heir.openingDay == account.openingDay else {
      throw Refusal(
        .inUse,
        "can't combine the opening balances of accounts “\(account.name)” and “\(heir.name)”: they "
          + "are on different days; set one of them to zero first",
        [account.id.rawValue, heir.id.rawValue])
    }
    let (sum, overflow) = account.openingBalance.addingReportingOverflow(heir.openingBalance)
    guard !overflow else {
      throw Refusal(
        .overflow,
        "the sum of the opening balances of “\(account.name)” and “\(heir.name)” is too large; "
          + "check the balances",
        [account.id.rawValue, heir.id.rawValue])
    }
    _ = try setOpening(heir.id, Money(sum, heir.currency), account.openingDay)
    // The deleted account's opening balance is removed, whether the account is closed or not.
    try checkOpening(nil, before: account)
  }

  /// Deletes a category according to a policy; the subcategories move up one level.
  mutating func delete(
    _ id: CategoryID, _ policy: DeletionPolicy<CategoryID>?
  ) throws(Refusal) -> Outcome {
    let stored = try requiredStored(id)
    let category = stored.entity
    let rows = try reading { try transactions(touching: .category(id)) }
    let children = try children(of: id)
    let chosen: DeletionPolicy<CategoryID>
    if let policy { chosen = policy } else { chosen = try defaultPolicy(category, rows.count) }
    switch chosen {
    case .keepRows:
      try emit(stored, category.tombstone)
      try put(children, below: category.parent)
      return .rows(0)
    case .withRows:
      try checkUnreferenced(category: category)
      for row in rows {
        let transaction = try required(row)
        try checkAlone(transaction.entity, id)
        try delete(transaction)
      }
      try releaseAllocations(of: id)
    case .move(let other):
      try move(rows, of: category, to: other)
    }
    try emit(stored, category.tombstone)
    try put(children, below: category.parent)
    return .rows(rows.count)
  }

  /// Moves transactions, budgets, series and rules from one category to another.
  mutating func move(
    _ rows: [TransactionID], of category: Category, to other: CategoryID
  ) throws(Refusal) {
    let id = category.id
    guard other != id else { throw Refusal.intoItself(name(id), other) }
    let heir = try usableCategory(other, category.kind, [])
    guard heir.kind == category.kind else {
      throw Refusal(
        .kind,
        "can't move the transactions of \(name(id)) to \(name(other)); choose a category of the "
          + "same kind",
        [id.rawValue, other.rawValue])
    }
    for row in rows { try retarget(row, .category(id), .category(other)) }
    try movePlans(category: id, to: other)
  }

  private mutating func defaultPolicy(
    _ category: Category, _ count: Int
  ) throws(Refusal) -> DeletionPolicy<CategoryID> {
    if let parent = category.parent { return .move(to: parent) }
    guard count == 0 else {
      throw Refusal(
        .inUse,
        "can't delete \(name(category.id)): it has \(count) transactions; choose whether to keep, "
          + "delete or move them",
        [category.id.rawValue])
    }
    return .withRows
  }

  /// Refuses to delete a split that also has a posting to another category.
  private mutating func checkAlone(
    _ transaction: Transaction, _ id: CategoryID
  ) throws(Refusal) {
    for other in transaction.categoryTargets where other != id {
      throw Refusal(
        .inUse,
        "can't delete \(transaction.title) with \(name(id)): it also belongs to \(name(other)); "
          + "change it first, or keep or move the transactions",
        [transaction.id.rawValue, other.rawValue])
    }
  }

  /// The effective children of a category.
  ///
  /// Call this before the category is deleted; afterwards, its children are read as one level
  /// higher.
  mutating func children(of id: CategoryID) throws(Refusal) -> [CategoryID] {
    try reading { try categories() }.filter { $0.parent == id }.map(\.id)
  }

  /// Moves categories below a parent or to the top level; they must not become deeper.
  mutating func put(_ children: [CategoryID], below parent: CategoryID?) throws(Refusal) {
    for child in children {
      let stored = try requiredStored(child)
      var moved = stored.entity
      moved.parent = parent
      if !moved.isDeleted { try checkFree(moved) }
      try emit(stored, moved)
    }
  }

  /// Moves a transaction's postings from one account or category to another.
  private mutating func retarget(
    _ id: TransactionID, _ from: PostingAccount, _ to: PostingAccount,
    heedsReconciled: Bool = true
  ) throws(Refusal) {
    let stored = try required(id)
    var new = stored.entity
    for index in new.postings.indices where new.postings[index].account == from {
      new.postings[index].account = to
    }
    do throws(Refusal) {
      try checkBalance(Array(new.postings))
    } catch {
      throw Refusal(
        .inUse,
        "can't merge the accounts: \(stored.entity.title) is a transfer between them and would "
          + "move nothing; delete it first",
        [id.rawValue])
    }
    if heedsReconciled {
      try checkLocks(stored.entity, new)
    } else {
      try checkOpen(new.earliestDay, "change the amounts of \(stored.entity.title)")
    }
    try follow(stored.entity, &new)
    try emit(stored, new)
  }
}

extension Account {
  /// The account as stored after a deletion that keeps its transactions.
  var tombstone: Account {
    var account = self
    account.isClosed = true
    account.isHidden = true
    account.isDeleted = true
    return account
  }

  /// The account as stored after its transactions were deleted or moved: without an opening
  /// balance.
  var emptyTombstone: Account {
    var account = tombstone
    account.openingBalance = 0
    account.openingDay = nil
    return account
  }
}

extension Category {
  /// The category as stored after its deletion.
  var tombstone: Category {
    var category = self
    category.isHidden = true
    category.isDeleted = true
    return category
  }
}

extension Refusal {
  fileprivate static func intoItself<Owner>(_ what: String, _ id: Identifier<Owner>) -> Refusal {
    Refusal(
      .inUse,
      "can't move the transactions of \(what) to itself while deleting it; choose another one",
      [id.rawValue])
  }
}
