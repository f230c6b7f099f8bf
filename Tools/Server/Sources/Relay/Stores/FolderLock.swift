import Foundation

/// A lock on a relay's folder, held by one process at a time.
///
/// It is a `flock` on a file, so the system releases the lock when the process ends.
final class FolderLock: Sendable {
  private let descriptor: Int32

  /// - Throws: ``FolderInUse`` if another process holds the lock, or a `POSIXError`.
  init(folder: String) throws {
    let path = folder + "/serve.lock"
    let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard opened >= 0 else { throw POSIXError(POSIXError.Code(rawValue: errno) ?? .EIO) }
    guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
      close(opened)
      throw FolderInUse(folder: folder)
    }
    descriptor = opened
  }

  deinit { close(descriptor) }
}

/// An error that means that another process has locked the relay's folder.
package struct FolderInUse: Error, CustomStringConvertible {
  let folder: String

  /// The problem and its remedy, as sentences.
  package var description: String {
    "Couldn't lock \(folder): another process serves or copies it. Stop that process, and try again."
  }
}
