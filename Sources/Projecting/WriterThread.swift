internal import LMDB

/// One thread that does all the writing of an open store, fed by a queue.
///
/// File locks, LMDB's lock and flushes block, so they must not hold up the cooperative threads.
///
/// Unchecked `Sendable`: all is only touched with `monitor` locked.
final class WriterThread<Job: Sendable>: @unchecked Sendable {
  private let monitor = Monitor()
  private var jobs: [Job] = []
  private var isStopped = false

  /// Adds a job.
  ///
  /// - Returns: false where the thread has been stopped or `countMax` jobs wait; the job is then
  ///   not done.
  func enqueue(_ job: Job, countMax: Int = .max) -> Enqueued {
    let (outcome, isFirst) = monitor.locked { () -> (Enqueued, Bool) in
      if isStopped { return (.stopped, false) }
      if jobs.count >= countMax { return (.full, false) }
      jobs.append(job)
      return (.accepted, jobs.count == 1)
    }
    if isFirst { monitor.wakeOne() }
    return outcome
  }

  enum Enqueued {
    case accepted
    case stopped
    case full
  }

  /// Lets the thread end when its queue is empty.
  func stop() {
    monitor.locked { isStopped = true }
    monitor.wakeOne()
  }

  /// Starts the thread; `body` gets what has gathered in the queue, or nothing when the queue has
  /// been empty for `idleSeconds`, and `end` is called last.
  func start(
    idleSeconds: Int, _ body: @escaping @Sendable ([Job]) -> Void,
    end: @escaping @Sendable () -> Void
  ) throws {
    try startThread { [self] in
      while let batch = next(idleSeconds: idleSeconds) { body(batch) }
      end()
    }
  }

  /// What has gathered; empty after an idle time; `nil` when the thread shall end.
  private func next(idleSeconds: Int) -> [Job]? {
    monitor.locked {
      while jobs.isEmpty && !isStopped {
        if !monitor.wait(seconds: idleSeconds), jobs.isEmpty { return isStopped ? nil : [] }
      }
      if jobs.isEmpty { return nil }
      var batch: [Job] = []
      swap(&batch, &jobs)
      return batch
    }
  }
}

/// Starts a thread that does one thing and ends; nobody waits for it.
func startThread(_ body: @escaping @Sendable () -> Void) throws {
  var code: Int32 = 0
  // Decisions and projections of applications run on such threads: give them a main thread's stack.
  let thread = NativeThread(stackByteCount: 8 << 20, refusal: { code = $0 }, body)
  guard let thread else {
    throw ProjectingError(
      .limit, "The system refused a thread (error \(code)). Close what is not needed.")
  }
  thread.detach()
}

/// Runs pieces of work at the same time, the first on this thread, and returns when all have ended.
///
/// Where the system has no thread to give, a piece runs after the first, which must not wait for it.
///
/// - Throws: what the first piece that failed threw.
func runInParallel(_ pieces: [@Sendable () throws -> Void]) throws {
  let outcomes = pieces.map { _ in Lock<(any Error)?>(nil) }
  func run(_ index: Int) {
    do { try pieces[index]() } catch { outcomes[index].withLock { $0 = error } }
  }
  var threads: [NativeThread] = []
  // After the first, for which they may wait.
  var refused: [Int] = []
  for index in pieces.indices.dropFirst() {
    if let thread = NativeThread({ run(index) }) {
      threads.append(thread)
    } else {
      refused.append(index)
    }
  }
  if !pieces.isEmpty { run(0) }
  for index in refused { run(index) }
  for thread in threads { thread.join() }
  for outcome in outcomes {
    if let error = outcome.withLock({ $0 }) { throw error }
  }
}
