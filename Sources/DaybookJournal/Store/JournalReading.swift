package import DaybookEntities
import DaybookLMDB

/// A consistent read snapshot of the journal.
///
/// It stays the same even if a purge moves the floor in the meantime.
package struct JournalReading: ~Escapable {
  let view: TransactionView
  let store: JournalStore

  @_lifetime(copy view)
  init(_ view: TransactionView, _ store: JournalStore) {
    self.view = view
    self.store = store
  }

  /// The floor; the retained history begins after this commit.
  package var floor: Floor {
    get throws { try store.floor(view) }
  }

  /// Calls `body` with every retained commit up to and including a given one, in order.
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

  /// The greatest purged recording number of each kind.
  package var purgedNumbers: [UInt8: UInt64] {
    get throws { try BaselineState(store, view).greatest }
  }
}

// Reads the state of consumers.
extension JournalReading {
  /// The newest commit.
  package var head: UInt64 {
    get throws { try store.head(view).sequence }
  }

  /// The replica number of this copy of the ledger.
  package var replica: UInt64 {
    get throws { try store.replica(view) }
  }

  /// Returns the last commit that a consumer has acknowledged.
  package func acknowledged(by name: String) throws -> UInt64 {
    guard let row = try store.consumer(name, view) else { throw store.noConsumer(name) }
    return row.sequence
  }

  /// Returns the value that a consumer has stored under the given key.
  package func value(_ key: [UInt8], of name: String) throws -> [UInt8]? {
    try store.value(key, of: name, view)
  }

  /// Calls `body` with a consumer's values whose keys have a prefix, in the order of keys, until it
  /// returns `false`.
  ///
  /// - Parameter from: The first key; `nil` for the first key with the prefix.
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

  /// Calls `body` with the commits after a given one, until it returns `false`.
  package func forEachCommit(
    after sequence: UInt64, through last: UInt64? = nil, reversed: Bool = false,
    _ body: (CommitView) throws -> Bool
  ) throws {
    try store.forEachCommit(
      after: sequence, through: last, reversed: reversed, checkingKinds: true, view, body)
  }
}

/// A consistent read snapshot of the journal that lasts as long as this object.
///
/// Not `Sendable`: it is used by one thread at a time.
package final class JournalMoment {
  private let store: JournalStore
  private let transaction: ReadTransaction

  /// Creates a snapshot of the current journal.
  package init(_ store: JournalStore) throws {
    self.store = store
    do { transaction = try store.environment.beginRead() } catch {
      throw storageError(error, "Reading the journal", store.path)
    }
  }

  /// The generation of the journal.
  package var generation: UInt32 { store.generation }

  /// Calls `body` with the snapshot.
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
  /// Calls `body` with a snapshot of the current journal.
  package func withReading<Result>(
    _ body: (borrowing JournalReading) throws -> Result
  ) throws -> Result {
    try read { view throws in
      let reading = JournalReading(view, self)
      return try body(reading)
    }
  }
}
