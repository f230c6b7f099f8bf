public import DaybookEntities
internal import DaybookJournal
internal import DaybookLMDB

/// The state that a decision reads and the changes that it makes.
///
/// A decision sees all earlier commits and its own changes. If it throws, its changes are
/// discarded. Not `Sendable`: a decision may use it only during its call, on the thread of the
/// journal's stage.
///
/// The context is an overlay on a snapshot of the views: it adds the accepted changes that the
/// snapshot lacks. It exists for one lease, the period during which `WRITER` is locked. Each batch
/// replaces the snapshot with a newer one.
public final class DecisionContext {
  /// A change of the current layer, and the entity's previous pending change.
  private struct Undo {
    let change: Int
    let before: UInt32
  }

  private let host: WriterState
  private let clusterTags: ClusterTags
  private var snapshot: DecisionSnapshot?
  /// For each changed entity, the ordinal of its newest pending change.
  private var newest: [EntityKey: UInt32] = [:]
  /// The entities that were read from State and have no pending changes.
  private var read: [EntityKey: StoredEntity] = [:]
  /// The layer's changes to entities that already had a pending change.
  ///
  /// Dropping other changes requires no restoring.
  private var undo: [Undo] = []
  private var nextNumbers: [UInt64?] = Array(repeating: nil, count: 256)
  private var numbersBefore: [(kind: Int, next: UInt64?)] = []
  private var journal: JournalWriter?
  /// Whether the shared log assigns recording numbers, or `nil` if this is not known yet.
  private var isShared: Bool?
  /// The sequence of each pending commit, and the ordinal after the commit's last change.
  private var commitEnds: [(sequence: UInt64, end: UInt32)] = []

  /// The changes that the projections' tables lack, oldest first.
  ///
  /// They begin with the changes accepted before this decision and end with the decision's own
  /// changes.
  public private(set) var pendingChanges: [Change] = []
  /// The ordinal of the first pending change.
  ///
  /// Ordinals increase and wrap around.
  package private(set) var firstOrdinal: UInt32 = 0
  /// Notified when pending changes are dropped.
  package weak var follower: (any PendingFollower)?
  private var layerStart = 0

  init(host: WriterState, clusterTags: ClusterTags) {
    self.host = host
    self.clusterTags = clusterTags
  }

  /// The ordinal of the next pending change.
  package var nextOrdinal: UInt32 {
    firstOrdinal &+ UInt32(truncatingIfNeeded: pendingChanges.count)
  }

  private static let ended = ProjectingError(
    .closed, "A decision's context was used after the decision had ended.")

  func withSnapshot<R>(_ body: (DecisionSnapshot) throws -> R) throws -> R {
    guard let snapshot else { throw DecisionContext.ended }
    return try body(snapshot)
  }

  // MARK: Reading

  /// Returns the current record of an entity, including this decision's own changes.
  public func entity(_ kind: EntityKind, _ id: EntityID) throws -> StoredEntity? {
    let key = EntityKey(kind, id)
    if let change = newest[key] { return entity(after: change) }
    if let entity = read[key] { return entity }
    // Missing entities are not cached, because most are looked up only once, such as the id of a
    // new entity or the fingerprint of an imported row.
    guard let entity = try withSnapshot({ try $0.entity(kind, id) }) else { return nil }
    read[key] = entity
    return entity
  }

  private func entity(after ordinal: UInt32) -> StoredEntity? {
    let change = pendingChanges[Int(ordinal &- firstOrdinal)]
    return change.after.map { StoredEntity(id: change.id, number: change.number, record: $0) }
  }

  /// Calls `body` with every current entity of a kind, in no particular order.
  ///
  /// All of these entities are held in memory, so use this method only for kinds with few entities.
  ///
  /// - Complexity: O(entities of the kind + pending changes).
  public func forEachEntity(
    _ kind: EntityKind, _ body: (StoredEntity) throws -> Void
  ) throws {
    let changed = Set(pendingChanges.lazy.filter { $0.kind == kind }.map(\.id))
    var stored: [StoredEntity] = []
    try withSnapshot { snapshot in
      try snapshot.withView { view in
        try snapshot.store.forEachEntity(kind, in: view) {
          if !changed.contains($0.id) { stored.append($0) }
        }
      }
    }
    for id in changed {
      if let change = newest[EntityKey(kind, id)], let entity = entity(after: change) {
        stored.append(entity)
      }
    }
    for entity in stored { try body(entity) }
  }

  /// Calls `body` with the tables of projections, which lack the pending changes.
  ///
  /// Collect candidates from both the tables and ``pendingChanges``, and then look up the current
  /// record of each candidate.
  public func withCommittedTables<R>(
    of projection: any Projection.Type, _ body: (CommittedTables, ProjectionHandle) throws -> R
  ) throws -> R {
    try withSnapshot { try body(CommittedTables(snapshot: $0), $0.handle(of: projection)) }
  }

  // MARK: Deciding

  /// Records a change to one entity.
  ///
  /// - Throws: ``ProjectingError`` with `staleDecision` if `change.before` is not the entity's
  ///   current record or `change.number` is not its recording number; a decoding fault if the
  ///   record's cluster cannot be read.
  public func apply(_ change: Change) throws {
    let key = EntityKey(change.kind, change.id)
    let known = newest[key]
    let current =
      if let known { entity(after: known) } else {
        try read[key] ?? withSnapshot { try $0.entity(change.kind, change.id) }
      }
    guard current?.record == change.before else {
      throw ProjectingError(
        .staleDecision,
        "A decision didn't start from the current value of entity \(change.id) of kind "
          + "\(change.kind.rawValue). This is a bug in the program; nothing was written.")
    }
    if let current, current.number != change.number {
      throw ProjectingError(
        .staleDecision, "A decision changed the recording number of entity \(change.id).")
    }
    // The views could not store a record whose position in State cannot be determined.
    if let after = change.after {
      _ = try StateTable.cluster(of: after, tag: clusterTags[change.kind])
    }
    if let known { undo.append(Undo(change: pendingChanges.count, before: known)) }
    newest[key] = nextOrdinal
    pendingChanges.append(change)
  }

  /// Reserves capacity for additional changes.
  ///
  /// Use it before many changes, so that the arrays are not copied repeatedly as they grow.
  public func expect(changeCount: Int) {
    let wanted = pendingChanges.count + changeCount
    if wanted <= pendingChanges.capacity { return }
    // At least doubling the capacity keeps many small reservations cheap.
    let room = max(wanted, 2 * pendingChanges.capacity)
    pendingChanges.reserveCapacity(room)
    newest.reserveCapacity(room)
  }

  /// Assigns and returns the next recording number for a new entity of a kind.
  ///
  /// - Throws: ``ProjectingError`` with `limit` if the kind has no numbers left.
  public func nextNumber(_ kind: EntityKind) throws -> UInt64 {
    let index = Int(kind.rawValue)
    guard let journal else { throw DecisionContext.ended }
    let next = nextNumbers[index] ?? journal.nextNumber(kind)
    guard next < StatePosition.greatest.number else {
      throw ProjectingError(.limit, "Kind \(index) has no recording numbers left.")
    }
    if !numbersBefore.contains(where: { $0.kind == index }) {
      numbersBefore.append((index, nextNumbers[index]))
    }
    nextNumbers[index] = next + 1
    return next
  }

  /// Returns the recording number for an entity that is about to be inserted.
  ///
  /// - Parameter former: The entity's former number, if a deleted entity is restored.
  /// - Returns: `former`, or the next number if `former` is `nil` or may belong to another entity
  ///   by now. In a shared ledger, a number that the shared log has assigned to the entity takes
  ///   precedence.
  public func number(
    ofInserted kind: EntityKind, _ id: EntityID, former: UInt64?
  ) throws -> UInt64 {
    guard let journal else { throw DecisionContext.ended }
    let isShared = try isShared ?? journal.hasConsumer(EventStore.replicaConsumer)
    self.isShared = isShared
    if isShared {
      let element = try journal.value(
        EventStore.replicaKey(kind, id) + [0, 0], of: EventStore.replicaConsumer)
      let number = try element.map { try EventStore.number(inReplicaElement: $0) } ?? 0
      if number != 0 { return number }
    }
    if let former, former < journal.reusedFrom(kind) ?? .max { return former }
    return try nextNumber(kind)
  }

  /// Returns a new id that sorts after all ids returned before it (version 7 of RFC 9562).
  public func newID() -> EntityID { host.ids.next() }

  // MARK: Memory between decisions

  /// An object that the application keeps between decisions, such as a cache of decoded entities.
  ///
  /// Check ``memoryEpoch`` before using the object, because it may be out of date.
  public var memory: AnyObject? {
    get { host.memory }
    set { host.memory = newValue }
  }

  /// A number that changes whenever ``memory`` may be out of date.
  ///
  /// It changes when another process has committed, when a batch has failed, and when a decision
  /// was dropped that had changed entities of a kind without clusters.
  public var memoryEpoch: UInt64 { host.memoryEpoch }

  // MARK: Batches (the journal's stage)

  /// Begins a batch on a newer snapshot; changes in the snapshot are no longer pending.
  func begin(_ snapshot: DecisionSnapshot, on journal: JournalWriter) {
    self.snapshot = snapshot
    self.journal = journal
    isShared = nil
    read.removeAll(keepingCapacity: true)
    for index in nextNumbers.indices where nextNumbers[index] != nil { nextNumbers[index] = nil }
    forget(through: snapshot.head.checkpoint.sequence)
  }

  /// Releases the snapshot.
  func end() {
    snapshot = nil
    journal = nil
  }

  /// Records that all pending changes belong to the given commit or to earlier ones.
  func didAppend(_ sequence: UInt64) { commitEnds.append((sequence, nextOrdinal)) }

  /// Removes the pending changes of commits that the views contain.
  private func forget(through sequence: UInt64) {
    let held = commitEnds.prefix { $0.sequence <= sequence }
    guard let end = held.last?.end else { return }
    let count = Int(end &- firstOrdinal)
    for (index, change) in pendingChanges.prefix(count).enumerated() {
      let key = EntityKey(change.kind, change.id)
      if newest[key] == firstOrdinal &+ UInt32(index) { newest[key] = nil }
    }
    pendingChanges.removeFirst(count)
    commitEnds.removeFirst(held.count)
    firstOrdinal = end
  }

  // MARK: Layers

  /// Begins the layer of a decision.
  func beginLayer() {
    layerStart = pendingChanges.count
    undo.removeAll(keepingCapacity: true)
    numbersBefore.removeAll(keepingCapacity: true)
  }

  /// The changes of the current layer.
  var layer: ArraySlice<Change> { pendingChanges[layerStart...] }

  /// The changes of the current layer as an array, which isn't copied if there is only one layer.
  var layerChanges: [Change] { layerStart == 0 ? pendingChanges : Array(layer) }

  /// Undoes all changes of the current layer.
  func dropLayer() {
    if layer.contains(where: { clusterTags[$0.kind] == nil }) { host.memoryEpoch += 1 }
    for index in pendingChanges.indices[layerStart...].reversed() {
      let key = EntityKey(pendingChanges[index].kind, pendingChanges[index].id)
      newest[key] = undo.last?.change == index ? undo.removeLast().before : nil
    }
    pendingChanges.removeSubrange(layerStart...)
    for step in numbersBefore { nextNumbers[step.kind] = step.next }
    follower?.didDrop(from: nextOrdinal)
    beginLayer()
  }
}

/// An object that maintains data derived from pending changes.
package protocol PendingFollower: AnyObject {
  /// Called when the pending changes from an ordinal on have been dropped; later changes reuse
  /// their ordinals.
  func didDrop(from ordinal: UInt32)
}
