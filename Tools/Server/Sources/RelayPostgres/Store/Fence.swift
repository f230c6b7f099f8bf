import Relay
import Synchronization

/// What was read is told only once standbys have it.
///
/// After a crash, a primary shows commits that no standby had; where a standby is promoted then, their positions are
/// given to others. So a read is answered when a small write that began after it was committed by the quorum:
/// everything that was there before is then there to stay. One write is under way at a time; all who come meanwhile share
/// the next.
///
/// A write on another server says nothing of what was read: an old primary may still answer reads while the new one
/// commits. So each read says under which server's reign it was made, and the write has to be of the same.
///
/// What a fence of the same reign has found once is there to stay for ever, since logs only grow: where every transaction
/// that changed a log had ended when the fence began, what was read of it needs no other. That says nothing of what came
/// since: an old leader does not know it. So who is told that a log ends somewhere waits for a fence of their own.
final class Fence: Sendable {
  /// A fence that the quorum has: transactions before this one had ended when it began.
  private struct Passed {
    var reign: Int64
    var transaction: Int64
  }

  private let pool: PostgresPool
  private let passed = Mutex<Passed?>(nil)
  private let writes = Gathering<Int64, Void>()
  /// How long the writes took.
  let times = CommitTimes()

  init(_ pool: PostgresPool) { self.pool = pool }

  /// Returns when everything that was there when it was called is there to stay.
  ///
  /// - Parameter reign: What `reign()` of the schema said where it was read.
  /// - Throws: ``PostgresFault`` where that cannot be said.
  func pass(_ reign: Int64) async throws {
    try await withCheckedThrowingContinuation { pass(reign, $0) }
  }

  /// The same, told to a continuation: one frame less for each who waits.
  func pass(_ reign: Int64, _ continuation: CheckedContinuation<Void, any Error>) {
    writes.ask(reign, continuation) { await self.write(for: $0) }
  }

  /// Whether what was read is there to stay, as an earlier fence found.
  ///
  /// - Parameters:
  ///   - reign: What `reign()` of the schema said where it was read.
  ///   - transaction: The last one that changed what was read.
  func covers(_ reign: Int64, changedBy transaction: Int64) -> Bool {
    passed.withLock { passed in
      guard let passed else { return false }
      return passed.reign == reign && transaction < passed.transaction
    }
  }

  /// Whether the quorum commits now.
  ///
  /// - Throws: ``PostgresFault``.
  func check() async throws {
    let found = try await pool.run { try $0.run("select reign()") }
    guard let reign = try found.first?.int8(0) else { throw PostgresFault.unreadable("no row") }
    try await pass(reign)
  }

  private func write(for waiting: [Gathering<Int64, Void>.Asked]) async {
    let start = ContinuousClock.now
    let written: Result<Passed, any Error>
    do {
      // A record of its own in the log, and nothing else: no row that would have to be cleaned up.
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
