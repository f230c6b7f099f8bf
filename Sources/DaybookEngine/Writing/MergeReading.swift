package import DaybookEntities
package import DaybookJournal
internal import DaybookLMDB

/// The data that a merge reads: State, the journal, and a consumer's values, all as of the same
/// time.
package protocol MergeSource {
  /// The generation of the journal.
  var generation: UInt32 { get }
  /// The replica number of this copy of the ledger.
  var replica: UInt64 { get throws }
  /// The newest commit.
  var head: UInt64 { get throws }
  /// The floor; the retained history begins after this commit.
  var floor: UInt64 { get throws }
  /// The last commit that the consumer has acknowledged.
  var acknowledged: UInt64 { get throws }

  /// Returns the current record of an entity.
  func entity(_ kind: EntityKind, _ id: EntityID) throws -> StoredEntity?

  /// Returns the consumer's value for a key.
  func value(_ key: [UInt8]) throws -> [UInt8]?

  /// Calls `body` with the consumer's values whose keys have a prefix, in the order of keys, until
  /// it returns `false`.
  ///
  /// - Parameter from: The first key to include; `nil` for the first key with the prefix.
  func forEachValue(
    prefix: [UInt8], from: [UInt8]?, _ body: (_ key: [UInt8], _ value: [UInt8]) throws -> Bool
  ) throws

  /// Calls `body` with the commits after a sequence, until it returns `false`.
  func forEachCommit(
    after sequence: UInt64, through last: UInt64?, reversed: Bool,
    _ body: (CommitView) throws -> Bool
  ) throws
}

/// A consistent read snapshot of a store, which can be written in the meantime.
///
/// While the snapshot exists, freed pages cannot be reused, so release it soon.
///
/// `@unchecked Sendable`: its transactions may be used on any thread, by one thread at a time. The
/// snapshot is handed over once, from the creating thread to the using thread.
package final class MergeMoment: MergeSource, @unchecked Sendable {
  private let journal: JournalMoment
  private let snapshot: DecisionSnapshot
  private let consumer: String

  init(_ open: OpenStore, consumer: String) throws {
    journal = try JournalMoment(open.journal)
    snapshot = try DecisionSnapshot(open.views)
    self.consumer = consumer
  }

  /// Whether State contains the newest commit of the journal.
  var isOne: Bool {
    get throws { try snapshot.head.checkpoint.sequence == head }
  }

  package var generation: UInt32 { journal.generation }

  package var replica: UInt64 {
    get throws { try journal.read { try $0.replica } }
  }

  package var head: UInt64 {
    get throws { try journal.read { try $0.head } }
  }

  package var floor: UInt64 {
    get throws { try journal.read { try $0.floor.sequence } }
  }

  package var acknowledged: UInt64 {
    get throws { try journal.read { try $0.acknowledged(by: consumer) } }
  }

  package func entity(_ kind: EntityKind, _ id: EntityID) throws -> StoredEntity? {
    try snapshot.entity(kind, id)
  }

  package func value(_ key: [UInt8]) throws -> [UInt8]? {
    try journal.read { try $0.value(key, of: consumer) }
  }

  package func forEachValue(
    prefix: [UInt8], from: [UInt8]?, _ body: (_ key: [UInt8], _ value: [UInt8]) throws -> Bool
  ) throws {
    try journal.read { try $0.forEachValue(of: consumer, prefix: prefix, from: from, body) }
  }

  package func forEachCommit(
    after sequence: UInt64, through last: UInt64?, reversed: Bool,
    _ body: (CommitView) throws -> Bool
  ) throws {
    try journal.read {
      try $0.forEachCommit(after: sequence, through: last, reversed: reversed, body)
    }
  }

  /// Calls `body` with every entity, until it returns `false`.
  ///
  /// - Parameter reversed: Whether kinds and ids are in descending order.
  package func forEachEntity(
    reversed: Bool = false, _ body: (EntityKind, StoredEntity) throws -> Bool
  ) throws {
    let state = snapshot.store.state
    try snapshot.withView { view in
      try view.forEach(in: state.ids, reversed: reversed) { key, value in
        var reader = ByteReader(key)
        let kind = EntityKind(rawValue: try reader.u8())
        let position = try StateTable.position(inIDValue: value)
        guard let stored = try state.entity(kind, at: position, in: view) else {
          throw DecodingFault.invalidValue("place of an entity")
        }
        return try body(kind, stored)
      }
    }
  }
}

extension EventStore {
  /// Returns a consistent read snapshot of the store; it does not block appends.
  ///
  /// - Throws: `JournalError`; ``ProjectingError``.
  package func mergeMoment(of consumer: String) async throws -> MergeMoment {
    let present = try MergeMoment(openStore(), consumer: consumer)
    if try present.isOne { return present }
    // The views are slightly behind; between two batches, they agree with the journal.
    return try await exclusively { writer in
      try writer.withLock {
        try writer.bringUp()
        return try MergeMoment(writer.open, consumer: consumer)
      }
    }
  }

  /// Calls `body` with a snapshot of the journal, including consumers' values.
  ///
  /// - Complexity: O(1).
  package func withJournal<Result>(
    _ body: (borrowing JournalReading) throws -> Result
  ) throws -> Result {
    try openStore().journal.withReading(body)
  }
}
