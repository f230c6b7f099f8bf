/// The queue of a thread of its own, which does what has gathered in it.
///
/// File locks, LMDB's lock and flushes block, so they must not hold up the cooperative threads.
///
/// Unchecked `Sendable`: all is only touched with `monitor` locked.
final class JobQueue<Job: Sendable>: @unchecked Sendable {
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
    if isFirst { monitor.wakeOne(.work) }
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
    monitor.wakeOne(.work)
  }

  /// Starts the thread; `end` is called last.
  ///
  /// - Parameter body: Gets what has gathered in the queue, and says whether it is at rest. While it is not, it
  ///   gets nothing each time the queue has been empty for `idleSeconds`.
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

  /// What has gathered; empty after an idle time; `nil` when the thread shall end.
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
