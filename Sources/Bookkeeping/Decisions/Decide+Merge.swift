import Entities

// Two accounts or categories that are one: what two devices opened for the same thing, or somebody by mistake.

extension BookkeepingState {
  /// Makes one account of two: everything of the first becomes the other's, and its flag says that it is deleted.
  mutating func merge(_ id: AccountID, into other: AccountID) throws(Refusal) -> Outcome {
    let stored = try requiredStored(id)
    let account = stored.entity
    let count = try moveRows(of: account, to: other)
    try moveAssertions(of: id, to: other)
    try emit(stored, account.emptyTombstone)
    try moveIdentifiers(of: account, to: other)
    return .rows(count)
  }

  /// Makes what statements said about an account count for another.
  private mutating func moveAssertions(
    of id: AccountID, to other: AccountID
  ) throws(Refusal) {
    for stored in try all(BalanceAssertion.self) where stored.entity.account == id {
      var assertion = stored.entity
      assertion.account = other
      try emit(stored, assertion)
    }
  }

  /// Lets imports find an account by the numbers that the deleted one had.
  private mutating func moveIdentifiers(
    of account: Account, to other: AccountID
  ) throws(Refusal) {
    let stored = try requiredStored(other)
    var heir = stored.entity
    let known = Set(heir.identifiers.map(Account.identifierKey))
    let more = account.identifiers.filter { !known.contains(Account.identifierKey($0)) }
    guard !more.isEmpty else { return }
    heir.identifiers = try checkedIdentifiers(heir.identifiers + more, of: heir.name, except: other)
    try emit(stored, heir)
  }

  /// Makes one category of two: everything of the first becomes the other's, and its flag says that it is deleted.
  ///
  /// What is below it goes below the other. Where the other is itself below it, that one takes its place; where it is
  /// a built-in one, nothing goes below it.
  mutating func merge(_ id: CategoryID, into other: CategoryID) throws(Refusal) -> Outcome {
    let stored = try requiredStored(id)
    let category = stored.entity
    let rows = try reading { try transactions(touching: .category(id)) }
    let children = try children(of: id)
    try move(rows, of: category, to: other)
    try emit(stored, category.tombstone)
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
