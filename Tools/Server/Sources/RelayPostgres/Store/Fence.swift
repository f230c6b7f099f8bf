import Relay
import Synchronization

/// Delays the results of reads until standbys have the data that was read.
///
/// After a crash, a primary shows commits that no standby has. If a standby is then promoted, it
/// assigns the positions of these commits to other entries. Therefore, a read is answered only once
/// the quorum has committed a small write that began after the read. All data that existed before
/// the write is then durable. One write runs at a time, and all reads that arrive in the meantime
/// share the next write.
///
/// A write on another server proves nothing about a read, because an old primary may still answer
/// reads while the new one commits. Each read therefore records its server's *reign*, which is the
/// time when the server started, and the write must have the same reign.
///
/// A fence's confirmation never expires, because logs only grow. A read needs no fence of its own
/// if every transaction that changed the log had ended when an earlier fence of the same reign
/// began. That fence doesn't cover later changes, which an old leader doesn't have. A result that
/// contains a log's end therefore always waits for its own fence.
final class Fence: Sendable {
  /// A committed fence; all transactions before `transaction` had ended when the fence began.
  private struct Passed {
    var reign: Int64
    var transaction: Int64
  }

  private let pool: PostgresPool
  private let passed = Mutex<Passed?>(nil)
  private let writes = Batcher<Int64, Void>()
  /// The durations of the writes.
  let times = CommitTimes()

  init(_ pool: PostgresPool) { self.pool = pool }

  /// Returns once all data that existed at the time of the call is durable.
  ///
  /// - Parameter reign: The result of the schema's `reign()` in the same statement as the read.
  /// - Throws: ``PostgresFault`` if this can't be confirmed.
  func pass(_ reign: Int64) async throws {
    try await withCheckedThrowingContinuation { pass(reign, $0) }
  }

  /// Resumes a continuation instead of returning.
  ///
  /// Unlike an async function, this needs no async frame for each waiting caller.
  func pass(_ reign: Int64, _ continuation: CheckedContinuation<Void, any Error>) {
    writes.ask(reign, continuation) { await self.write(for: $0) }
  }

  /// Returns whether an earlier fence has confirmed that a read's result is durable.
  ///
  /// - Parameters:
  ///   - reign: The result of the schema's `reign()` in the same statement as the read.
  ///   - transaction: The last transaction that changed the rows that were read.
  func covers(_ reign: Int64, changedBy transaction: Int64) -> Bool {
    passed.withLock { passed in
      guard let passed else { return false }
      return passed.reign == reign && transaction < passed.transaction
    }
  }

  /// Checks that the quorum can currently commit.
  ///
  /// - Throws: ``PostgresFault``.
  func check() async throws {
    let found = try await pool.run { try $0.run("select reign()") }
    guard let reign = try found.first?.int8(0) else { throw PostgresFault.unreadable("no row") }
    try await pass(reign)
  }

  private func write(for waiting: [Batcher<Int64, Void>.Asked]) async {
    let start = ContinuousClock.now
    let written: Result<Passed, any Error>
    do {
      // This writes a record to the WAL but no row, so nothing has to be vacuumed.
      let found = try await pool.run {
        try $0.run(
          """
          select reign(), pg_snapshot_xmin(pg_current_snapshot())::text::int8,
            pg_logical_emit_message(true, 'daybook', '')
          """)
      }
      guard let row = found.first else { throw PostgresFault.unreadable("no row") }
      times.count(ContinuousClock.now - start)
      let passed = Passed(reign: try row.int8(0), transaction: try row.int8(1))
      self.passed.withLock { $0 = passed }
      written = .success(passed)
    } catch {
      written = .failure(error)
    }
    for one in waiting {
      one.tell(
        written.flatMap {
          $0.reign == one.question ? .success(()) : .failure(PostgresFault.moved)
        })
    }
    if case .success(let passed) = written, waiting.contains(where: { $0.question != passed.reign })
    {
      pool.renew()
    }
  }
}
