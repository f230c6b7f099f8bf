#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Keeps writers away while an environment is read, in place of LMDB's table of readers.
///
/// Where nothing can be written there is no place in that table to be had, and a writer could use the pages again
/// that are being read. Whoever writes holds an exclusive `flock` on a file meanwhile; so readers hold a shared one.
/// Reading is enough to take it.
///
/// `@unchecked Sendable`: `descriptor` is touched only while the mutex of the ``Gate`` that owns the lock is held.
final class SharedLock: @unchecked Sendable {
  private let path: String
  private let queuePath: String?
  private var descriptor: Int32 = -1

  /// - Parameter queuePath: What those who wait for the file hold locked meanwhile, where it is there.
  init(path: String, queuePath: String? = nil) {
    self.path = path
    self.queuePath = queuePath
  }

  deinit { release() }

  /// Waits for whoever writes, and keeps the next one waiting.
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

  /// Lets writers go on.
  func release() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }
}
