import DaybookEntities

extension BookkeepingState {
  /// Records a draft.
  mutating func record(_ draft: Draft) throws(Refusal) -> Outcome {
    let transaction = try ruled(transaction(of: draft))
    try checkOpen(transaction.earliestDay, "record \(transaction.title)")
    try emit(
      .transaction, transaction.entityID, number: nil, nil, transaction.record())
    return .transaction(transaction.id)
  }

  /// Builds the transaction of a draft and checks everything except the closed period.
  ///
  /// - Parameter existing: The transaction's previous postings, whose accounts and categories may
  ///   be closed or deleted.
  mutating func transaction(
    of draft: Draft, existing: [Posting] = []
  ) throws(Refusal) -> Transaction {
    try check(draft.day, "the day \(draft.day) of “\(draft.description.excerpt)”")
    var transaction = Transaction(
      id: draft.id ?? .unassigned, day: draft.day, type: .expense, details: draft.details,
      postings: [], importIdentity: draft.importIdentity, series: draft.series?.series,
      occurrence: draft.series?.occurrence, categorizedBy: draft.categorizedBy)
    try check(transaction, of: "the transaction")
    let postings = try postings(for: draft.shape, on: draft.day, existing: existing)
    if let link = draft.series { try check(link, for: nil) }
    if let rule = draft.categorizedBy { try check(rule) }
    if let identity = draft.importIdentity {
      try check(
        identity.reference, "the import reference", max: Limits.referenceByteCountMax)
    }
    transaction.id = try freshID(draft.id)
    transaction.type = try type(of: postings)
    transaction.postings = SharedList(postings)
    transaction.isConverted =
      postings.isExchange && draft.shape.isConverted(asPostings: draft.isConverted)
    return transaction
  }

  /// Returns the given id if no entity of its kind has it yet, or a new id.
  @inline(__always)
  mutating func freshID<Entity: LedgerEntity>(
    _ id: Identifier<Entity>?
  ) throws(Refusal) -> Identifier<Entity> {
    guard let id, id != .unassigned else { return Identifier(newID()) }
    guard !id.isBuiltin || Entity.kind == .transaction else {
      throw Refusal(
        .builtin, "the id \(id) belongs to a built-in entity; leave out the id to get a new one",
        [id.rawValue])
    }
    guard try reading({ try record(Entity.kind, id.rawValue) }) == nil else {
      throw Refusal(
        .duplicateID,
        "the id \(id) is already in use; leave out the id to get a new one",
        [id.rawValue])
    }
    return id
  }

  /// Deletes a transaction.
  mutating func delete(_ id: TransactionID) throws(Refusal) -> Outcome {
    try delete(try required(id))
    return .transaction(id)
  }

  /// Deletes a transaction unless it is locked.
  ///
  /// The transaction of its due date is not generated again.
  mutating func delete(_ stored: Stored<Transaction>) throws(Refusal) {
    try remove(stored)
    if stored.entity.entityID.isNamed { try mark(stored.entity.entityID) }
    if let link = stored.entity.seriesLink { try markSkipped(link) }
  }

  /// Removes a transaction unless it is locked, and marks it as deleted if it was imported.
  ///
  /// - Parameter leavesMark: Whether later imports leave the row out.
  mutating func remove(
    _ stored: Stored<Transaction>, leavesMark: Bool = true
  ) throws(Refusal) {
    let old = stored.entity
    guard old.status != .reconciled else {
      throw Refusal(
        .reconciled,
        "can't delete \(old.title): it is reconciled; unreconcile it first", [old.id.rawValue])
    }
    try checkOpen(old.earliestDay, "delete \(old.title)")
    if let identity = old.importIdentity {
      if !old.isOfFile {
        if let original = identity.original { try count(original, of: identity, changed: -1) }
        if leavesMark {
          try count(identity.original ?? fingerprint(of: old), of: identity, deleted: 1)
        }
      }
      if leavesMark, old.isOfFile || identity.isReferenced {
        try mark(old.entityID)
      }
    }
    try emit(stored, nil)
  }

  /// Sets the status of transactions to reconciled or cleared.
  mutating func reconcile(_ ids: [TransactionID], _ status: Status) throws(Refusal) -> Outcome {
    guard ids.count <= Limits.reconcileCountMax else {
      throw Refusal(
        .limit,
        "can't change \(ids.count) transactions in one command: the limit is "
          + "\(Limits.reconcileCountMax); divide them among several commands"
      )
    }
    var count = 0
    for id in ids {
      let stored = try required(id)
      let isReconciled = stored.entity.status == .reconciled
      guard isReconciled != (status == .reconciled) else { continue }
      var changed = stored.entity
      changed.status = status
      try emit(stored, changed)
      count += 1
    }
    return .rows(count)
  }
}
