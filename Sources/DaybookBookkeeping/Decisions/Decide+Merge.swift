import DaybookEntities

// Merging two accounts or categories that were created twice, by mistake or on two devices.

extension BookkeepingState {
  /// Moves everything from one account to another, and marks the first one as deleted.
  mutating func merge(_ id: AccountID, into other: AccountID) throws(Refusal) -> Outcome {
    let stored = try requiredStored(id)
    let account = stored.entity
    try checkStatements(of: account, and: other)
    try releaseTerms(of: id)
    let count = try moveRows(of: account, to: other, isMerge: true)
    try moveAssertions(of: id, to: other)
    try emit(stored, account.emptyTombstone)
    try moveIdentifiers(of: account, to: other)
    return .rows(count)
  }

  /// Refuses to merge two accounts that both have balance assertions, because these don't apply to
  /// the merged account.
  private mutating func checkStatements(
    of account: Account, and other: AccountID
  ) throws(Refusal) {
    let stated = try all(BalanceAssertion.self).map(\.entity.account)
    guard account.id != other, stated.contains(account.id), stated.contains(other) else { return }
    throw Refusal(
      .inUse,
      "can't merge account “\(account.name)” into \(name(other)): both have stated balances, which "
        + "the merged account doesn't have; remove or add them up first",
      [account.id.rawValue, other.rawValue])
  }

  /// Moves the balance assertions from one account to another.
  private mutating func moveAssertions(
    of id: AccountID, to other: AccountID
  ) throws(Refusal) {
    for stored in try all(BalanceAssertion.self) where stored.entity.account == id {
      var assertion = stored.entity
      assertion.account = other
      try emit(stored, assertion)
    }
  }

  /// Adds the identifiers of the deleted account to the other, so that imports find it.
  private mutating func moveIdentifiers(
    of account: Account, to other: AccountID
  ) throws(Refusal) {
    let stored = try requiredStored(other)
    var heir = stored.entity
    let known = Set(heir.identifiers.map(Account.identifierKey))
    let more = account.identifiers.filter { !known.contains(Account.identifierKey($0)) }
    guard !more.isEmpty else { return }
    heir.identifiers = try checkedIdentifiers(
      heir.identifiers + more, of: heir.name, in: heir.currency, except: other)
    try emit(stored, heir)
  }

  /// Adds the identities of the deleted category to the other, so that imports find it by them.
  private mutating func moveOrigins(
    of category: Category, to other: CategoryID
  ) throws(Refusal) {
    let stored = try requiredStored(other)
    var heir = stored.entity
    let more = category.origins.filter { !heir.origins.contains($0) }
    guard !more.isEmpty, heir.origins.count + more.count <= Limits.identifierCountMax else {
      return
    }
    heir.origins += more
    try emit(stored, heir)
  }

  /// Moves everything from a category to another and flags the first as deleted.
  ///
  /// Its subcategories become subcategories of the other category. If the other category is one of
  /// them, it moves up to the merged category's level. If the other category is built in, the
  /// subcategories move up one level instead.
  mutating func merge(_ id: CategoryID, into other: CategoryID) throws(Refusal) -> Outcome {
    let stored = try requiredStored(id)
    let category = stored.entity
    let rows = try reading { try transactions(touching: .category(id)) }
    let children = try children(of: id)
    try move(rows, of: category, to: other)
    try emit(stored, category.tombstone)
    if !other.isBuiltin { try moveOrigins(of: category, to: other) }
    for child in children {
      guard child != other, !other.isBuiltin else {
        try put([child], below: category.parent)
        continue
      }
      var moved = try required(child)
      moved.parent = other
      if !moved.isDeleted { try checkAbove(moved, height: try height(of: child)) }
      try put([child], below: other)
    }
    return .rows(rows.count)
  }
}
