package import Entities
import LMDB

/// The journal as of one moment: what is read of it in several passes belongs together, although a
/// purge may move the floor meanwhile.
package struct JournalReading: ~Escapable {
  let view: TransactionView
  let store: JournalStore

  @_lifetime(copy view)
  init(_ view: TransactionView, _ store: JournalStore) {
    self.view = view
    self.store = store
  }

  /// The commit after which what is kept begins.
  package var floor: Floor {
    get throws { try store.floor(view) }
  }

  /// Calls `body` with every commit that is kept, up to one of them, in order.
  package func forEachCommit(
    through last: UInt64, _ body: (CommitView) throws -> Bool
  ) throws {
    let floor = try floor
    guard last >= floor.sequence else {
      throw JournalError(
        .token(.expired(floor: floor.sequence)),
        "Commits up to \(floor.sequence) have been purged: the ledger as of commit \(last) is gone.",
        path: store.path, sequence: last)
    }
    try store.forEachCommit(
      after: floor.sequence, through: last, reversed: false, checkingKinds: true, view, body)
  }

  /// Calls `body` with every entity of the baseline, by kind and then by recording number.
  package func forEachBaselineEntity(
    _ body: (EntityKind, UInt64, EntityID, [UInt8]) throws -> Void
  ) throws {
    try store.tables.baselineTable.forEachRow(view) { kind, number, row in
      try body(EntityKind(rawValue: kind), number, row.id, row.record)
    }
  }

  /// The greatest recording number of each kind that was purged.
  package var purgedNumbers: [UInt8: UInt64] {
    get throws { try BaselineState(store, view).greatest }
  }
}

// What a consumer reads of a moment.
extension JournalReading {
  /// The newest commit.
  package var head: UInt64 {
    get throws { try store.head(view).sequence }
  }

  /// The name of this copy of the ledger among its replicas.
  package var replica: UInt64 {
    get throws { try store.replica(view) }
  }

  /// The last commit that a consumer has acknowledged.
  package func acknowledged(by name: String) throws -> UInt64 {
    guard let row = try store.consumer(name, view) else { throw store.noConsumer(name) }
    return row.sequence
  }

  /// What a consumer remembers under a key.
  package func value(_ key: [UInt8], of name: String) throws -> [UInt8]? {
    try store.value(key, of: name, view)
  }

  /// Calls `body` with what a consumer remembers under keys that begin with a prefix, in their order, until it
  /// returns false.
  ///
  /// - Parameter from: the least key; without it, the first that begins with the prefix.
  package func forEachValue(
    of name: String, prefix: [UInt8], from: [UInt8]? = nil,
    _ body: (_ key: [UInt8], _ value: [UInt8]) throws -> Bool
  ) throws {
    let table = Consumer.tablePrefix(name)
    let wanted = table + prefix
    let least = table + (from ?? prefix)
    try view.forEach(in: store.tables.consumers, from: least.span.bytes) { key, row in
      let found = key.copied()
      guard found.starts(with: wanted) else { return false }
      let value = try unsealed(row, under: key, path: store.path).copied()
      return try body(Array(found.dropFirst(table.count)), value)
    }
  }

  /// Calls `body` with the commits after one, until it returns false.
  package func forEachCommit(
    after sequence: UInt64, through last: UInt64? = nil, reversed: Bool = false,
    _ body: (CommitView) throws -> Bool
  ) throws {
    try store.forEachCommit(
      after: sequence, through: last, reversed: reversed, checkingKinds: true, view, body)
  }
}

/// The journal as of one moment, for as long as this lives.
///
/// Not `Sendable`: one thread uses it at a time.
package final class JournalMoment {
  private let store: JournalStore
  private let transaction: ReadTransaction

  /// The journal as of now.
  package init(_ store: JournalStore) throws {
    self.store = store
    do { transaction = try store.environment.beginRead() } catch {
      throw storageError(error, "Reading the journal", store.path)
    }
  }

  /// Which generation of the journal it is.
  package var generation: UInt32 { store.generation }

  /// Lends it.
  package func read<Result>(
    _ body: (borrowing JournalReading) throws -> Result
  ) throws -> Result {
    try Self.lend(transaction, store, body)
  }

  private static func lend<Result>(
    _ transaction: borrowing ReadTransaction, _ store: JournalStore,
    _ body: (borrowing JournalReading) throws -> Result
  ) throws -> Result {
    do {
      let reading = JournalReading(transaction.view, store)
      return try body(reading)
    } catch let error as LMDBError {
      throw storageError(error, "Reading the journal", store.path)
    }
  }
}

extension JournalStore {
  /// Lends the journal as of now.
  package func withReading<Result>(
    _ body: (borrowing JournalReading) throws -> Result
  ) throws -> Result {
    try read { view throws in
      let reading = JournalReading(view, self)
      return try body(reading)
    }
  }
}
