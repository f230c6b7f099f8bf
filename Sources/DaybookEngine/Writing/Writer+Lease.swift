internal import DaybookEntities
internal import DaybookJournal
internal import DaybookLMDB

/// The period during which the views may lack commits.
///
/// `WRITER` stays locked for the whole lease. If another process acquired the lock, it would write
/// the missing commits to the views, and the projectors' stage would then write them a second time.
struct WriterLease {
  /// The `WRITER` lock; `nil` for a store in memory.
  let lock: WriterLock?
}

extension Writer {
  /// The time after which a lease yields to other processes waiting for `WRITER`, in nanoseconds.
  static let leaseNanoseconds: UInt64 = 20_000_000

  /// Continues the lease, or begins one after adding all commits to the views.
  func continueOrBeginLease() throws -> DecisionContext {
    let isYieldDue = monotonicNanoseconds() &- lastYield > Writer.leaseNanoseconds
    if let lease = pipeline.continueLease() {
      let hasToGo = try isYieldDue && !options.isEphemeral && folder.isWriterWanted()
      if isYieldDue { lastYield = monotonicNanoseconds() }
      if !hasToGo, let context {
        currentLock = lease.lock
        return context
      }
    }
    endLease()
    return try beginLease(fairly: isYieldDue)
  }

  private func beginLease(fairly: Bool) throws -> DecisionContext {
    let lock = options.isEphemeral ? nil : try takeLock(fairly: fairly)
    currentLock = lock
    do {
      try adoptCurrentGenerations()
      try markSession()
      let head = Checkpoint(try open.journal.head())
      if lastSeen != head { forgetWhatWasRead() }
      try catchUp(to: head)
      lastSeen = head
      let context = DecisionContext(host: state, clusterTags: clusterTags)
      self.context = context
      pipeline.begin(WriterLease(lock: lock), at: head.sequence)
      ring()
      return context
    } catch {
      currentLock = nil
      lock?.release()
      throw error
    }
  }

  /// Waits until the views contain all commits, and unlocks `WRITER`.
  ///
  /// If the projectors' stage has failed, the next lease adds the missing commits.
  func endLease() {
    context = nil
    pipeline.endLease()
    currentLock = nil
  }

  /// Locks `WRITER`.
  ///
  /// - Parameter fairly: Whether to queue behind processes that are already waiting.
  private func takeLock(fairly: Bool) throws -> WriterLock {
    options.trace?("before WRITER")
    let free = fairly ? nil : try folder.tryLockWriter()
    if free == nil { lastYield = monotonicNanoseconds() }
    let lock = try free ?? folder.lockWriter()
    options.trace?("after WRITER")
    return lock
  }

  /// Runs `body` with `WRITER` locked, without a lease; an ephemeral store has no lock.
  ///
  /// Observers are notified of new commits after the lock is released.
  func withLock<Result>(_ body: () throws -> Result) throws -> Result {
    defer { ring() }
    if options.isEphemeral { return try body() }
    let lock = try takeLock(fairly: true)
    currentLock = lock
    defer {
      currentLock = nil
      lock.release()
    }
    return try body()
  }

  /// Ends the lease and runs exclusive work, with views that contain all commits.
  ///
  /// - Parameter needsViews: Whether to throw without running `body` if the views cannot be
  ///   updated.
  func alone<Result>(needsViews: Bool = true, _ body: () throws -> Result) throws -> Result {
    if isSuspended { throw isClosed ? closed : suspended }
    endLease()
    if pipeline.isBroken {
      do { try withLock(bringUp) } catch {
        pipeline.fail(for: error)
        if needsViews { throw error }
      }
    }
    return try body()
  }

  /// Updates the views to the newest commit of the journal; the caller must hold `WRITER`.
  func bringUp() throws {
    try adoptCurrentGenerations()
    guard open.journal.readOnlyReason == nil else { return }
    try markSession()
    let head = Checkpoint(try open.journal.head())
    try catchUp(to: head)
    pipeline.mended(at: head.sequence)
  }

  /// Runs `body` within a lease; it adds commits to the views without using the projectors' stage.
  ///
  /// Errors are recorded in the pipeline instead of being thrown.
  func mendViews(_ body: () throws -> Void) {
    do {
      try body()
      pipeline.mended(at: try open.journal.head().sequence)
    } catch {
      lastSeen = nil
      options.trace?("views failed: \(error)")
      pipeline.fail(for: error)
    }
  }

  /// Notifies observers if this stage has updated the views since the last notification.
  func ring() {
    guard let head = news else { return }
    news = nil
    views.ring(at: head)
  }
}
