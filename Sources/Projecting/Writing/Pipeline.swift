internal import Journal
internal import Synchronization

/// What the two stages of writing share: the commits between them, how far these have come, and `WRITER`.
///
/// The *journal's stage* offers a batch when it is decided, says when it is durable, and takes it back where
/// the journal fails. The *projectors' stage* takes what has gathered and says when the views hold it. Readers
/// wait here for what their callers were told.
///
/// Unchecked `Sendable`: all but `told` is only touched with `monitor` locked, here and in the extension for failures.
final class Pipeline: @unchecked Sendable {
  /// The most changes that may wait for the views when a commit is answered.
  static let waitingCountMax = 2_000
  /// So many changes are reason enough to begin.
  static let gatheringCountMax = 64
  /// So long changes gather at the most, in nanoseconds.
  static let gatheringNanoseconds: UInt64 = 5_000_000
  /// After so many groups for which nobody waited, readers have not lately waited.
  private static let patientGroupCount = 2

  /// The newest commit that anybody here was told of.
  let told = Atomic<UInt64>(0)

  let monitor = Monitor()
  var condition = Condition.working
  var progress = CommitProgress()
  /// What the views lack, oldest first.
  private var batches: [CommitBatch] = []
  private var waitingCount = 0
  /// What the projectors' stage is at.
  private var projecting: Group?
  /// The newest commit that a reader waits for, and how many wait.
  private var wanted: UInt64 = 0
  private var readerCount = 0
  /// How many groups have been projected since a reader waited.
  private var groupCountWithoutReader = Pipeline.patientGroupCount
  /// How many wait for the end of all.
  private var drainCount = 0
  /// From the first commit that the views lack until they lack none.
  private var lease: WriterLease?
  /// Whether the journal's stage is at a batch, so that the lease may not end.
  private var isLeaseInUse = false

  // MARK: The journal's stage

  /// Begins a lease: the views hold everything up to a commit.
  func begin(_ lease: WriterLease, at sequence: UInt64) {
    monitor.locked {
      condition = .working
      progress.begin(at: sequence)
      self.lease = lease
      isLeaseInUse = true
    }
    monitor.wakeAll(.progress)
  }

  /// Goes on with the lease, where it has not ended.
  func continueLease() -> WriterLease? {
    monitor.locked {
      guard condition.isWorking, let lease else { return nil }
      isLeaseInUse = true
      return lease
    }
  }

  /// Lets the lease end as soon as nothing waits.
  func pauseLease() {
    monitor.locked {
      isLeaseInUse = false
      endLeaseIfIdle()
    }
  }

  /// Gives on a batch that is decided: it may be projected, and not yet committed to the views.
  func offer(_ batch: CommitBatch) {
    let isReason = monitor.locked {
      // What a failed stage lacks is brought in from the journal.
      guard condition.isWorking else { return false }
      batches.append(batch)
      waitingCount += batch.changeCount
      return batches.count == 1 || isTimeToBegin
    }
    if isReason { monitor.wakeOne(.work) }
  }

  /// Says that everything up to a commit is in the journal for good.
  func didCommit(_ sequence: UInt64) {
    let isAwaited = monitor.locked {
      progress.didCommit(sequence)
      return projecting != nil
    }
    if isAwaited { monitor.wakeOne(.work) }
  }

  /// Takes back what is not durable.
  func takeBack() {
    monitor.locked {
      progress.didTakeBack()
      batches.removeAll { $0.head.sequence > progress.durable }
      waitingCount = batches.reduce(0) { $0 + $1.changeCount }
    }
    monitor.wakeOne(.work)
  }

  /// Waits until no more changes wait for the views than may when a commit is answered.
  func waitForRoom() {
    monitor.locked {
      waitForProgress { waitingCount > Pipeline.waitingCountMax }
    }
  }

  /// Waits until nothing waits; the lease goes on.
  ///
  /// - Returns: Whether the views hold everything.
  @discardableResult
  func drain() -> Bool {
    monitor.locked {
      drainCount += 1
      waitForProgress { !isIdle }
      drainCount -= 1
      return condition.isWorking
    }
  }

  /// Waits until nothing waits, and lets go of `WRITER`.
  ///
  /// - Returns: Whether the views hold everything.
  @discardableResult
  func endLease() -> Bool {
    let isWhole = drain()
    monitor.locked {
      isLeaseInUse = false
      endLeaseIfIdle()
    }
    return isWhole
  }

  /// Says that somebody here is about to be told of a commit.
  func tell(_ sequence: UInt64) { told.store(sequence, ordering: .releasing) }

  /// Ends the projectors' stage; nothing waits any more.
  func stop() {
    monitor.locked { condition = .stopped }
    monitor.wakeAll(.work)
    monitor.wakeAll(.progress)
  }

  // MARK: The projectors' stage

  /// What is to be projected next; waits until it is time.
  ///
  /// `nil` when the stage shall end.
  ///
  /// All that is durable, so that nobody waits for a flush who was told of what is; where nothing is, what is
  /// decided, so that it is ready when the flush is done.
  func next() -> Group? {
    monitor.locked {
      while true {
        if case .stopped = condition { return nil }
        if let oldest = batches.first {
          let now = monotonicNanoseconds()
          let begins = oldest.decidedAt &+ Pipeline.gatheringNanoseconds
          if isTimeToBegin || now >= begins { return take() }
          _ = monitor.wait(for: .work, nanoseconds: begins - now)
        } else {
          monitor.wait(for: .work)
        }
      }
    }
  }

  /// Waits until a group is durable.
  ///
  /// - Returns: false where it was taken back.
  func waitUntilDurable(_ group: Group) -> Bool {
    monitor.locked {
      while progress.state(of: group.last, since: group.epoch) == .decided {
        monitor.wait(for: .work)
      }
      return progress.state(of: group.last, since: group.epoch) == .durable
    }
  }

  /// Says that the views hold a group.
  func didProject(_ group: Group) {
    monitor.locked {
      batches.removeFirst(group.batches.count)
      waitingCount -= group.batches.reduce(0) { $0 + $1.changeCount }
      progress.didProject(group.last.head.sequence)
      if readerCount == 0 { groupCountWithoutReader += 1 }
      endGroup()
    }
    monitor.wakeAll(.progress)
  }

  /// Says that nothing has come of a group that was taken back.
  func didDrop(_ group: Group) {
    monitor.locked { endGroup() }
    monitor.wakeAll(.progress)
  }

  /// Says that the views could not take a group: what waits is for the journal's stage to bring in.
  func didBreak() {
    monitor.locked {
      condition = .broken
      batches = []
      waitingCount = 0
      endGroup()
    }
    monitor.wakeAll(.progress)
  }

  // MARK: Readers

  /// Waits until the views hold a commit, as long as they may come to.
  ///
  /// - Parameter mend: Has the journal's stage try once more where it could not bring the views up.
  /// - Throws: why they can't.
  func wait(for sequence: UInt64, mend: () -> Void) throws {
    let isToBeMended = monitor.locked {
      guard progress.projected < sequence, case .failed = condition else { return false }
      condition = .broken
      return true
    }
    if isToBeMended { mend() }
    let outcome = monitor.locked {
      guard progress.projected < sequence else { return condition }
      readerCount += 1
      groupCountWithoutReader = 0
      wanted = max(wanted, sequence)
      monitor.wakeOne(.work)
      waitForProgress(orMending: true) { progress.projected < sequence }
      readerCount -= 1
      return progress.projected < sequence ? condition : .working
    }
    if case .failed(let cause) = outcome {
      throw ProjectingError(
        .stateUnavailable,
        "Everything up to commit \(sequence) is recorded, but the views could not be brought up to it. Make "
          + "room where the ledger is, and append or rebuild; the journal is untouched.",
        cause: cause)
    }
  }

  /// Whether anything is on its way, or to be mended, here.
  var isBusy: Bool { monitor.locked { !condition.isWorking || lease != nil || !isIdle } }

  /// Whether commits are on their way to the views.
  var isAtWork: Bool { monitor.locked { condition.isWorking && !isIdle } }

  // MARK: With the monitor locked

  private var isIdle: Bool { batches.isEmpty && projecting == nil }

  private var isTimeToBegin: Bool {
    wanted > progress.projected || drainCount > 0
      || groupCountWithoutReader < Pipeline.patientGroupCount
      || waitingCount >= Pipeline.gatheringCountMax
  }

  private func take() -> Group? {
    let durable = batches.prefix { progress.state(of: $0, since: progress.epoch) == .durable }
    let taken = durable.isEmpty ? batches[...] : durable
    guard let first = taken.first, let last = taken.last else { return nil }
    projecting = Group(
      batches: taken, epoch: progress.epoch, previous: first.previous, last: last)
    return projecting
  }

  private func endGroup() {
    projecting = nil
    endLeaseIfIdle()
  }

  private func endLeaseIfIdle() {
    guard !isLeaseInUse, isIdle else { return }
    lease?.lock?.release()
    lease = nil
  }

  private func waitForProgress(orMending: Bool = false, while isWaiting: () -> Bool) {
    if isWaiting() { monitor.wakeOne(.work) }
    while isWaiting() {
      switch condition {
      case .working: break
      case .broken where orMending: break
      case .broken, .failed, .stopped: return
      }
      monitor.wait(for: .progress)
    }
  }
}
