import Foundation
import Relay
import Synchronization

/// A pool of connections to one cluster, each with its own thread, because libpq calls block.
///
/// A caller waits no longer than the deadline. It then gets an error, and the outcome of its
/// statement is unknown. The statement is never cancelled, because PostgreSQL would keep a cancelled
/// commit that waits for standbys, and report it as successful. The thread continues to wait for it
/// instead.
///
/// If there is no response for four times the deadline, the pool abandons all connections, and from
/// then on tries the silent server last. Such a server either hangs, or is a former leader whose
/// commits no standby confirms.
public final class PostgresPool: Sendable {
  let url: String
  /// The number of seconds after which a caller gets an error.
  let deadline: Double
  private let size: Int
  /// The maximum number of callers that may wait for a connection.
  let waitingMax: Int
  private let jobs: JobLine
  private let use = PoolUse()
  private let deadlines = Deadlines()

  /// Creates a pool that connects on demand.
  ///
  /// - Parameters:
  ///   - url: The connection string in libpq's syntax.
  ///   - size: The maximum number of connections.
  ///   - deadline: The number of seconds after which a caller gets an error.
  ///   - waitingMax: The maximum number of callers that may wait for a connection.
  public init(_ url: String, size: Int = 16, deadline: Double = 15, waitingMax: Int = 1_024) {
    self.url = url
    self.size = size
    self.deadline = deadline
    self.waitingMax = waitingMax
    jobs = JobLine()
    for number in 0..<size {
      let thread = Thread { [url, jobs, use] in
        PostgresPool.work(jobs, use) {
          try PostgresConnection(url, patience: deadline * 4, avoiding: use.suspect)
        }
      }
      thread.name = "postgres \(number)"
      thread.start()
    }
  }

  deinit { jobs.end(threadCount: size) }

  /// The maximum number of connections, the number in use, and the number of waiting callers.
  var load: (size: Int, busy: Int, waiting: Int) { (size, use.busy, jobs.count) }

  /// Replaces all connections, because another server has become the leader.
  func renew() { use.renew() }

  private static func work(
    _ jobs: JobLine, _ use: PoolUse, connect: () throws -> PostgresConnection
  ) {
    var connection: PostgresConnection?
    var generation = 0
    while let job = jobs.next() {
      let current = use.begin()
      defer { use.end() }
      // After a failover, old connections are replaced here. Otherwise, one caller would fail for
      // each of them.
      if generation != current || connection?.isStale == true { connection = nil }
      generation = current
      do {
        let open = try connection ?? connect()
        connection = open
        try job(.success(open))
      } catch let fault as PostgresFault {
        if case .silent = fault { use.markSuspect(connection?.server, of: generation) }
        if fault.endsConnection { connection = nil }
        // If connecting failed, the caller has no answer yet. If it already has one, this answer is
        // ignored.
        try? job(.failure(fault))
      } catch {
        try? job(.failure(.unreadable("\(error)")))
      }
    }
  }

  /// Runs a closure with a connection.
  ///
  /// - Parameter deadline: The number of seconds that the closure may take; by default, the pool's
  ///   deadline.
  /// - Throws: ``PostgresFault``, or the closure's error.
  func run<Result: Sendable>(
    deadline: Double? = nil, _ body: @escaping @Sendable (PostgresConnection) throws -> Result
  ) async throws -> Result {
    guard jobs.count < waitingMax else { throw PostgresFault.deadline(0) }
    let answer = Answer<Result>()
    let seconds = deadline ?? self.deadline
    let expire: @Sendable () -> Void = { answer.give(.failure(PostgresFault.deadline(seconds))) }
    return try await deadlines.within(seconds: seconds, expire) {
      try await withCheckedThrowingContinuation { continuation in
        answer.wait(continuation)
        jobs.add { connection in
          switch connection {
          case .failure(let fault): answer.give(.failure(fault))
          case .success(let connection):
            // The caller gave up before the statement began, so the statement is skipped.
            guard !answer.isGiven else { return }
            do {
              answer.give(.success(try body(connection)))
            } catch {
              answer.give(.failure(error))
              throw error
            }
          }
        }
      }
    }
  }
}

/// The shared state of a pool's threads.
private final class PoolUse: Sendable {
  private struct State {
    var busy = 0
    var generation = 0
    var suspect: ServerList.Server?
  }

  private let state = Mutex(State())

  var busy: Int { state.withLock { $0.busy } }
  /// The server that was silent most recently.
  var suspect: ServerList.Server? { state.withLock { $0.suspect } }

  /// Marks a server as unresponsive, and retires all connections of the given generation.
  func markSuspect(_ server: ServerList.Server?, of generation: Int) {
    state.withLock { state in
      state.suspect = server
      if generation == state.generation { state.generation += 1 }
    }
  }

  func begin() -> Int {
    state.withLock { state in
      state.busy += 1
      return state.generation
    }
  }

  func end() { state.withLock { $0.busy -= 1 } }
  func renew() { state.withLock { $0.generation += 1 } }
}

/// An answer that can be given once; later answers are ignored.
private final class Answer<Result: Sendable>: Sendable {
  private struct State {
    var continuation: CheckedContinuation<Result, any Error>?
    var isGiven = false
    /// An answer that was given before the caller started to wait.
    var early: Swift.Result<Result, any Error>?
  }

  private let state = Mutex(State())

  var isGiven: Bool { state.withLock { $0.isGiven } }

  func wait(_ continuation: CheckedContinuation<Result, any Error>) {
    let early = state.withLock { state in
      if state.early == nil { state.continuation = continuation }
      return state.early
    }
    if let early { continuation.resume(with: early) }
  }

  func give(_ result: Swift.Result<Result, any Error>) {
    let waiting = state.withLock { state in
      if state.isGiven { return nil as CheckedContinuation<Result, any Error>? }
      state.isGiven = true
      if state.continuation == nil { state.early = result }
      defer { state.continuation = nil }
      return state.continuation
    }
    waiting?.resume(with: result)
  }
}

/// A queue of jobs that are waiting for a connection.
private final class JobLine: Sendable {
  typealias Job = @Sendable (Result<PostgresConnection, PostgresFault>) throws -> Void

  private let jobs = Mutex<[Job]>([])
  private let there = DispatchSemaphore(value: 0)

  var count: Int { jobs.withLock { $0.count } }

  func add(_ job: @escaping Job) {
    jobs.withLock { $0.append(job) }
    there.signal()
  }

  /// Waits for the next job and returns it, or returns `nil` when the pool ends.
  func next() -> Job? {
    there.wait()
    return jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
  }

  /// Wakes the threads, which end because they find no job.
  func end(threadCount: Int) { for _ in 0..<threadCount { there.signal() } }
}
