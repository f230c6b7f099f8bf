/// A queue of jobs with its own thread, which always takes all queued jobs at once.
///
/// File locks, LMDB's lock and flushes block, so they must not run on the cooperative thread pool.
///
/// Unchecked `Sendable`: all state is accessed only while `monitor` is locked.
final class JobQueue<Job: Sendable>: @unchecked Sendable {
  private let monitor = Monitor()
  private var jobs: [Job] = []
  private var isStopped = false

  /// Adds a job.
  ///
  /// - Returns: `stopped` if the thread was stopped, or `full` if `countMax` jobs are queued. In
  ///   both cases the job never runs.
  func enqueue(_ job: Job, countMax: Int = .max) -> Enqueued {
    let (outcome, isFirst) = monitor.locked { () -> (Enqueued, Bool) in
      if isStopped { return (.stopped, false) }
      if jobs.count >= countMax { return (.full, false) }
      jobs.append(job)
      return (.accepted, jobs.count == 1)
    }
    if isFirst { monitor.wakeOne(.work) }
    return outcome
  }

  enum Enqueued {
    case accepted
    case stopped
    case full
  }

  /// Makes the thread end when its queue is empty.
  func stop() {
    monitor.locked { isStopped = true }
    monitor.wakeOne(.work)
  }

  /// Starts the thread, which calls `end` when it stops.
  ///
  /// - Parameter body: Runs the queued jobs, and returns whether the idle work is complete. While
  ///   it is not, `body` is also called without jobs whenever the queue has been empty for
  ///   `idleSeconds`.
  func start(
    idleSeconds: Int, _ body: @escaping @Sendable ([Job]) -> Bool,
    end: @escaping @Sendable () -> Void
  ) throws {
    let idleNanoseconds = UInt64(max(0, idleSeconds)) * 1_000_000_000
    try startThread { [self] in
      var isAtRest = true
      while let batch = next(isAtRest ? nil : idleNanoseconds) { isAtRest = body(batch) }
      end()
    }
  }

  /// Waits for jobs and returns them: an empty array after the idle time, or `nil` when the thread
  /// must end.
  private func next(_ idleNanoseconds: UInt64?) -> [Job]? {
    monitor.locked {
      while jobs.isEmpty && !isStopped {
        guard let idleNanoseconds else {
          monitor.wait(for: .work)
          continue
        }
        if !monitor.wait(for: .work, nanoseconds: idleNanoseconds), jobs.isEmpty {
          return isStopped ? nil : []
        }
      }
      if jobs.isEmpty { return nil }
      var batch: [Job] = []
      swap(&batch, &jobs)
      return batch
    }
  }
}
