package import Entities
package import Journal
internal import LMDB

/// What a merge stands on: everything committed, and room for commits that became durable together with what a
/// consumer remembers.
///
/// Not `Sendable`: it is lent to a merge on the thread of the journal's stage and must not be kept.
package final class MergeContext: MergeSource {
  private let store: JournalStore
  private let writer: JournalWriter
  private let moment: MergeMoment
  private let consumer: String
  private let clock: () -> Int64
  private var changed: [EntityKey: StoredEntity?] = [:]
  private var nextNumbers: [EntityKind: UInt64] = [:]
  /// The recording numbers of what this merge took away, should it come back.
  private var numbersGone: [EntityKey: UInt64] = [:]
  /// What was appended, in order.
  private(set) var commits: [DecidedCommit] = []
  private(set) var putting: [[UInt8]: [UInt8]?] = [:]
  /// The last commit that the consumer has dealt with.
  package private(set) var acknowledged: UInt64

  init(
    _ open: OpenStore, _ writer: JournalWriter, consumer: String, clock: @escaping () -> Int64
  ) throws {
    store = open.journal
    self.writer = writer
    moment = try MergeMoment(open, consumer: consumer)
    self.consumer = consumer
    self.clock = clock
    acknowledged = try moment.acknowledged
  }

  package var generation: UInt32 { moment.generation }
  package var replica: UInt64 { writer.replica }
  /// The newest commit, those of this merge included.
  package var head: UInt64 { writer.head.sequence }

  // MARK: Reading

  package var floor: UInt64 { get throws { try moment.floor } }

  /// An entity as it is, what this merge appended included.
  package func entity(_ kind: EntityKind, _ id: EntityID) throws -> StoredEntity? {
    if let known = changed[EntityKey(kind, id)] { return known }
    return try moment.entity(kind, id)
  }

  /// Calls `body` with the commits from before this merge.
  package func forEachCommit(
    after sequence: UInt64, through last: UInt64?, reversed: Bool,
    _ body: (CommitView) throws -> Bool
  ) throws {
    try moment.forEachCommit(after: sequence, through: last, reversed: reversed, body)
  }

  /// What the consumer remembers under a key, what this merge put included.
  package func value(_ key: [UInt8]) throws -> [UInt8]? {
    if let known = putting[key] { return known }
    return try moment.value(key)
  }

  /// Calls `body` with what the consumer remembered before this merge.
  package func forEachValue(
    prefix: [UInt8], from: [UInt8]?, _ body: (_ key: [UInt8], _ value: [UInt8]) throws -> Bool
  ) throws {
    try moment.forEachValue(prefix: prefix, from: from, body)
  }

  /// Calls `body` with every entity as it was before this merge, in the order of kinds and ids, or in reverse, until
  /// it returns false.
  package func forEachEntity(
    reversed: Bool = false, _ body: (EntityKind, EntityID, _ record: Record) throws -> Bool
  ) throws {
    try moment.forEachEntity(reversed: reversed, body)
  }

  // MARK: Writing

  /// Has the consumer remember a value; `nil` forgets it.
  package func put(_ value: [UInt8]?, under key: [UInt8]) { putting[key] = .some(value) }

  /// Says that the consumer has dealt with everything up to a commit.
  package func acknowledge(_ sequence: UInt64) { acknowledged = max(acknowledged, sequence) }

  /// Appends a commit that gives entities other records; those that have them already are left out.
  ///
  /// - Parameters:
  ///   - records: the records from now on, in this order; `nil` for those that are gone.
  ///   - origin: who wrote it first; `nil` for this replica.
  /// - Returns: whether anything changed, so that there is a commit.
  @discardableResult
  package func append(
    _ records: [(kind: EntityKind, id: EntityID, record: Record?)], origin: CommitOrigin?,
    author: String = "", source: String = ""
  ) throws -> Bool {
    var changes: [Change] = []
    for (kind, id, record) in records {
      let before = try entity(kind, id)
      guard before?.record != record else { continue }
      let key = EntityKey(kind, id)
      let number = try before?.number ?? numbersGone[key] ?? nextNumber(kind)
      if record == nil { numbersGone[key] = number }
      changes.append(
        Change(kind: kind, id: id, number: number, before: before?.record, after: record))
      changed[key] = .some(
        record.map { StoredEntity(id: id, number: number, record: $0) })
    }
    if changes.isEmpty { return false }
    let draft = CommitDraft(
      changes: changes, author: author, source: source, wallMicroseconds: clock(), origin: origin)
    _ = try writer.append(draft)
    commits.append(DecidedCommit(changes: changes, checkpoint: Checkpoint(writer.head)))
    return true
  }

  private func nextNumber(_ kind: EntityKind) throws -> UInt64 {
    let next = nextNumbers[kind] ?? writer.nextNumber(kind)
    nextNumbers[kind] = next + 1
    return next
  }

  /// Puts what the consumer remembers into the transaction of the commits.
  func finish() throws {
    let token: Token
    if let uncommitted = writer.token(ofUncommitted: acknowledged) {
      token = uncommitted
    } else {
      token = try store.token(at: acknowledged)
    }
    try writer.acknowledge(token, by: consumer, putting: putting, now: clock())
  }

  /// What was remembered where nothing was appended.
  func finishAlone() throws {
    if putting.isEmpty, try acknowledged == store.token(of: consumer).sequence { return }
    let token = try store.token(at: acknowledged)
    try store.acknowledge(token, by: consumer, putting: putting, now: clock())
  }
}
