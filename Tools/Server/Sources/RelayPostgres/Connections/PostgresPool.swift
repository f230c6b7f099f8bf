import Foundation
import Relay
import Synchronization

/// Connections to one cluster, each with a thread of its own, since libpq waits.
///
/// Whoever asks waits no longer than a deadline. The statement itself is never cancelled: a commit that waits for its
/// standbys would be there afterwards, and told as done. So the thread goes on waiting, and the asker is told that the
/// outcome is unknown. After four times the deadline all connections are given up, and the server that was silent is tried
/// last from then on: it hangs, or it led before, and nobody confirms what it commits.
public final class PostgresPool: Sendable {
  let url: String
  /// After how many seconds without an answer an asker is told so.
  let deadline: Double
  private let size: Int
  /// How many may wait for a connection.
  let waitingMax: Int
  private let jobs: JobLine
  private let use = PoolUse()
  private let deadlines = Deadlines()

  /// A pool that connects when it is asked.
  ///
  /// - Parameters:
  ///   - url: As libpq takes it.
  ///   - size: How many connections it has at most.
  ///   - deadline: After how many seconds without an answer an asker is told so.
  ///   - waitingMax: How many may wait for a connection.
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

  /// How many connections it has at most, how many are used now, and how many wait for one.
  var load: (size: Int, busy: Int, waiting: Int) { (size, use.busy, jobs.count) }

  /// Lets go of the connections there are: another server leads.
  func renew() { use.renew() }

  private static func work(
    _ jobs: JobLine, _ use: PoolUse, connect: () throws -> PostgresConnection
  ) {
    var connection: PostgresConnection?
    var generation = 0
    while let job = jobs.next() {
      let current = use.begin()
      defer { use.end() }
      // After a failover nobody has to fail once for each connection that there was.
      if generation != current || connection?.isStale == true { connection = nil }
      generation = current
      do {
        let open = try connection ?? connect()
        connection = open
        try job(.success(open))
      } catch let fault as PostgresFault {
        if case .silent = fault { use.suspects(connection?.server, of: generation) }
        if fault.endsConnection { connection = nil }
        // Where there was no connection, the asker has not heard yet; one who has does not hear again.
        try? job(.failure(fault))
      } catch {
        try? job(.failure(.unreadable("\(error)")))
      }
    }
  }

  /// Lets a closure use a connection.
  ///
  /// - Parameter deadline: How many seconds it may take; the pool's, unless told otherwise.
  /// - Throws: ``PostgresFault``, or what the closure throws.
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
            // Nobody waits for it any more, and it has not begun: then it need not.
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

/// What the threads of a pool share: how many are at work, and which generation of connections is used.
private final class PoolUse: Sendable {
  private struct State {
    var busy = 0
    var generation = 0
    var suspect: ServerList.Server?
  }

  private let state = Mutex(State())

  var busy: Int { state.withLock { $0.busy } }
  /// The server that was silent last.
  var suspect: ServerList.Server? { state.withLock { $0.suspect } }

  /// A server was silent on a connection of a generation: the others of that generation are as good as silent, too.
  func suspects(_ server: ServerList.Server?, of generation: Int) {
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

/// An answer that is given once.
private final class Answer<Result: Sendable>: Sendable {
  private struct State {
    var continuation: CheckedContinuation<Result, any Error>?
    var isGiven = false
    /// An answer that came before anybody waited.
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

/// What waits for a connection, in its order.
private final class JobLine: Sendable {
  typealias Job = @Sendable (Result<PostgresConnection, PostgresFault>) throws -> Void

  private let jobs = Mutex<[Job]>([])
  private let there = DispatchSemaphore(value: 0)

  var count: Int { jobs.withLock { $0.count } }

  func add(_ job: @escaping Job) {
    jobs.withLock { $0.append(job) }
    there.signal()
  }

  /// The next job, once there is one; `nil` when all is over.
  func next() -> Job? {
    there.wait()
    return jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
  }

  /// Lets so many threads find nothing, and end.
  func end(threadCount: Int) { for _ in 0..<threadCount { there.signal() } }
}
