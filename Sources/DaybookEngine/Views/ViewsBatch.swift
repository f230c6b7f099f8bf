internal import DaybookEntities
internal import DaybookJournal
internal import DaybookLMDB

/// A write transaction on the views; it writes State first, and then every projection.
///
/// If the batch is dropped without a commit, nothing is written. Not `Sendable`: it stays on the
/// thread that began it.
final class ViewsBatch: StateReading {
  let store: ViewsStore
  private let clusterTags: ClusterTags
  private let numbers: NumberCache
  private let memo = ChangeMemo()
  let projectors: [ProjectorCore]
  /// The projectors that receive every change, that is, all except derived projections.
  private let fed: [ProjectorCore]
  private var transaction: WriteTransaction?
  private var pending = StateBuffer()
  /// Whether changes are pending.
  ///
  /// This flag is checked first, because accessing `pending`, a structure in a class, copies it.
  private var isPending = false
  /// The kinds, tables and statuses that the batch changes, for observers.
  private(set) var changed: Set<ChangeTag> = []
  private var lastKind: EntityKind?

  init(
    _ store: ViewsStore, clusterTags: ClusterTags, numbers: NumberCache, projectors: [ProjectorCore]
  ) throws {
    self.store = store
    self.clusterTags = clusterTags
    self.numbers = numbers
    self.projectors = projectors
    fed = projectors.filter { $0.derived == nil }
    transaction = try store.environment.beginWrite()
  }

  /// Calls `body` with the transaction.
  ///
  /// The transaction is removed from this object during the call, so that nothing else can use it.
  ///
  /// - Throws: ``ProjectingError`` with `closed` if the batch has ended, or if the call is made
  ///   from the `body` of another call.
  @inline(__always)
  func withTransaction<R>(_ body: (inout WriteTransaction) throws -> R) throws -> R {
    guard var held = transaction.take() else {
      throw ProjectingError(
        .closed,
        "The batch on the views has ended, or a query was made within another query's closure. "
          + "Collect first, then look up.")
    }
    do {
      let result = try body(&held)
      transaction = consume held
      return result
    } catch {
      transaction = consume held
      throw error
    }
  }

  /// Returns the head of the views, including their checkpoint.
  func head() throws -> ViewsHead { try withTransaction { try store.head(in: $0.view) } }

  /// Passes the stored statuses of the projections to the projectors; must be called before changes
  /// are applied.
  func tellStatuses() throws {
    try withTransaction { try store.tellStatuses(to: projectors, in: $0.view) }
  }

  // MARK: Reading State

  func number(of id: EntityID, kind: EntityKind) throws -> UInt64? {
    try numbers.number(of: id, kind: kind) {
      try withTransaction {
        try pending.position(of: id, kind: kind, store.state, in: $0.view)?.number
      }
    }
  }

  func record(of id: EntityID, kind: EntityKind) throws -> Record? {
    try entity(kind, id)?.record
  }

  func entity(_ kind: EntityKind, _ id: EntityID) throws -> StoredEntity? {
    try withTransaction {
      isPending
        ? try pending.entity(kind, id, store.state, in: $0.view)
        : try store.state.entity(kind, id: id, in: $0.view)
    }
  }

  // MARK: Applying

  /// Applies one change to State and the projections.
  func apply(_ change: Change) throws {
    let clusterTag = clusterTags[change.kind]
    // Consecutive changes usually have the same kind.
    if change.kind != lastKind { changed.insert(.kind(change.kind)) }
    lastKind = change.kind
    isPending = true
    try pending.apply(change, clusterTag: clusterTag)
    if StateBuffer.hasParts(change) {
      try withTransaction { try pending.putParts(of: change, store.state, in: &$0) }
    }
    memo.begin()
    let projected = ProjectedChange(
      kind: change.kind, id: change.id, number: change.number, before: change.before,
      after: change.after, memo: memo)
    for projector in fed { projector.apply(projected, reading: self) }
    if change.after == nil { numbers.forget(change.id, kind: change.kind) }
  }

  /// Writes the projections' collected differences and the checkpoint, and commits.
  ///
  /// - Parameters:
  ///   - checkpoint: The checkpoint after the last applied commit.
  ///   - previous: The checkpoint of the views before the batch.
  func commit(at checkpoint: Checkpoint, after previous: Checkpoint) throws {
    try prepare(at: checkpoint, after: previous)
    try finish(at: checkpoint)
  }

  /// Does everything in ``commit(at:after:)`` except the commit itself.
  ///
  /// Readers can't see anything yet, and the batch can still be dropped.
  func prepare(at checkpoint: Checkpoint, after previous: Checkpoint) throws {
    try pending.write(to: self)
    isPending = false
    for (position, projector) in projectors.enumerated() where projector.derived == nil {
      changed.formUnion(
        try projector.write(store.registered[position], previous: previous, to: self))
    }
    try seal(at: checkpoint, after: previous)
  }

  /// Updates the derived projections from the tables written so far, and writes the checkpoint.
  private func seal(at checkpoint: Checkpoint, after previous: Checkpoint) throws {
    for (position, projector) in projectors.enumerated() where projector.derived != nil {
      projector.settle(self) { try checkSources(ofProjectionAt: position) }
      changed.formUnion(
        try projector.write(store.registered[position], previous: previous, to: self))
    }
    for projector in projectors { projector.discard() }
    try withTransaction { transaction in
      if try markUnknownProjections(behind: previous, in: &transaction) {
        changed.insert(.statuses)
      }
      try store.mark(changed, at: checkpoint, after: previous, in: &transaction)
      let areAllCurrent = projectors.allSatisfy { $0.fault == nil }
      let digest = areAllCurrent ? store.registeredDigest : 0
      try store.put(ViewsHead(checkpoint, currentDigest: digest), into: &transaction)
    }
  }

  /// Commits a prepared batch.
  func finish(at checkpoint: Checkpoint) throws {
    guard let ending = transaction.take() else { return }
    try ending.commit()
    for projector in projectors { projector.publish(checkpoint) }
  }

  /// Ends the batch without writing anything.
  func abort() { transaction = nil }

  /// Marks projections as behind if this process doesn't have them, or has another version of them.
  ///
  /// A process with the right version then brings the projection up to date.
  ///
  /// - Returns: Whether a projection was marked.
  private func markUnknownProjections(
    behind previous: Checkpoint, in transaction: inout WriteTransaction
  ) throws -> Bool {
    let prefix = ViewsStore.statusPrefix
    var marks: [(key: [UInt8], value: [UInt8])] = []
    try transaction.view.forEach(in: store.meta, prefix: prefix.span.bytes) { key, value in
      let name = key.copied()
      var status = try ProjectionStatus(value)
      let isOurs = store.registered.contains {
        $0.statusKey == name && $0.version == status.version
      }
      if isOurs { return true }
      guard status.condition == .current else { return true }
      status.condition = .behind
      status.since = previous.sequence
      marks.append((name, status.bytes))
      return true
    }
    for mark in marks { try transaction.put(mark.key, mark.value, in: store.meta) }
    return !marks.isEmpty
  }
}

extension ViewsBatch {
  /// Calls `body` with every entity of a kind as of the end of the batch, for derived projections.
  func forEachEntity(_ kind: EntityKind, _ body: (StoredEntity) throws -> Void) throws {
    try withTransaction { try store.forEachEntity(kind, in: $0.view, body) }
  }
}
