public import Entities
internal import Journal
internal import LMDB

/// What a decision stands on: State as of the last accepted command, and room for what it decides.
///
/// A decision sees its own changes at once. If it throws, they are dropped without a trace. Not
/// `Sendable`: it is lent to a decision on the thread of the journal's stage and must not be kept.
///
/// It is an overlay on a snapshot of the views: what was accepted and is not in these yet. It lives as long as
/// `WRITER` is held, and each batch gives it a newer snapshot.
public final class DecisionContext {
  /// Which of the pending changes an entity's newest was before one of the layer's.
  private struct Undo {
    let change: Int
    let before: UInt32
  }

  private let host: WriterState
  private let clusterTags: ClusterTags
  private var snapshot: DecisionSnapshot?
  /// Of each entity that was changed, the ordinal of its newest pending change.
  private var newest: [EntityKey: UInt32] = [:]
  /// What was read of State and not changed, for those that are there.
  private var read: [EntityKey: StoredEntity] = [:]
  /// Only of what the layer changes again: what it changes first had nothing before.
  private var undo: [Undo] = []
  private var nextNumbers: [UInt64?] = Array(repeating: nil, count: 256)
  private var numbersBefore: [(kind: Int, next: UInt64?)] = []
  private var journal: JournalWriter?
  /// Whether the log that the store shares decides recording numbers; `nil` as long as nobody asked.
  private var isShared: Bool?
  /// Up to which ordinal each commit of the pending ones goes.
  private var commitEnds: [(sequence: UInt64, end: UInt32)] = []

  /// What the tables of projections lack: what was accepted before this decision, oldest first, and then this
  /// decision's own changes.
  public private(set) var pendingChanges: [Change] = []
  /// The ordinal of the first pending change; ordinals count on, round the end if need be.
  package private(set) var firstOrdinal: UInt32 = 0
  /// Hears of pending changes that are dropped.
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

  /// The current record of an entity, this decision's own changes included.
  public func entity(_ kind: EntityKind, _ id: EntityID) throws -> StoredEntity? {
    let key = EntityKey(kind, id)
    if let change = newest[key] { return entity(after: change) }
    if let entity = read[key] { return entity }
    // What is not there is mostly asked for once: an id that is about to be given, the fingerprint of a row.
    guard let entity = try withSnapshot({ try $0.entity(kind, id) }) else { return nil }
    read[key] = entity
    return entity
  }

  private func entity(after ordinal: UInt32) -> StoredEntity? {
    let change = pendingChanges[Int(ordinal &- firstOrdinal)]
    return change.after.map { StoredEntity(id: change.id, number: change.number, record: $0) }
  }

  /// Gives every current entity of a kind to `body`, in no particular order.
  ///
  /// All of them are held in memory meanwhile, so this is for kinds of which there are few.
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

  /// Reads the tables of projections, which lack the pending changes.
  ///
  /// Merge what they say with ``pendingChanges``: take candidates from both, and look each up anew.
  public func withCommittedTables<R>(
    of projection: any Projection.Type, _ body: (CommittedTables, ProjectionHandle) throws -> R
  ) throws -> R {
    try withSnapshot { try body(CommittedTables(snapshot: $0), $0.handle(of: projection)) }
  }

  // MARK: Deciding

  /// Records what the decision decides for one entity.
  ///
  /// - Throws: ``ProjectingError`` of code `staleDecision` where `change.before` is not the
  ///   entity's current record; a fault of decoding where State cannot read its cluster out of the record.
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
        "A decision took another value for the current one of entity \(change.id) of kind "
          + "\(change.kind.rawValue). This is a fault of the program; nothing was written.")
    }
    if let current, current.number != change.number {
      throw ProjectingError(
        .staleDecision, "A decision changed the recording number of entity \(change.id).")
    }
    // The views could not take a record of which State cannot tell the place.
    if let after = change.after {
      _ = try StateTable.cluster(of: after, tag: clusterTags[change.kind])
    }
    if let known { undo.append(Undo(change: pendingChanges.count, before: known)) }
    newest[key] = nextOrdinal
    pendingChanges.append(change)
  }

  /// Makes room for so many changes: room that grows by and by is had, filled and copied several times.
  public func expect(changeCount: Int) {
    let wanted = pendingChanges.count + changeCount
    if wanted <= pendingChanges.capacity { return }
    // At least twice as much as before, as many small expectations as there may be.
    let room = max(wanted, 2 * pendingChanges.capacity)
    pendingChanges.reserveCapacity(room)
    newest.reserveCapacity(room)
  }

  /// The recording number for a new entity of a kind; each call gives the next.
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

  /// The recording number for an entity that is inserted.
  ///
  /// - Parameter former: the number that it had, where it was there before and comes back.
  /// - Returns: `former`, or the next one. In a store that shares a log, the log's number where it knows the entity, and
  ///   the next one where `former` may be another entity's by now.
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

  /// A new id that sorts after those made before it (version 7 of RFC 9562).
  public func newID() -> EntityID { host.ids.next() }

  // MARK: Memory between decisions

  /// Whatever the application wants to keep between decisions, such as decoded entities.
  ///
  /// Compare ``memoryEpoch`` before relying on it.
  public var memory: AnyObject? {
    get { host.memory }
    set { host.memory = newValue }
  }

  /// Changes whenever something happened that decisions did not do: another process committed, a
  /// decision with changes to entities without a cluster was dropped, a batch failed.
  public var memoryEpoch: UInt64 { host.memoryEpoch }

  // MARK: Batches (the journal's stage)

  /// Begins a batch on newer views: what these hold is not pending any more.
  func begin(_ snapshot: DecisionSnapshot, on journal: JournalWriter) {
    self.snapshot = snapshot
    self.journal = journal
    isShared = nil
    read.removeAll(keepingCapacity: true)
    for index in nextNumbers.indices where nextNumbers[index] != nil { nextNumbers[index] = nil }
    forget(through: snapshot.head.checkpoint.sequence)
  }

  /// Lets go of the views.
  func end() {
    snapshot = nil
    journal = nil
  }

  /// Notes that everything pending belongs to this commit or an earlier one.
  func didAppend(_ sequence: UInt64) { commitEnds.append((sequence, nextOrdinal)) }

  /// Forgets the changes of commits that the views hold.
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

  /// Starts a decision's layer.
  func beginLayer() {
    layerStart = pendingChanges.count
    undo.removeAll(keepingCapacity: true)
    numbersBefore.removeAll(keepingCapacity: true)
  }

  /// The changes of the current layer.
  var layer: ArraySlice<Change> { pendingChanges[layerStart...] }

  /// The same as an array, without a copy where it is the only layer.
  var layerChanges: [Change] { layerStart == 0 ? pendingChanges : Array(layer) }

  /// Takes back everything the current layer did.
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

/// Keeps something that is made from pending changes.
package protocol PendingFollower: AnyObject {
  /// The changes from an ordinal on have been dropped; others get these ordinals.
  func didDrop(from ordinal: UInt32)
}
