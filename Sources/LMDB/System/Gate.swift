#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Counts the live transactions of one environment, and lets one caller at a time be alone.
///
/// Growing the map and closing may only happen while no transaction of this process lives. Many
/// may be inside (`enter`/`leave`); `exclusively` waits until they have left. Those who come
/// meanwhile give way for a bounded time only: they may themselves hold a transaction that the
/// waiting one waits for, and then giving way for ever would be a deadlock.
///
/// `@unchecked Sendable`: every stored variable is touched only while `mutex` is held.
final class Gate: @unchecked Sendable {
  /// Why somebody was not let in.
  enum Refusal: Error, Equatable {
    case closed
    case nestedWrite
    case impatient
    /// The lock that keeps writers away was not to be had: the system's error code.
    case unlocked(Int32)
  }

  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var liveCount = 0
  private var waitingCount = 0
  private var isExclusive = false
  private var isClosed = false
  /// Whether whoever closed is done with it.
  private var hasFinished = false
  private var isBroken = false
  private var isOpeningDatabase = false
  private var writer: pthread_t?
  /// Read transactions that have ended and can begin again, without the search for a reader's slot.
  private var spares: [OpaquePointer] = []
  /// Held as long as any transaction lives, where LMDB keeps no table of readers.
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

  /// Waits for a change until a moment of the wall clock; false when that has come.
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

  /// One more transaction is about to begin.
  func enter(toWrite: Bool) throws(Refusal) {
    try withLock { () throws(Refusal) in
      if toWrite, let writer, pthread_equal(writer, pthread_self()) != 0 {
        throw .nestedWrite
      }
      try admit()
    }
  }

  /// A read transaction is about to begin; returns one that can begin again, if there is one.
  func enterToRead() throws(Refusal) -> OpaquePointer? {
    try withLock { () throws(Refusal) in
      try admit()
      return spares.popLast()
    }
  }

  /// Counts one more, after whoever wants to be alone; `mutex` is held.
  private func admit() throws(Refusal) {
    if isExclusive || waitingCount > 0 {
      let deadline = moment(inSeconds: Limits.growthCourtesySeconds)
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

  /// Counts one less; `mutex` is held.
  private func dismiss() {
    liveCount -= 1
    if liveCount == 0 { sharedLock?.release() }
  }

  /// A read transaction has ended and could begin again.
  ///
  /// Returns false where enough are kept already: then it has not left.
  func leave(keeping transaction: OpaquePointer) -> Bool {
    withLock {
      guard spares.count < Limits.spareReaderCountMax else { return false }
      spares.append(transaction)
      dismiss()
      if waitingCount > 0 { pthread_cond_broadcast(changed) }
      return true
    }
  }

  /// Hands over the read transactions that were kept.
  func takeSpares() -> [OpaquePointer] {
    withLock {
      defer { spares = [] }
      return spares
    }
  }

  /// The transaction of this thread has begun to write.
  func wrote() {
    withLock { writer = pthread_self() }
  }

  /// Traps unless this thread may end the write transaction.
  ///
  /// LMDB's write lock belongs to the thread that took it. Ended by another one, the transaction
  /// would leave the lock behind, and every process would wait for it for ever.
  func requireWriter() {
    let isWriter = withLock { writer.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
    precondition(isWriter, "A write transaction must end on the thread that began it.")
  }

  /// A transaction has ended, or could not begin.
  func leave(fromWrite: Bool = false, closingDatabaseOpening: Bool = false) {
    withLock {
      // LMDB lets the next writer in before this is reached: its mark must stay.
      if fromWrite, let ended = writer, pthread_equal(ended, pthread_self()) != 0 { writer = nil }
      if closingDatabaseOpening { isOpeningDatabase = false }
      dismiss()
      if waitingCount > 0 || closingDatabaseOpening { pthread_cond_broadcast(changed) }
    }
  }

  // MARK: Opening of databases

  /// Waits until no other transaction of this process is opening databases; LMDB allows one only.
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

  /// Runs a closure while no transaction lives and none can begin.
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

  /// Closes for good; runs the closure if this call is the one that closed.
  ///
  /// When it returns, the closure has ended, whoever ran it.
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

  /// Lets nobody in any more, because the map is lost; the environment can still be closed.
  func breakDown() {
    withLock { isBroken = true }
  }
}
