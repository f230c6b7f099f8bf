import DaybookPlatform

/// Counts the live transactions of an environment, and gives one caller at a time exclusive access.
///
/// The map may be grown and the environment closed only while this process has no live
/// transactions. `enter` and `leave` bracket a transaction; `exclusively` waits until all
/// transactions have ended. New transactions wait for `exclusively`, but only for a limited time:
/// their thread may have a transaction for which `exclusively` waits, so waiting without a limit
/// could cause a deadlock.
///
/// `@unchecked Sendable`: every stored variable is accessed only while `mutex` is held.
final class Gate: @unchecked Sendable {
  /// A reason why access was refused.
  enum Refusal: Error, Equatable {
    case closed
    case nestedWrite
    case impatient
    /// The lock that keeps writers out couldn't be acquired; the value is the system's error code.
    case unlocked(Int32)
  }

  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var liveCount = 0
  private var waitingCount = 0
  private var isExclusive = false
  private var isClosed = false
  /// Whether the closing call has finished.
  private var hasFinished = false
  private var isBroken = false
  private var isOpeningDatabase = false
  private var writer: pthread_t?
  /// Ended read transactions that can be renewed without searching for a new reader slot.
  private var spares: [OpaquePointer] = []
  /// The lock that is held while any transaction is live; used if LMDB has no reader table.
  private let sharedLock: SharedLock?

  init(sharedLock: SharedLock? = nil) {
    self.sharedLock = sharedLock
    spares.reserveCapacity(Limits.spareReaderCountMax)
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(changed, nil)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  private func withLock<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body()
  }

  /// Waits for a change until a wall-clock deadline; returns `false` if the deadline has passed.
  private func waitForChange(until deadline: timespec) -> Bool {
    var deadline = deadline
    return pthread_cond_timedwait(changed, mutex, &deadline) != ETIMEDOUT
  }

  private func moment(inSeconds seconds: Int) -> timespec {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    now.tv_sec += seconds
    return now
  }

  // MARK: Transactions

  /// Counts a new transaction.
  func enter(toWrite: Bool) throws(Refusal) {
    try withLock { () throws(Refusal) in
      if toWrite, let writer, pthread_equal(writer, pthread_self()) != 0 {
        throw .nestedWrite
      }
      try admit()
    }
  }

  /// Counts a new read transaction, and returns an ended transaction to renew, if there is one.
  func enterToRead() throws(Refusal) -> OpaquePointer? {
    try withLock { () throws(Refusal) in
      try admit()
      return spares.popLast()
    }
  }

  /// Counts a new transaction, after waiting for exclusive callers.
  ///
  /// The caller must hold `mutex`.
  private func admit() throws(Refusal) {
    if isExclusive || waitingCount > 0 {
      let deadline = moment(inSeconds: Limits.growthPauseSeconds)
      while waitingCount > 0, !isClosed, waitForChange(until: deadline) {}
      while isExclusive { pthread_cond_wait(changed, mutex) }
    }
    guard !isClosed, !isBroken else { throw .closed }
    if liveCount == 0, let sharedLock {
      let code = sharedLock.take()
      guard code == 0 else { throw .unlocked(code) }
    }
    liveCount += 1
  }

  /// Removes a transaction from the count; the caller must hold `mutex`.
  private func dismiss() {
    liveCount -= 1
    if liveCount == 0 { sharedLock?.release() }
  }

  /// Keeps an ended read transaction for renewal, and removes it from the count.
  ///
  /// Returns `false` without any change if enough transactions are already kept.
  func leave(keeping transaction: OpaquePointer) -> Bool {
    withLock {
      guard spares.count < Limits.spareReaderCountMax else { return false }
      spares.append(transaction)
      dismiss()
      if waitingCount > 0 { pthread_cond_broadcast(changed) }
      return true
    }
  }

  /// Returns the kept read transactions, which the caller then owns.
  func takeSpares() -> [OpaquePointer] {
    withLock {
      defer { spares = [] }
      return spares
    }
  }

  /// Records that this thread holds the write transaction.
  func wrote() {
    withLock { writer = pthread_self() }
  }

  /// Traps unless this thread holds the write transaction.
  ///
  /// LMDB's write lock belongs to the thread that acquired it. If another thread ended the
  /// transaction, the lock would stay locked, and every process would wait for it forever.
  func requireWriter() {
    let isWriter = withLock { writer.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
    precondition(isWriter, "A write transaction must end on the thread that began it.")
  }

  /// Removes a transaction from the count after it has ended or failed to begin.
  func leave(fromWrite: Bool = false, closingDatabaseOpening: Bool = false) {
    withLock {
      // LMDB may admit the next writer before this line runs, so only this thread's mark is
      // cleared.
      if fromWrite, let ended = writer, pthread_equal(ended, pthread_self()) != 0 { writer = nil }
      if closingDatabaseOpening { isOpeningDatabase = false }
      dismiss()
      if waitingCount > 0 || closingDatabaseOpening { pthread_cond_broadcast(changed) }
    }
  }

  // MARK: Opening of databases

  /// Waits until no other transaction of this process is opening databases.
  ///
  /// LMDB allows only one such transaction at a time.
  func beginOpeningDatabase() throws(Refusal) {
    try withLock { () throws(Refusal) in
      if isOpeningDatabase, let writer, pthread_equal(writer, pthread_self()) != 0 {
        throw .nestedWrite
      }
      while isOpeningDatabase { pthread_cond_wait(changed, mutex) }
      isOpeningDatabase = true
    }
  }

  // MARK: Being alone

  /// Runs a closure while no transaction is live and none can begin.
  func exclusively<R>(patienceSeconds: Int, _ body: () -> R) throws(Refusal) -> R {
    try withLock { () throws(Refusal) in
      let deadline = moment(inSeconds: patienceSeconds)
      waitingCount += 1
      var isInTime = true
      while liveCount > 0 || isExclusive, isInTime { isInTime = waitForChange(until: deadline) }
      waitingCount -= 1
      guard liveCount == 0, !isExclusive else {
        pthread_cond_broadcast(changed)
        throw .impatient
      }
      isExclusive = true
    }
    defer {
      withLock {
        isExclusive = false
        pthread_cond_broadcast(changed)
      }
    }
    return body()
  }

  /// Closes the gate permanently; the first call also runs the closure.
  ///
  /// When this method returns, the closure has finished, even if another call is the one that ran
  /// it.
  func close(_ body: () -> Void) throws(Refusal) {
    let isFirst = try withLock { () throws(Refusal) -> Bool in
      if isClosed {
        while !hasFinished { pthread_cond_wait(changed, mutex) }
        return false
      }
      guard liveCount == 0, !isExclusive else { throw .impatient }
      isClosed = true
      pthread_cond_broadcast(changed)
      return true
    }
    guard isFirst else { return }
    body()
    withLock {
      hasFinished = true
      pthread_cond_broadcast(changed)
    }
  }

  /// Whether closing has finished.
  var isFinished: Bool { withLock { hasFinished } }

  /// Refuses all further access because the map is lost; the environment can still be closed.
  func breakDown() {
    withLock { isBroken = true }
  }
}
