import DaybookPlatform

/// Keeps writers out while an environment is being read; replaces LMDB's reader table.
///
/// A reader without write permission can't enter itself in the reader table, so a writer could
/// reuse pages that are being read. Instead, writers hold an exclusive `flock` on a file, and
/// readers hold a shared lock on it, for which read permission is enough.
///
/// `@unchecked Sendable`: `descriptor` is accessed only while the mutex of the ``Gate`` that owns
/// the lock is held.
final class SharedLock: @unchecked Sendable {
  private let path: String
  private let queuePath: String?
  private var descriptor: Int32 = -1

  /// Creates a lock that isn't held.
  ///
  /// - Parameter queuePath: A file that waiting callers keep locked, if it exists.
  init(path: String, queuePath: String? = nil) {
    self.path = path
    self.queuePath = queuePath
  }

  deinit { release() }

  /// Waits for the current writer to finish, and keeps other writers out.
  ///
  /// - Returns: 0, or the system's error code.
  func take() -> Int32 {
    var queue: Int32 = -1
    if let queuePath {
      let code = SharedLock.lock(queuePath, &queue)
      if code != 0, code != ENOENT { return code }
    }
    defer { if queue >= 0 { close(queue) } }
    return SharedLock.lock(path, &descriptor)
  }

  private static func lock(_ path: String, _ descriptor: inout Int32) -> Int32 {
    let opened = open(path, O_RDONLY | O_CLOEXEC)
    guard opened >= 0 else { return errno }
    while flock(opened, LOCK_SH) != 0 {
      let code = errno
      if code == EINTR { continue }
      close(opened)
      return code
    }
    descriptor = opened
    return 0
  }

  /// Admits writers again.
  func release() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }
}
