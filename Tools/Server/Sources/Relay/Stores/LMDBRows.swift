private import CFileBirth
import DaybookEntities
import DaybookLMDB
import DaybookSyncWire
import Dispatch
import Foundation
import Synchronization

/// Rows in an LMDB environment, written by one thread.
///
/// Changes that arrive while a commit is being flushed share the next commit. Each change is
/// applied completely or not at all, and returns when its commit is on disk.
final class LMDBRows: RowEngine {
  let commitTimes = CommitTimes()
  private let environment: Environment
  private let database: Database
  private let folder: String
  private let lock = Mutex<FolderLock?>(nil)
  private let thread = DispatchQueue(label: "relay-writer")
  private let waiting = Mutex<[Change]>([])

  /// A pending change.
  ///
  /// `make` applies the change and returns a closure that resumes the caller; `fail` reports to the
  /// caller that the commit failed.
  private struct Change: Sendable {
    let make: @Sendable (inout RelayRows) -> (@Sendable () -> Void)
    let fail: @Sendable (any Error) -> Void
  }

  init(folder: String, options: EnvironmentOptions = EnvironmentOptions()) throws {
    self.folder = folder
    environment = try Environment.open(path: folder, options: options)
    database = try environment.database(named: "relay", create: !options.readOnly)
  }

  func write<Result: Sendable>(
    _ change: @escaping @Sendable (inout RelayRows) throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      let item = Change(
        make: { rows in
          do {
            let result = try change(&rows)
            return { continuation.resume(returning: result) }
          } catch {
            rows.writes = [:]
            return { continuation.resume(throwing: error) }
          }
        },
        fail: { continuation.resume(throwing: $0) })
      let isFirst = waiting.withLock {
        $0.append(item)
        return $0.count == 1
      }
      if isFirst { thread.async { self.commitWaiting() } }
    }
  }

  /// Commits all pending changes together, then resumes their callers.
  private func commitWaiting() {
    let changes = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    if changes.isEmpty { return }
    do {
      let answers = try commitTimes.measuring { try commit(changes) }
      for answer in answers { answer() }
    } catch {
      for change in changes { change.fail(Self.told(error)) }
    }
  }

  /// Applies changes in one commit; each change sees the writes of earlier ones.
  ///
  /// - Returns: The closures that resume the callers.
  private func commit(_ changes: [Change]) throws -> [@Sendable () -> Void] {
    try environment.write { transaction in
      var answers: [@Sendable () -> Void] = []
      for change in changes {
        let (answer, writes) = try Self.withRows(transaction, database) { rows in
          (change.make(&rows), rows.writes)
        }
        answers.append(answer)
        for (key, value) in writes.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
          if let value {
            try transaction.put(key, value, in: database)
          } else {
            _ = try transaction.delete(key, in: database)
          }
        }
      }
      return answers
    }
  }

  func read<Result: Sendable>(
    _ body: @escaping @Sendable (RelayRows) throws -> Result
  ) async throws -> Result {
    try environment.read { transaction in
      try Self.withRows(transaction, database) { try body($0) }
    }
  }

  /// Runs a closure on the rows of a transaction; the closure must not keep the rows.
  ///
  /// A stored closure can't capture a borrowed transaction, so the closures of the rows capture a
  /// pointer, which is valid as long as the transaction. `withoutActuallyEscaping` traps if such a
  /// closure escapes.
  private static func withRows<Result, Transaction: RowTransaction & ~Copyable>(
    _ transaction: borrowing Transaction, _ database: Database,
    _ body: (inout RelayRows) throws -> Result
  ) throws -> Result {
    try withUnsafePointer(to: transaction) { transaction in
      try withoutActuallyEscaping({ try transaction.pointee.value($0, in: database) }) { get in
        try withoutActuallyEscaping({ try transaction.pointee.scan($0, $1, in: database, $2) }) {
          var rows = RelayRows(stored: get, scan: $0)
          return try body(&rows)
        }
      }
    }
  }

  var place: [UInt8] {
    var writer = ByteWriter(reserving: 24)
    writer.u64be(environment.fileIdentity.device)
    writer.u64be(environment.fileIdentity.inode)
    // A file that replaces a deleted file often gets its inode, but not its creation time.
    writer.u64be(relay_birth_nanoseconds(folder + "/data.mdb"))
    return writer.bytes
  }

  func lockFolder() throws {
    try lock.withLock { lock in
      if lock == nil { lock = try FolderLock(folder: folder) }
    }
  }

  func close() async throws {
    try await withCheckedThrowingContinuation { continuation in
      thread.async { continuation.resume(with: Result { try self.environment.close() }) }
    }
    lock.withLock { $0 = nil }
  }

  func backup(to path: String) throws {
    try environment.copyCompacted(to: path)
    // An empty place marks the file as a copy, even if the copy later replaces the original file.
    let copy = try Environment.open(path: path, options: EnvironmentOptions())
    let rows = try copy.database(named: "relay")
    try copy.write { try $0.put(RowKeys.place, [], in: rows) }
    try copy.close()
  }

  private static func told(_ error: any Error) -> any Error {
    guard let failure = error as? LMDBError else { return error }
    switch failure.kind {
    case .diskFull, .mapFull:
      return RelayRefusal(
        .full, "The relay's disk is full. Nothing was stored.", retryAfter: 60)
    default: return failure
    }
  }
}

/// The operations of a read or write transaction that rows need.
private protocol RowTransaction: ~Copyable {
  func value(_ key: [UInt8], in database: Database) throws -> [UInt8]?
  func scan(
    _ prefix: [UInt8], _ from: [UInt8], in database: Database,
    _ look: ([UInt8], [UInt8]) throws -> Bool
  ) throws
}

extension ReadTransaction: RowTransaction {
  fileprivate func value(_ key: [UInt8], in database: Database) throws -> [UInt8]? {
    try view.bytes(for: key, in: database)
  }

  fileprivate func scan(
    _ prefix: [UInt8], _ from: [UInt8], in database: Database,
    _ look: ([UInt8], [UInt8]) throws -> Bool
  ) throws {
    try scanRows(view, prefix, from, in: database, look)
  }
}

extension WriteTransaction: RowTransaction {
  fileprivate func value(_ key: [UInt8], in database: Database) throws -> [UInt8]? {
    try view.bytes(for: key, in: database)
  }

  fileprivate func scan(
    _ prefix: [UInt8], _ from: [UInt8], in database: Database,
    _ look: ([UInt8], [UInt8]) throws -> Bool
  ) throws {
    try scanRows(view, prefix, from, in: database, look)
  }
}

private func scanRows(
  _ view: TransactionView, _ prefix: [UInt8], _ from: [UInt8], in database: Database,
  _ look: ([UInt8], [UInt8]) throws -> Bool
) throws {
  var cursor = try view.cursor(in: database)
  let start = ByteReader(from)
  var entry = try cursor.seek(atOrAfter: start.span)
  while let found = entry {
    let key = found.key.copied()
    guard key.starts(with: prefix), try look(key, found.value.copied()) else { return }
    entry = try cursor.next()
  }
}
