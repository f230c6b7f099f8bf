import DaybookEntities

extension BookkeepingState {
  /// Removes the properties of an amendment that another writer's change overrides.
  ///
  /// A property is contested if the stored value is neither the value that the caller saw nor the
  /// wanted value.
  mutating func merged(
    _ given: Amendment, into stored: Transaction
  ) throws(Refusal) -> Amendment {
    guard let seen = given.seen else { return given }
    let policy = try reading { try settings().mergePolicy }
    if policy == .lastWriter { return given }
    let merge = Merge(policy: policy, what: stored.title, id: stored.id.rawValue)
    var amendment = given
    try merge.settle(&amendment.day, seen.day, stored.day, "day")
    amendment.details = try amendment.details.merged(into: stored.details, merge)
    try merge.settle(&amendment.series, seen.seriesLink, stored.seriesLink, "series")
    if amendment.shape != nil, seen.postings != stored.postings {
      try merge.drop(&amendment.shape, "postings")
      // Without the shape, the rule's category is not used.
      if amendment.shape == nil { amendment.categorizedBy = nil }
    }
    guard amendment.changesFigures, seen.postings != stored.postings else { return amendment }
    let parts = ShapeParts(try shape(of: Array(stored.postings), type: stored.type))
    let seenParts = ShapeParts(try shape(of: Array(seen.postings), type: seen.type))
    try merge.settle(&amendment.type, seenParts.type, parts.type, "type")
    if amendment.type == nil, given.type != nil {
      // The account and category belong to the type that isn't used.
      (amendment.account, amendment.otherAccount, amendment.category) = (nil, nil, nil)
      (amendment.accountAmount, amendment.targetAmount) = (nil, nil)
    }
    try merge.settle(&amendment.amount, seenParts.amount, parts.amount, "amount")
    try merge.settle(&amendment.account, seenParts.account, parts.account, "account")
    try merge.settle(&amendment.category, seenParts.category, parts.category, "category")
    if amendment.category == nil, given.category != nil { amendment.categorizedBy = nil }
    try merge.settle(
      &amendment.otherAccount, seenParts.otherAccount, parts.otherAccount, "receiving account")
    try merge.settle(
      &amendment.accountAmount, seenParts.otherAmount, parts.otherAmount, "account's amount")
    try merge.settle(
      &amendment.targetAmount, seenParts.otherAmount, parts.otherAmount, "received amount")
    return amendment
  }
}

/// Decides which value is kept when two writers changed the same property.
struct Merge {
  var policy: MergePolicy
  var what: String
  var id: EntityID

  /// Keeps the wanted value if it isn't contested; otherwise drops or refuses it.
  func settle<Value: Equatable>(
    _ wanted: inout Value?, _ seen: Value?, _ stored: Value?, _ property: String
  ) throws(Refusal) {
    guard let value = wanted, seen != stored, stored != value else { return }
    try drop(&wanted, property)
  }

  /// Drops or refuses a contested value, according to the policy.
  func drop<Value>(_ wanted: inout Value?, _ property: String) throws(Refusal) {
    switch policy {
    case .lastWriter: return
    case .firstWriter: wanted = nil
    case .error:
      throw Refusal(
        .conflict,
        "can't change the \(property) of \(what): it has changed in the meantime; read it again, "
          + "then retry the change",
        [id])
    }
  }
}

/// The properties of a shape that an amendment can change individually.
private struct ShapeParts {
  var type: TransactionKind?
  var amount: Money?
  var account: AccountID?
  var category: CategoryID?
  var otherAccount: AccountID?
  var otherAmount: Money?

  init(_ shape: Draft.Shape) {
    switch shape {
    case .entry(let entry):
      (amount, account, category) = (entry.amount, entry.account, entry.category)
      otherAmount = entry.accountAmount
      type = TransactionKind.allCases.first { $0.direction == entry.direction }
    case .transfer(let transfer):
      (amount, account, otherAccount) = (transfer.amount, transfer.source, transfer.target)
      otherAmount = transfer.targetAmount
      type = .transfer
    case .split(let split):
      (account, otherAmount) = (split.account, split.accountAmount)
    case .postings: break
    }
  }
}
