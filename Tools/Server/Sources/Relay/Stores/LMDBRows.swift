import Dispatch
import Entities
import Foundation
import LMDB
import SyncWire
import Synchronization

/// Rows in an LMDB environment, written by one thread.
///
/// Changes that wait while one is made durable share the next commit: each of them is whole or not at all,
/// and is answered when that commit is on the disk.
final class LMDBRows: RowEngine {
  private let environment: Environment
  private let database: Database
  private let thread = DispatchQueue(label: "relay-writer")
  private let waiting = Mutex<[Change]>([])

  /// A change that waits: makes its writes, and answers when they are durable or were refused.
  private struct Change: Sendable {
    let make: @Sendable (inout RelayRows) -> (@Sendable () -> Void)
    let fail: @Sendable (any Error) -> Void
  }

  init(folder: String, options: EnvironmentOptions = EnvironmentOptions()) throws {
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

  /// Makes everything that waits durable in one commit, then answers.
  private func commitWaiting() {
    let changes = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    if changes.isEmpty { return }
    do {
      let answers = try environment.write { transaction in
        // No other process writes while this transaction lives, so what a reader sees is what it began with.
        var written: [[UInt8]: [UInt8]?] = [:]
        var answers: [@Sendable () -> Void] = []
        for change in changes {
          var rows = self.rows(over: written)
          answers.append(change.make(&rows))
          written.merge(rows.writes) { $1 }
        }
        for (key, value) in written.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
          if let value {
            try transaction.put(key, value, in: database)
          } else {
            _ = try transaction.delete(key, in: database)
          }
        }
        return answers
      }
      for answer in answers { answer() }
    } catch {
      for change in changes { change.fail(Self.told(error)) }
    }
  }

  func read<Result: Sendable>(
    _ body: @escaping @Sendable (RelayRows) throws -> Result
  ) async throws -> Result {
    try body(rows(over: [:]))
  }

  private func rows(over written: [[UInt8]: [UInt8]?]) -> RelayRows {
    let environment = environment
    let database = database
    return RelayRows(
      stored: { key in
        if let value = written[key] { return value }
        return try environment.read { try $0.bytes(for: key, in: database) }
      },
      scan: { prefix, from, body in
        try environment.read { transaction in
          var cursor = try transaction.cursor(in: database)
          let start = ByteReader(from)
          var entry = try cursor.seek(atOrAfter: start.span)
          while let found = entry {
            let key = found.key.copied()
            guard key.starts(with: prefix), try body(key, found.value.copied()) else { return }
            entry = try cursor.next()
          }
        }
      })
  }

  func backup(to path: String) throws { try environment.copyCompacted(to: path) }

  private static func told(_ error: any Error) -> any Error {
    guard let failure = error as? LMDBError else { return error }
    switch failure.kind {
    case .diskFull, .mapFull:
      return RelayRefusal(
        .full, "The relay's disk is full; nothing was taken.", retryAfter: 60)
    default: return failure
    }
  }
}
