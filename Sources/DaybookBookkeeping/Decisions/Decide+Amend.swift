import DaybookEntities

extension BookkeepingState {
  /// Amends a transaction: replaces the stored transaction with the amended one.
  mutating func amend(
    _ id: TransactionID, _ given: Amendment
  ) throws(Refusal) -> Outcome {
    let stored = try required(id)
    let old = stored.entity
    let amendment = try merged(given, into: old)
    var new = old
    if let day = amendment.day {
      try check(day, "the day \(day) for \(old.title)")
      new.day = day
    }
    amendment.details.apply(to: &new.details)
    new.replacePayee(of: old)
    try check(new, of: old.title)
    if let link = amendment.series {
      if let link { try check(link, for: id) }
      new.series = link?.series
      new.occurrence = link?.occurrence
    }
    try amendPostings(of: &new, from: old, amendment)
    guard new.type == .transfer || old.halves.isEmpty else {
      throw Refusal(
        .shape,
        "can't make an \(new.type) of \(old.title): it was made of two transactions; unlink them "
          + "first",
        [id.rawValue])
    }
    // A bank's value day isn't the day on which a second account gets the money, nor the reverse.
    if amendment.details.valueDay == nil, new.hasOtherAccount != old.hasOtherAccount {
      new.valueDay = nil
    }
    try checkLocks(old, new)
    try checkImportedTotal(old, new, amendment)
    try follow(old, &new)
    try emit(stored, new)
    if let left = old.seriesLink, left != new.seriesLink { try markSkipped(left) }
    return .transaction(id)
  }

  private mutating func amendPostings(
    of new: inout Transaction, from old: Transaction, _ amendment: Amendment
  ) throws(Refusal) {
    if amendment.changesFigures || amendment.shape != nil || new.day != old.day {
      let shape = try shape(of: Array(old.postings), type: old.type)
      var next = amendment.shape ?? shape
      var amendment = amendment
      if let type = amendment.type {
        next = try recast(next, as: type, &amendment, old, on: new.day)
      }
      if amendment.changesFigures { try amendShape(&next, amendment, old) }
      let isGiven = amendment.accountAmount != nil || amendment.targetAmount != nil
      if amendment.shape != nil {
        if !old.isConverted { try keepConversion(of: shape, in: &next, old, on: new.day) }
      } else if !isGiven, try isOutdated(next, shape, old, amendment, on: new.day) {
        next.conversion = nil
      }
      if next != shape {
        let postings = try postings(for: next, on: new.day, existing: Array(old.postings))
        new.postings = SharedList(postings.keepingNotes(of: old.postings))
        new.type = try type(of: postings)
      }
      let isComputed = amendment.shape == nil && !isGiven && old.isConverted
      if next != shape || isGiven {
        new.isConverted =
          new.postings.isExchange
          && (isComputed || next.isConverted(asPostings: amendment.isConverted))
      }
    }
    if let rule = amendment.categorizedBy {
      try check(rule)
      new.categorizedBy = rule
    } else if amendment.category != nil || new.categoryTargets != old.categoryTargets
      || old.type == .transfer && new.postings.map(\.account) != old.postings.map(\.account)
    {
      new.categorizedBy = nil
    }
  }

  /// Whether the amount in the account's currency doesn't belong to an amended shape any more.
  ///
  /// A converted amount belongs to its amount, accounts and day. A stated one stays until a person
  /// changes it, unless the account's currency changes.
  private mutating func isOutdated(
    _ next: Draft.Shape, _ shape: Draft.Shape, _ old: Transaction, _ amendment: Amendment,
    on day: Day
  ) throws(Refusal) -> Bool {
    if old.isConverted || amendment.isOfSeries {
      return day != old.day || !next.hasSameBasis(as: shape)
    }
    guard let stated = next.conversion else { return false }
    guard let currency = try receivingCurrency(of: next) else { return true }
    return currency != stated.currency || !next.currencies.contains { $0 != currency }
  }

  /// Keeps a stated amount if a new shape only divides the same sums among other categories.
  private mutating func keepConversion(
    of shape: Draft.Shape, in next: inout Draft.Shape, _ old: Transaction, on day: Day
  ) throws(Refusal) {
    guard next.conversion == nil, var stated = shape.conversion,
      let account = shape.soleAccount, next.soleAccount == account,
      next.currencies.contains(where: { $0 != stated.currency })
    else { return }
    if shape.isOutgoingEntry != next.isOutgoingEntry {
      guard let negated = try? stated.negated() else { return }
      stated = negated
    }
    if case .entry = next, stated.minorUnits < 0 { return }
    var kept = next
    kept.conversion = stated
    let made = try postings(for: kept, on: day, existing: Array(old.postings))
    if made.sums(besides: account) == old.postings.sums(besides: account) { next = kept }
  }

  /// The currency into which a shape's amounts are exchanged; `nil` if the account takes every
  /// currency and the shape states no amount in another one.
  private mutating func receivingCurrency(of shape: Draft.Shape) throws(Refusal) -> Currency? {
    let id: AccountID?
    switch shape {
    case .entry(let entry): id = entry.account
    case .transfer(let transfer):
      id = transfer.target
      if id?.isBuiltin ?? true { return transfer.targetAmount?.currency }
    case .split(let split): id = split.account
    case .postings: return nil
    }
    guard let id, !id.isBuiltin else { return nil }
    return try required(id).currency
  }

  private mutating func amendShape(
    _ shape: inout Draft.Shape, _ amendment: Amendment, _ old: Transaction
  ) throws(Refusal) {
    switch shape {
    case .entry(var entry):
      try refuse(amendment.otherAccount ?? amendment.targetAmount, "has no receiving account", old)
      entry.amount = amendment.amount ?? entry.amount
      entry.account = amendment.account ?? entry.account
      if let category = amendment.category {
        try checkKind(category, entry.direction.kind, old)
        entry.category = category
      }
      entry.accountAmount = amendment.accountAmount ?? entry.accountAmount
      shape = .entry(entry)
    case .transfer(var transfer):
      try refuse(amendment.category, "is a transfer and has no category", old)
      try refuse(
        amendment.accountAmount, "is a transfer, whose second amount is the received amount", old)
      transfer.amount = amendment.amount ?? transfer.amount
      transfer.source = amendment.account ?? transfer.source
      transfer.target = amendment.otherAccount ?? transfer.target
      transfer.targetAmount = amendment.targetAmount ?? transfer.targetAmount
      shape = .transfer(transfer)
    case .split(var split):
      try refuse(amendment.targetAmount, "is split into several amounts", old)
      try refuse(amendment.amount, "is split into several amounts", old)
      if let category = amendment.category {
        let index = split.parts.soleIndex { $0.account == nil }
        guard let index, let present = split.parts[index].category else {
          try refuse(category, "is split over several categories", old)
          return
        }
        try checkKind(category, try anyCategory(present).kind, old)
        split.parts[index].category = category
      }
      if let other = amendment.otherAccount {
        let index = split.parts.soleIndex { $0.account != nil }
        guard let index else {
          try refuse(other, "has no single receiving account", old)
          return
        }
        split.parts[index].account = other
      }
      split.account = amendment.account ?? split.account
      split.accountAmount = amendment.accountAmount ?? split.accountAmount
      shape = .split(split)
    case .postings:
      try refuse(true, "is neither an income, an expense nor a transfer", old)
    }
  }

  private func refuse(_ value: Any?, _ why: String, _ old: Transaction) throws(Refusal) {
    if value == nil { return }
    throw Refusal(
      .shape,
      "\(old.title) \(why), so this field can't be changed alone; change the whole transaction, or "
        + "delete it and record it again",
      [old.id.rawValue])
  }

  private mutating func checkKind(
    _ id: CategoryID, _ kind: CategoryKind, _ old: Transaction
  ) throws(Refusal) {
    let category = try anyCategory(id)
    guard category.kind == kind else {
      throw Refusal(
        .kind,
        "can't move \(old.title) to \(name(id)): the transaction is of kind \(kind); choose a "
          + "category of that kind, or record the transaction again",
        [id.rawValue, old.id.rawValue])
    }
  }
}

extension Amendment {
  /// Whether the amendment sets an amount by itself.
  var setsAmount: Bool { amount != nil || accountAmount != nil || targetAmount != nil }

  /// Whether the amendment sets the type, an amount, an account or the category.
  var changesFigures: Bool {
    type != nil || amount != nil || account != nil || category != nil || otherAccount != nil
      || accountAmount != nil || targetAmount != nil
  }
}

extension Draft.Shape {
  /// Whether converted amounts are computed from the same amounts and accounts.
  func hasSameBasis(as other: Draft.Shape) -> Bool {
    switch (self, other) {
    case (.entry(let new), .entry(let old)):
      new.amount == old.amount && new.account == old.account
    case (.transfer(let new), .transfer(let old)):
      new.amount == old.amount && new.source == old.source && new.target == old.target
    case (.split(let new), .split(let old)):
      new.account == old.account
    default: true
    }
  }

  /// The amount in the account's currency, or the amount received of a transfer, if the shape states
  /// one.
  var conversion: Money? {
    get {
      switch self {
      case .entry(let entry): entry.accountAmount
      case .transfer(let transfer): transfer.targetAmount
      case .split(let split): split.accountAmount
      case .postings: nil
      }
    }
    set {
      switch self {
      case .entry(var entry):
        entry.accountAmount = newValue
        self = .entry(entry)
      case .transfer(var transfer):
        transfer.targetAmount = newValue
        self = .transfer(transfer)
      case .split(var split):
        split.accountAmount = newValue
        self = .split(split)
      case .postings: break
      }
    }
  }

  /// Returns whether an amount has to be converted at a rate to make the postings, or, for given
  /// postings, whether it was.
  func isConverted(asPostings wasConverted: Bool) -> Bool {
    if case .postings = self { wasConverted } else { conversion == nil }
  }

  /// The currencies of the amounts, without ``conversion``.
  var currencies: [Currency] {
    switch self {
    case .entry(let entry): [entry.amount.currency]
    case .transfer(let transfer): [transfer.amount.currency]
    case .split(let split): split.parts.map(\.amount.currency)
    case .postings(let postings): postings.map(\.amount.currency)
    }
  }

  /// The account of an entry or a split.
  var soleAccount: AccountID? {
    switch self {
    case .entry(let entry): entry.account
    case .split(let split): split.account
    default: nil
    }
  }

  /// Whether the amount in the account's currency leaves the account, and is stated without a sign.
  var isOutgoingEntry: Bool {
    guard case .entry(let entry) = self else { return false }
    return entry.direction == .expense || entry.direction == .incomeReversal
  }
}

extension Sequence<Posting> {
  /// Whether an amount was exchanged for another currency.
  var isExchange: Bool { contains { $0.account == .account(.exchange) } }

  /// What the categories and the other accounts gain in each currency.
  func sums(besides account: AccountID) -> [Currency: Int128] {
    var sums: [Currency: Int128] = [:]
    for posting in self
    where posting.accountID != account && posting.accountID != .exchange {
      sums[posting.amount.currency, default: 0] += Int128(posting.amount.minorUnits)
    }
    return sums
  }
}

extension Draft.Direction {
  /// The kind of the entry's category.
  var kind: CategoryKind { self == .expense || self == .refund ? .expense : .income }

  /// Whether money leaves the account.
  var isOut: Bool { self == .expense || self == .incomeReversal }
}

extension [Draft.Part] {
  /// The index of the only part that satisfies a condition; `nil` if there are none or several.
  func soleIndex(where holds: (Draft.Part) -> Bool) -> Int? {
    let found = indices.filter { holds(self[$0]) }
    return found.count == 1 ? found[0] : nil
  }
}

extension Transaction {
  /// The categories, in the order of the postings.
  var categoryTargets: [CategoryID] {
    postings.compactMap { if case .category(let id) = $0.account { id } else { nil } }
  }
}

extension [Posting] {
  /// Returns these postings with the notes of the old postings at the same positions or accounts.
  func keepingNotes(of old: SharedList<Posting>) -> [Posting] {
    guard old.contains(where: { !$0.note.isEmpty }) else { return self }
    var noted = self
    for index in noted.indices where noted[index].note.isEmpty {
      let isAligned = count == old.count
      let match = isAligned ? old[index] : old.first { $0.account == noted[index].account }
      noted[index].note = match?.note ?? ""
    }
    return noted
  }
}
