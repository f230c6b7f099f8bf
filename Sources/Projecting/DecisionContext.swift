public import Entities
internal import Journal
internal import LMDB

/// What a decision stands on: State as of the last accepted command, and room for what it decides.
///
/// A decision sees its own changes at once. If it throws, they are dropped without a trace. Not
/// `Sendable`: it is lent to a decision on the writer's thread and must not be kept.
public final class DecisionContext {
  /// Which of the pending changes an entity's newest was before one of the layer's.
  private struct Undo {
    let change: Int
    let before: UInt32
  }

  private let batch: ViewsBatch
  private let host: WriterState
  private let ahead: ChangesAhead
  /// Of each entity that was changed, which of the pending changes is its newest.
  private var newest: [EntityKey: UInt32] = [:]
  /// What was read of State and not changed, for those that are there.
  private var read: [EntityKey: StoredEntity] = [:]
  /// Only of what the layer changes again: what it changes first had nothing before.
  private var undo: [Undo] = []
  private var nextNumbers: [UInt64?] = Array(repeating: nil, count: 256)
  private var numbersBefore: [(kind: Int, next: UInt64?)] = []
  private let firstNumber: (EntityKind) throws -> UInt64

  /// What this batch has accepted before this decision, oldest first, then this decision's own.
  ///
  /// What the tables of projections say is as of before all of them.
  public private(set) var pendingChanges: [Change] = []
  private var layerStart = 0

  init(
    batch: ViewsBatch, host: WriterState, ahead: ChangesAhead,
    firstNumber: @escaping (EntityKind) throws -> UInt64
  ) {
    self.batch = batch
    self.host = host
    self.ahead = ahead
    self.firstNumber = firstNumber
  }

  // MARK: Reading

  /// The current record of an entity, this decision's own changes included.
  public func entity(_ kind: EntityKind, _ id: EntityID) throws -> StoredEntity? {
    let key = EntityKey(kind, id)
    if let change = newest[key] { return entity(after: change) }
    if let entity = read[key] { return entity }
    // What is not there is mostly asked for once: an id that is about to be given, the fingerprint of a row.
    guard let entity = try batch.storedEntity(kind, id) else { return nil }
    read[key] = entity
    return entity
  }

  private func entity(after index: UInt32) -> StoredEntity? {
    let change = pendingChanges[Int(index)]
    return change.after.map { StoredEntity(id: change.id, number: change.number, record: $0) }
  }

  /// Gives every current entity of a kind to `body`, in no particular order.
  ///
  /// All of them are held in memory meanwhile, so this is for kinds of which there are few.
  ///
  /// - Complexity: O(entities of the kind + changes of this batch).
  public func forEachEntity(
    _ kind: EntityKind, _ body: (StoredEntity) throws -> Void
  ) throws {
    let changed = Set(pendingChanges.lazy.filter { $0.kind == kind }.map(\.id))
    var stored: [StoredEntity] = []
    try batch.forEachEntity(kind) { if !changed.contains($0.id) { stored.append($0) } }
    for id in changed {
      if let change = newest[EntityKey(kind, id)], let entity = entity(after: change) {
        stored.append(entity)
      }
    }
    for entity in stored { try body(entity) }
  }

  /// Reads the tables of projections as of before this batch.
  ///
  /// Merge what they say with ``pendingChanges``.
  public func withCommittedTables<R>(
    of projection: any Projection.Type, _ body: (CommittedTables, ProjectionHandle) throws -> R
  ) throws -> R {
    try body(CommittedTables(batch: batch), batch.handle(of: projection))
  }

  // MARK: Deciding

  /// Records what the decision decides for one entity.
  ///
  /// - Throws: ``ProjectingError`` of code `staleDecision` where `change.before` is not the
  ///   entity's current record.
  public func apply(_ change: Change) throws {
    let key = EntityKey(change.kind, change.id)
    let known = newest[key]
    let current =
      if let known { entity(after: known) } else {
        try read[key] ?? batch.storedEntity(change.kind, change.id)
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
    if let known { undo.append(Undo(change: pendingChanges.count, before: known)) }
    newest[key] = UInt32(pendingChanges.count)
    pendingChanges.append(change)
    if pendingChanges.count >= ahead.nextCount { ahead.offer(pendingChanges) }
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
    let next = try nextNumbers[index] ?? firstNumber(kind)
    guard next < StatePosition.greatest.number else {
      throw ProjectingError(.limit, "Kind \(index) has no recording numbers left.")
    }
    if !numbersBefore.contains(where: { $0.kind == index }) {
      numbersBefore.append((index, nextNumbers[index]))
    }
    nextNumbers[index] = next + 1
    return next
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

  // MARK: Layers (the writer's side)

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
  func dropLayer(clusterTags: ClusterTags) {
    if layer.contains(where: { clusterTags[$0.kind] == nil }) { host.memoryEpoch += 1 }
    for index in pendingChanges.indices[layerStart...].reversed() {
      let key = EntityKey(pendingChanges[index].kind, pendingChanges[index].id)
      newest[key] = undo.last?.change == index ? undo.removeLast().before : nil
    }
    pendingChanges.removeSubrange(layerStart...)
    ahead.takeBack(to: layerStart)
    for step in numbersBefore { nextNumbers[step.kind] = step.next }
    beginLayer()
  }
}

/// The tables of projections as of before a batch, lent to a decision.
public struct CommittedTables {
  let batch: ViewsBatch

  /// Gives the rows from `from` on and before `to` to `body` until it returns false.
  ///
  /// `body` must not read further through the decision: gather first, then look up.
  public func forEachRow(
    in table: Table, from: TableKey, to: TableKey, reversed: Bool = false,
    _ body: (_ key: RawSpan, _ value: RawSpan) throws -> Bool
  ) throws {
    try batch.withTransaction { transaction in
      try from.withBytes { (from) throws in
        try to.withBytes { (to) throws in
          try transaction.view.forEach(
            in: table.database, from: from, to: to, reversed: reversed, body)
        }
      }
    }
  }

  /// The entity at a place of State, as of before the batch.
  public func entity(_ kind: EntityKind, at position: StatePosition) throws -> StoredEntity? {
    try batch.withTransaction {
      try batch.store.state.entity(kind, at: position, in: $0.view)
    }
  }
}
