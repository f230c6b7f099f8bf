internal import Entities
internal import Journal
internal import LMDB

/// The time in which the views may lack commits.
///
/// `WRITER` is held from its beginning to its end: whoever had it meanwhile would bring these commits into the
/// views, and the projectors' stage would do so once more.
struct WriterLease {
  /// `WRITER`; a store in memory has none.
  let lock: WriterLock?
}

extension Writer {
  /// After so long others that wait for `WRITER` are let in, in nanoseconds.
  static let leaseNanoseconds: UInt64 = 20_000_000

  /// Goes on with the lease, or begins one with views that hold everything committed.
  func continueOrBeginLease() throws -> DecisionContext {
    let isCourtesyDue = monotonicNanoseconds() &- lastCourtesy > Writer.leaseNanoseconds
    if let lease = pipeline.continueLease() {
      let hasToGo = try isCourtesyDue && !options.isEphemeral && folder.isWriterWanted()
      if isCourtesyDue { lastCourtesy = monotonicNanoseconds() }
      if !hasToGo, let context {
        currentLock = lease.lock
        return context
      }
    }
    endLease()
    return try beginLease(fairly: isCourtesyDue)
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

  /// Waits until the views hold everything, and lets go of `WRITER`; where the projectors' stage has failed,
  /// what it lacks is for the next lease.
  func endLease() {
    context = nil
    pipeline.endLease()
    currentLock = nil
  }

  /// Takes `WRITER`.
  ///
  /// - Parameter fairly: after those that wait for it already.
  private func takeLock(fairly: Bool) throws -> WriterLock {
    options.trace?("before WRITER")
    let free = fairly ? nil : try folder.tryLockWriter()
    if free == nil { lastCourtesy = monotonicNanoseconds() }
    let lock = try free ?? folder.lockWriter()
    options.trace?("after WRITER")
    return lock
  }

  /// Takes `WRITER`, does something, and lets it go; an ephemeral store has nothing to lock.
  ///
  /// Whoever listens hears of what was committed once the lock is free again. No lease goes on.
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

  /// Ends the lease, so that the views hold everything, and does what is done alone.
  ///
  /// - Parameter needsViews: Whether there is nothing to be done where they can't be brought up.
  func alone<Result>(needsViews: Bool = true, _ body: () throws -> Result) throws -> Result {
    endLease()
    if pipeline.isBroken {
      do { try withLock(bringUp) } catch {
        pipeline.fail(for: error)
        if needsViews { throw error }
      }
    }
    return try body()
  }

  /// Brings the views up to the journal's head; the caller holds `WRITER`.
  func bringUp() throws {
    try adoptCurrentGenerations()
    guard open.journal.readOnlyReason == nil else { return }
    try markSession()
    let head = Checkpoint(try open.journal.head())
    try catchUp(to: head)
    pipeline.mended(at: head.sequence)
  }

  /// Brings the views up within a lease, after what was recorded went by the projectors' stage.
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

  /// Tells whoever listens that the views were brought further here.
  func ring() {
    guard let head = news else { return }
    news = nil
    views.ring(at: head)
  }
}
