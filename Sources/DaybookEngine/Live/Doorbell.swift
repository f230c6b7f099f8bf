internal import DaybookPlatform

/// The file `DOORBELL` of a ledger, through which a writer notifies other processes of a commit.
///
/// The writer writes a byte into the file, and the operating system notifies the processes that
/// watch it. The content of the file has no meaning. Delivery is not guaranteed: the file may not
/// be writable, or a notification may be lost. Watching processes therefore also poll.
///
/// Not `Sendable`: it belongs to the current user of the ``ViewsWriter``.
final class Doorbell {
  static let name = "DOORBELL"

  private let path: String
  private var descriptor: Int32?

  init(folder: String) { path = "\(folder)/\(Doorbell.name)" }

  deinit { release() }

  /// Closes the file; the next notification opens it again.
  func release() {
    if let descriptor { _ = close(descriptor) }
    descriptor = nil
  }

  /// Notifies other processes.
  ///
  /// This takes one system call on a file that stays open: well below a microsecond.
  func ring() {
    let descriptor = descriptor ?? open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    self.descriptor = descriptor
    var byte: UInt8 = 1
    _ = unsafe pwrite(descriptor, &byte, 1, 0)
  }
}
