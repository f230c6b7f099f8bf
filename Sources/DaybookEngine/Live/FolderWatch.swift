internal import DaybookPlatform

/// Waits for changes in a ledger's folder: with inotify on Linux, kqueue on Darwin.
///
/// `Sendable`: the descriptors never change and are closed with the object.
final class FolderWatch: Sendable {
  enum Outcome {
    /// Something may have changed, or the wait has timed out.
    case look
    /// The watch was stopped.
    case stopped
  }

  /// The events, or `nil` if the system provides none, in which case only polling remains.
  private let events: FileEvents?
  private let stopReader: Int32
  private let stopWriter: Int32

  /// Begins watching; changes after this call are not missed.
  ///
  /// - Parameter isDeaf: Whether to ignore changes and only poll, for tests.
  init?(folder: String, isDeaf: Bool) {
    var ends: (Int32, Int32) = (-1, -1)
    let code = unsafe withUnsafeMutablePointer(to: &ends) { pair in
      unsafe pair.withMemoryRebound(to: Int32.self, capacity: 2) { unsafe pipe($0) }
    }
    guard code == 0 else { return nil }
    (stopReader, stopWriter) = ends
    _ = fcntl(stopReader, F_SETFD, FD_CLOEXEC)
    _ = fcntl(stopWriter, F_SETFD, FD_CLOEXEC)
    events = isDeaf ? nil : FileEvents(folder: folder, name: Doorbell.name)
  }

  deinit {
    _ = close(stopReader)
    _ = close(stopWriter)
  }

  /// Ends all present and future waits.
  func stop() {
    var byte: UInt8 = 1
    _ = unsafe write(stopWriter, &byte, 1)
  }

  /// Waits until something changes, but not longer than `milliseconds`.
  func wait(milliseconds: Int32) -> Outcome {
    // `poll` ignores a negative descriptor.
    var waited = [
      pollfd(fd: stopReader, events: Int16(POLLIN), revents: 0),
      pollfd(fd: events?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    _ = unsafe poll(&waited, 2, milliseconds)
    if waited[0].revents != 0 { return .stopped }
    if waited[1].revents != 0 { events?.drain() }
    return .look
  }
}
