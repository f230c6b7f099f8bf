import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The lock `WRITER` of a ledger, held until it is released or dropped.
///
/// It is a `flock` on a file that is opened anew each time, so that it excludes other threads of
/// this process as well as other processes, and ends with the process at the latest. It may be
/// released on another thread than it was taken on.
package final class WriterLock: Sendable {
  private let owner: String
  private let descriptor: Mutex<Int32?>

  private init(owner: String, descriptor: Int32) {
    self.owner = owner
    self.descriptor = Mutex(descriptor)
  }

  deinit { release() }

  /// Takes the lock on the file at `path`; `nil` where another has it and `waiting` is false.
  ///
  /// - Parameter isShared: Whether others may hold it too, who only read; such a lock allows no writing, and takes no
  ///   right to write to the file.
  static func take(
    _ path: String, for owner: String, waiting: Bool, isShared: Bool = false
  ) throws(JournalError) -> WriterLock? {
    let operation = (isShared ? LOCK_SH : LOCK_EX) | (waiting ? 0 : LOCK_NB)
    while true {
      let file = try Files.open(path, isShared ? O_RDONLY : O_RDWR | O_CREAT)
      let opened = try Files.identity(of: file, path)
      while flock(file.descriptor, operation) != 0 {
        if errno == EWOULDBLOCK { return nil }
        if errno != EINTR { throw Files.failure("Locking", path) }
      }
      // While this one waited, the file may have been replaced: then the lock is on a file that
      // nobody else looks at.
      guard let now = try Files.identity(path), now.inode == opened.inode,
        now.device == opened.device
      else { continue }
      let kept = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)
      guard kept >= 0 else { throw Files.failure("Keeping the lock on", path) }
      return WriterLock(owner: isShared ? "" : owner, descriptor: kept)
    }
  }

  /// Gives the lock back; doing so again has no effect.
  package func release() {
    descriptor.withLock { held in
      if let open = held { _ = close(open) }
      held = nil
    }
  }

  func isHeld(for path: String) -> Bool {
    owner == path && descriptor.withLock { $0 != nil }
  }
}

extension StoreFolder {
  /// The file that the one who has `WRITER` next holds locked; see ``lockWriter()``.
  package var nextPath: String { path + "/NEXT" }

  /// Waits for the lock `WRITER` and takes it.
  ///
  /// The system gives a lock to anybody, mostly to whoever has just let go of it. So that nobody waits for ever,
  /// who wants `WRITER` waits for it with `NEXT` locked. Whoever holds it long asks ``isWriterWanted()`` now and
  /// then, lets go of it, and comes here again: behind the one who waits.
  package func lockWriter() throws(JournalError) -> WriterLock {
    let turn = try WriterLock.take(nextPath, for: path, waiting: true)
    defer { turn?.release() }
    guard let lock = try WriterLock.take(writerPath, for: path, waiting: true) else {
      throw JournalError(.fileSystem, "The lock of “\(path)” can't be had.", path: path)
    }
    return lock
  }

  /// Takes the lock `WRITER`, or returns `nil` where another has it.
  ///
  /// It may overtake others that wait: not to be done again and again.
  package func tryLockWriter() throws(JournalError) -> WriterLock? {
    try WriterLock.take(writerPath, for: path, waiting: false)
  }

  /// Whether anybody waits for `WRITER`.
  package func isWriterWanted() throws(JournalError) -> Bool {
    guard let turn = try WriterLock.take(nextPath, for: path, waiting: false) else { return true }
    turn.release()
    return false
  }

  /// Calls `body` while the lock `WRITER` is held.
  package func withWriter<Result>(_ body: (WriterLock) throws -> Result) throws -> Result {
    let lock = try lockWriter()
    defer { lock.release() }
    return try body(lock)
  }
}
