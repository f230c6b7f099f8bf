#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The file `DOORBELL` of a ledger: whoever commits writes a byte into it, so that other processes
/// hear of it from their operating system.
///
/// What the file holds says nothing. It is a help, not a promise: where it cannot be written, or a
/// ring goes unheard, those who listen find out by looking now and then.
///
/// Not `Sendable`: it belongs to whoever has the ``ViewsWriter``.
final class Doorbell {
  static let name = "DOORBELL"

  private let path: String
  private var descriptor: Int32?

  init(folder: String) { path = "\(folder)/\(Doorbell.name)" }

  deinit { if let descriptor { _ = close(descriptor) } }

  /// Rings: one system call on a file that stays open, well below a microsecond.
  func ring() {
    let descriptor = descriptor ?? open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    self.descriptor = descriptor
    var byte: UInt8 = 1
    _ = unsafe pwrite(descriptor, &byte, 1, 0)
  }
}
