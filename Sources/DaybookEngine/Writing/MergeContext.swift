package import DaybookEntities
package import DaybookJournal
internal import DaybookLMDB

/// The state that a merge reads and the commits that it appends.
///
/// The commits become durable in one transaction, together with the consumer's progress and values.
/// Not `Sendable`: a merge may use it only during its call, on the thread of the journal's stage.
package final class MergeContext: MergeSource {
  private let store: JournalStore
  private let writer: JournalWriter
  private let moment: MergeMoment
  private let consumer: String
  private let clock: () -> Int64
  private var changed: [EntityKey: StoredEntity?] = [:]
  /// The entities that were read and that this merge has not changed.
  private var read: [EntityKey: StoredEntity?] = [:]
  private var nextNumbers: [EntityKind: UInt64] = [:]
  /// The recording numbers of entities that this merge has deleted, in case it inserts them again.
  private var numbersGone: [EntityKey: UInt64] = [:]
  private let clusterTags: ClusterTags
  private var numbering: [EntityKind: RecordingNumbers] = [:]
  /// The appended commits, in order.
  private(set) var commits: [DecidedCommit] = []
  private(set) var putting: [[UInt8]: [UInt8]?] = [:]
  /// The last commit that the consumer has acknowledged, in this merge or before it.
  package private(set) var acknowledged: UInt64

  init(
    _ open: OpenStore, _ writer: JournalWriter, consumer: String, clock: @escaping () -> Int64
  ) throws {
    store = open.journal
    self.writer = writer
    moment = try MergeMoment(open, consumer: consumer)
    self.consumer = consumer
    self.clock = clock
    clusterTags = ClusterTags(store.schema)
    acknowledged = try moment.acknowledged
  }

  package var generation: UInt32 { moment.generation }
  package var replica: UInt64 { writer.replica }
  /// The newest commit, which may be a commit of this merge.
  package var head: UInt64 { writer.head.sequence }

  // MARK: Reading

  package var floor: UInt64 { get throws { try moment.floor } }

  /// Returns the current record of an entity, including the changes of this merge.
  package func entity(_ kind: EntityKind, _ id: EntityID) throws -> StoredEntity? {
    let key = EntityKey(kind, id)
    if let known = changed[key] ?? read[key] { return known }
    let stored = try moment.entity(kind, id)
    read[key] = .some(stored)
    return stored
  }

  /// Calls `body` with the commits recorded before this merge.
  package func forEachCommit(
    after sequence: UInt64, through last: UInt64?, reversed: Bool,
    _ body: (CommitView) throws -> Bool
  ) throws {
    try moment.forEachCommit(after: sequence, through: last, reversed: reversed, body)
  }

  /// Returns the consumer's value for a key, including values put by this merge.
  package func value(_ key: [UInt8]) throws -> [UInt8]? {
    if let known = putting[key] { return known }
    return try moment.value(key)
  }

  /// Calls `body` with the consumer's values as of the start of this merge.
  package func forEachValue(
    prefix: [UInt8], from: [UInt8]?, _ body: (_ key: [UInt8], _ value: [UInt8]) throws -> Bool
  ) throws {
    try moment.forEachValue(prefix: prefix, from: from, body)
  }

  /// Calls `body` with every entity as of the start of this merge, until it returns `false`.
  ///
  /// - Parameter reversed: Whether kinds and ids are in descending order.
  package func forEachEntity(
    reversed: Bool = false, _ body: (EntityKind, StoredEntity) throws -> Bool
  ) throws {
    try moment.forEachEntity(reversed: reversed, body)
  }

  // MARK: Writing

  /// Puts a value of the consumer; `nil` removes the key.
  package func put(_ value: [UInt8]?, under key: [UInt8]) { putting[key] = .some(value) }

  /// Records that the consumer has processed all commits up to and including a sequence.
  package func acknowledge(_ sequence: UInt64) { acknowledged = max(acknowledged, sequence) }

  /// Appends a commit that sets the records of entities, skipping entities that already have them.
  ///
  /// An existing entity keeps its recording number.
  ///
  /// - Parameters:
  ///   - records: The new records, in the order of the changes.
  ///   - origin: The origin of the commit; `nil` for this replica.
  /// - Returns: `true` if a commit was appended, `false` if nothing changed.
  @discardableResult
  package func append(
    _ records: [MergedRecord], origin: CommitOrigin?, author: String = "", source: String = ""
  ) throws -> Bool {
    var changes: [Change] = []
    for one in records {
      let before = try entity(one.kind, one.id)
      guard before?.record != one.record else { continue }
      let key = EntityKey(one.kind, one.id)
      var number = before?.number ?? one.number
      if number == 0 { number = try numbersGone[key] ?? nextNumber(one.kind) }
      if one.record == nil { numbersGone[key] = number }
      let change = Change(
        kind: one.kind, id: one.id, number: number, before: before?.record, after: one.record)
      changes.append(change)
      changed[key] = .some(change.stored)
    }
    if changes.isEmpty { return false }
    try append(changes, origin: origin, author: author, source: source)
    return true
  }

  /// Appends a commit with the given changes; does nothing if there are none.
  func append(
    _ changes: [Change], origin: CommitOrigin?, author: String = "", source: String = ""
  ) throws {
    if changes.isEmpty { return }
    for change in changes { changed[EntityKey(change.kind, change.id)] = .some(change.stored) }
    let draft = CommitDraft(
      changes: changes, author: author, source: source, wallMicroseconds: clock(), origin: origin)
    _ = try writer.append(draft)
    commits.append(DecidedCommit(changes: changes, checkpoint: Checkpoint(writer.head)))
  }

  /// Returns the cluster of a record.
  func cluster(of record: Record, _ kind: EntityKind) throws -> UInt32 {
    try StateTable.cluster(of: record, tag: clusterTags[kind])
  }

  // MARK: Recording numbers

  private func nextNumber(_ kind: EntityKind) throws -> UInt64 {
    let next = max(nextNumbers[kind] ?? 0, journalNextNumber(kind))
    nextNumbers[kind] = next + 1
    return next
  }

  /// Returns the next recording number of a kind, taking the commits appended so far into account.
  package func journalNextNumber(_ kind: EntityKind) -> UInt64 {
    max(writer.nextNumber(kind), numbering[kind]?.next ?? 0)
  }

  /// Returns one more than the last number that this merge assigned to an entity of a kind, or 0 if
  /// it assigned none.
  package func freshEnd(_ kind: EntityKind) -> UInt64 { nextNumbers[kind] ?? 0 }

  /// The kinds in this program's schema, except the journal's own.
  package var kinds: [EntityKind] { store.schema.kinds.map(\.kind).filter { $0.rawValue != 0 } }

  /// Sets the next recording number of a kind, from the commit of this merge on.
  ///
  /// The number must then be greater than those of all entities of the kind in State.
  package func number(_ kind: EntityKind, from next: UInt64) {
    numbering[kind, default: RecordingNumbers()].next = next
  }

  /// Records that from `number` on, two entities of the kind may have had the same number.
  package func reuse(_ kind: EntityKind, from number: UInt64) {
    let known = numbering[kind]?.reusedFrom ?? .max
    numbering[kind, default: RecordingNumbers()].reusedFrom = min(known, number)
  }

  /// Adds the consumer's progress and values to the transaction of the commits.
  func finish() throws {
    let token: Token
    if let uncommitted = writer.token(ofUncommitted: acknowledged) {
      token = uncommitted
    } else {
      token = try store.token(at: acknowledged)
    }
    writer.set(numbering)
    try writer.acknowledge(token, by: consumer, putting: putting, now: clock())
  }

  /// Stores the consumer's progress and values if no commit was appended.
  func finishAlone() throws {
    if putting.isEmpty, numbering.isEmpty,
      try acknowledged == store.token(of: consumer).sequence
    {
      return
    }
    let token = try store.token(at: acknowledged)
    try store.acknowledge(
      token, by: consumer, putting: putting, numbering: numbering, now: clock())
  }
}

extension Change {
  /// The entity after the change; `nil` if it was deleted.
  fileprivate var stored: StoredEntity? {
    after.map { StoredEntity(id: id, number: number, record: $0) }
  }
}
