package import Entities
package import Journal
internal import LMDB

/// What merging reads: State, the journal, and what a consumer remembers, all as of one moment.
package protocol MergeSource {
  /// Which generation of the journal it is.
  var generation: UInt32 { get }
  /// The name of this copy of the ledger among its replicas.
  var replica: UInt64 { get throws }
  /// The newest commit.
  var head: UInt64 { get throws }
  /// The commit after which what is kept begins.
  var floor: UInt64 { get throws }
  /// The last commit that the consumer has dealt with.
  var acknowledged: UInt64 { get throws }

  /// An entity as it is.
  func entity(_ kind: EntityKind, _ id: EntityID) throws -> StoredEntity?

  /// What the consumer remembers under a key.
  func value(_ key: [UInt8]) throws -> [UInt8]?

  /// Calls `body` with what the consumer remembers under keys that begin with a prefix, in their order, until it
  /// returns false.
  ///
  /// - Parameter from: the least key; without it, the first that begins with the prefix.
  func forEachValue(
    prefix: [UInt8], from: [UInt8]?, _ body: (_ key: [UInt8], _ value: [UInt8]) throws -> Bool
  ) throws

  /// Calls `body` with the commits after one, until it returns false.
  func forEachCommit(
    after sequence: UInt64, through last: UInt64?, reversed: Bool,
    _ body: (CommitView) throws -> Bool
  ) throws
}

/// A moment of a store, which others may go on to write.
///
/// While it lives, pages that are freed cannot be used again, so it should not live for long.
///
/// `@unchecked Sendable`: its transactions may be used on any thread by one at a time, and it is handed from the
/// thread that makes it to the one that uses it, once.
package final class MergeMoment: MergeSource, @unchecked Sendable {
  private let journal: JournalMoment
  private let snapshot: DecisionSnapshot
  private let consumer: String

  init(_ open: OpenStore, consumer: String) throws {
    journal = try JournalMoment(open.journal)
    snapshot = try DecisionSnapshot(open.views)
    self.consumer = consumer
  }

  /// Whether State is as of the newest commit.
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

  /// Calls `body` with every entity in the order of kinds and ids, or in reverse, until it returns false.
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
  /// A moment for reading, without keeping others from appending.
  ///
  /// - Throws: `JournalError`; ``ProjectingError``.
  package func mergeMoment(of consumer: String) async throws -> MergeMoment {
    let present = try MergeMoment(openStore(), consumer: consumer)
    if try present.isOne { return present }
    // The views are a little behind: only between two batches is everything as of one commit.
    return try await exclusively { writer in
      try writer.withLock {
        try writer.bringUp()
        return try MergeMoment(writer.open, consumer: consumer)
      }
    }
  }

  /// The journal alone, with what a consumer remembers.
  ///
  /// - Complexity: O(1).
  package func withJournal<Result>(
    _ body: (borrowing JournalReading) throws -> Result
  ) throws -> Result {
    try openStore().journal.withReading(body)
  }
}
