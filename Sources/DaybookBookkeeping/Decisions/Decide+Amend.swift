import DaybookEntities

extension BookkeepingState {
  /// Amends a transaction: replaces the stored transaction by the amended one.
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
      if amendment.changesFigures { try amendShape(&next, amendment, old) }
      // A converted amount that was not given belongs to the old amount, account or day.
      if amendment.shape == nil, new.day != old.day || !next.hasSameBasis(as: shape) {
        next.clearComputedAmount(keeping: amendment)
      }
      if next != shape {
        let postings = try postings(for: next, on: new.day, existing: Array(old.postings))
        new.postings = SharedList(postings.keepingNotes(of: old.postings))
        new.type = try type(of: postings)
      }
    }
    if let rule = amendment.categorizedBy {
      try check(rule)
      new.categorizedBy = rule
    } else if amendment.category != nil || new.categoryTargets != old.categoryTargets {
      new.categorizedBy = nil
    }
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
        try checkKind(category, entry, old)
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
      try refuse(amendment.otherAccount ?? amendment.targetAmount, "has no receiving account", old)
      try refuse(amendment.amount, "is split into several amounts", old)
      try refuse(amendment.category, "is split over several categories", old)
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
    _ id: CategoryID, _ entry: Draft.Entry, _ old: Transaction
  ) throws(Refusal) {
    let category = try anyCategory(id)
    let kind: CategoryKind =
      entry.direction == .expense || entry.direction == .refund ? .expense : .income
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
  /// Whether the amendment sets an amount, an account or the category.
  var changesFigures: Bool {
    amount != nil || account != nil || category != nil || otherAccount != nil
      || accountAmount != nil || targetAmount != nil
  }
}

extension Draft.Shape {
  /// Whether converted amounts would be computed from the same amounts and accounts.
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

  /// Removes the converted amount, unless the amendment gives it.
  mutating func clearComputedAmount(keeping amendment: Amendment) {
    switch self {
    case .entry(var entry):
      entry.accountAmount = amendment.accountAmount
      self = .entry(entry)
    case .transfer(var transfer):
      transfer.targetAmount = amendment.targetAmount
      self = .transfer(transfer)
    case .split(var split):
      split.accountAmount = amendment.accountAmount
      self = .split(split)
    case .postings: break
    }
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
