import DaybookPlatform
import Synchronization

/// The `WRITER` lock of a ledger, held until it is released or deallocated.
///
/// It is a `flock` on a newly opened file descriptor, so it excludes other threads of this process
/// as well as other processes. If the process ends, the system releases the lock. The lock may be
/// released on any thread.
package final class WriterLock: Sendable {
  private let owner: String
  private let descriptor: Mutex<Int32?>

  private init(owner: String, descriptor: Int32) {
    self.owner = owner
    self.descriptor = Mutex(descriptor)
  }

  deinit { release() }

  /// Takes the lock on the file at `path`.
  ///
  /// Returns `nil` if another process or thread holds the lock and `waiting` is `false`.
  ///
  /// - Parameter isShared: Whether other readers may hold the lock at the same time. A shared lock
  ///   doesn't permit writing, and taking one needs no write permission for the file.
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
      // If the file was replaced during the wait, other processes lock the new file, so try again.
      guard let now = try Files.identity(path), now.inode == opened.inode,
        now.device == opened.device
      else { continue }
      let kept = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)
      guard kept >= 0 else { throw Files.failure("Keeping the lock on", path) }
      return WriterLock(owner: isShared ? "" : owner, descriptor: kept)
    }
  }

  /// Releases the lock; does nothing if it has been released.
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
  /// The file that the next process in line for `WRITER` keeps locked; see ``lockWriter()``.
  package var nextPath: String { path + "/NEXT" }

  /// Waits for the `WRITER` lock and takes it.
  ///
  /// The system doesn't grant a lock in the order of requests; often the process that has just
  /// released it gets it again. To prevent starvation, a process locks `NEXT` while it waits for
  /// `WRITER`. A process that holds `WRITER` for a long time must call ``isWriterWanted()``
  /// regularly. If that returns `true`, the process releases the lock and calls this method again,
  /// which queues it behind the waiting process.
  package func lockWriter() throws(JournalError) -> WriterLock {
    let turn = try WriterLock.take(nextPath, for: path, waiting: true)
    defer { turn?.release() }
    guard let lock = try WriterLock.take(writerPath, for: path, waiting: true) else {
      throw JournalError(.fileSystem, "The lock of “\(path)” can't be acquired.", path: path)
    }
    return lock
  }

  /// Takes the `WRITER` lock, or returns `nil` if another process or thread holds it.
  ///
  /// The call may get ahead of waiting processes, so don't call it repeatedly.
  package func tryLockWriter() throws(JournalError) -> WriterLock? {
    try WriterLock.take(writerPath, for: path, waiting: false)
  }

  /// Returns whether another process or thread is waiting for `WRITER`.
  package func isWriterWanted() throws(JournalError) -> Bool {
    guard let turn = try WriterLock.take(nextPath, for: path, waiting: false) else { return true }
    turn.release()
    return false
  }

  /// Runs `body` with the `WRITER` lock held.
  package func withWriter<Result>(_ body: (WriterLock) throws -> Result) throws -> Result {
    let lock = try lockWriter()
    defer { lock.release() }
    return try body(lock)
  }
}
