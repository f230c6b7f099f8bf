internal import DaybookJournal
internal import Synchronization

/// The state shared by the two stages of writing.
///
/// It consists of the commits that are between the stages, their progress, and the `WRITER` lock.
/// The *journal's stage* offers a batch when it is decided, reports when the batch is durable, and
/// withdraws it if the journal fails. The *projectors' stage* takes the waiting batches and reports
/// when the views contain them. Readers wait here until the views contain every acknowledged
/// commit.
///
/// Unchecked `Sendable`: everything except `announced` is accessed only while `monitor` is locked,
/// both here and in the extension for failures.
final class Pipeline: @unchecked Sendable {
  /// The maximum number of changes that may wait for the views when a commit is acknowledged.
  static let waitingCountMax = 2_000
  /// The number of waiting changes at which the projectors' stage starts.
  static let gatheringCountMax = 64
  /// The maximum time that changes wait before the projectors' stage starts, in nanoseconds.
  static let gatheringNanoseconds: UInt64 = 5_000_000
  /// The number of groups after which the pipeline assumes that no reader is waiting.
  private static let patientGroupCount = 2

  /// The newest commit that was acknowledged in this process.
  let announced = Atomic<UInt64>(0)

  let monitor = Monitor()
  var condition = Condition.working
  var progress = CommitProgress()
  /// The batches that aren't in the views yet, oldest first.
  private var batches: [CommitBatch] = []
  private var waitingCount = 0
  /// The group that is being projected.
  private var projecting: Group?
  /// The newest commit that a reader waits for.
  private var wanted: UInt64 = 0
  private var readerCount = 0
  /// The number of groups projected since a reader last waited.
  private var groupCountWithoutReader = Pipeline.patientGroupCount
  /// The number of threads that wait for the pipeline to be empty.
  private var drainCount = 0
  /// The current lease, which lasts as long as the views lack commits.
  private var lease: WriterLease?
  /// Whether the journal's stage is processing a batch, so that the lease must not end.
  private var isLeaseInUse = false

  // MARK: The journal's stage

  /// Begins a lease; the views must contain everything up to a commit.
  func begin(_ lease: WriterLease, at sequence: UInt64) {
    monitor.locked {
      condition = .working
      progress.begin(at: sequence)
      self.lease = lease
      isLeaseInUse = true
    }
    monitor.wakeAll(.progress)
  }

  /// Continues the lease, or returns `nil` if it has ended.
  func continueLease() -> WriterLease? {
    monitor.locked {
      guard condition.isWorking, let lease else { return nil }
      isLeaseInUse = true
      return lease
    }
  }

  /// Allows the lease to end when no batches are waiting.
  func pauseLease() {
    monitor.locked {
      isLeaseInUse = false
      endLeaseIfIdle()
    }
  }

  /// Adds a decided batch, which may be projected but not committed to the views yet.
  func offer(_ batch: CommitBatch) {
    let isReason = monitor.locked {
      // After a failure of the projectors' stage, the views are updated from the journal instead.
      guard condition.isWorking else { return false }
      batches.append(batch)
      waitingCount += batch.changeCount
      return batches.count == 1 || isTimeToBegin
    }
    if isReason { monitor.wakeOne(.work) }
  }

  /// Records that everything up to a commit is durable in the journal.
  func didCommit(_ sequence: UInt64) {
    let isAwaited = monitor.locked {
      progress.didCommit(sequence)
      return projecting != nil
    }
    if isAwaited { monitor.wakeOne(.work) }
  }

  /// Withdraws the batches that aren't durable.
  func takeBack() {
    monitor.locked {
      progress.didTakeBack()
      batches.removeAll { $0.head.sequence > progress.durable }
      waitingCount = batches.reduce(0) { $0 + $1.changeCount }
    }
    monitor.wakeOne(.work)
  }

  /// Waits until at most ``waitingCountMax`` changes wait for the views.
  func waitForRoom() {
    monitor.locked {
      waitForProgress { waitingCount > Pipeline.waitingCountMax }
    }
  }

  /// Waits until the pipeline is empty, without ending the lease.
  ///
  /// - Returns: Whether the views contain all commits.
  @discardableResult
  func drain() -> Bool {
    monitor.locked {
      drainCount += 1
      waitForProgress { !isIdle }
      drainCount -= 1
      return condition.isWorking
    }
  }

  /// Waits until the pipeline is empty, and unlocks `WRITER`.
  ///
  /// - Returns: Whether the views contain all commits.
  @discardableResult
  func endLease() -> Bool {
    let isWhole = drain()
    monitor.locked {
      isLeaseInUse = false
      endLeaseIfIdle()
    }
    return isWhole
  }

  /// Records a commit that is about to be acknowledged in this process.
  func announce(_ sequence: UInt64) { announced.store(sequence, ordering: .releasing) }

  /// Ends the projectors' stage; the pipeline must be empty.
  func stop() {
    monitor.locked { condition = .stopped }
    monitor.wakeAll(.work)
    monitor.wakeAll(.progress)
  }

  // MARK: The projectors' stage

  /// Waits until it is time to project, and returns the next group.
  ///
  /// The group contains all durable batches, so that readers waiting for acknowledged commits never
  /// wait for a flush. If no batch is durable, the group contains the decided batches, so that the
  /// views are ready when the flush ends.
  ///
  /// - Returns: `nil` when the stage must end.
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
  /// - Returns: `false` if it was withdrawn.
  func waitUntilDurable(_ group: Group) -> Bool {
    monitor.locked {
      while progress.state(of: group.last, since: group.epoch) == .decided {
        monitor.wait(for: .work)
      }
      return progress.state(of: group.last, since: group.epoch) == .durable
    }
  }

  /// Records that the views contain a group.
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

  /// Records that a withdrawn group was dropped.
  func didDrop(_ group: Group) {
    monitor.locked { endGroup() }
    monitor.wakeAll(.progress)
  }

  /// Records that projecting a group failed, so that the journal's stage must update the views.
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

  /// Waits until the views contain a commit or the attempt to update them has failed.
  ///
  /// - Parameter mend: Makes the journal's stage try again if its last attempt to update the views
  ///   failed.
  /// - Throws: ``ProjectingError`` with `stateUnavailable` if the views could not be updated; its
  ///   cause is the underlying error.
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
        "Everything up to commit \(sequence) is recorded, but the views could not be updated. Free "
          + "some space on the ledger's disk, and append or rebuild; the journal is not affected.",
        cause: cause)
    }
  }

  /// Whether commits are waiting, a lease is held, or the views must be updated after a failure.
  var isBusy: Bool { monitor.locked { !condition.isWorking || lease != nil || !isIdle } }

  /// Whether commits are waiting for the views.
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
