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

  /// The descriptor that delivers events, or −1 if the system provides none and the watch only
  /// polls.
  private let events: Int32
  private let stopReader: Int32
  private let stopWriter: Int32
  #if canImport(Darwin)
    private let doorbell: Int32
  #endif

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
    #if canImport(Darwin)
      (events, doorbell) = isDeaf ? (-1, -1) : FolderWatch.queue(folder)
    #else
      events = isDeaf ? -1 : FolderWatch.notifier(folder)
    #endif
  }

  deinit {
    _ = close(stopReader)
    _ = close(stopWriter)
    if events >= 0 { _ = close(events) }
    #if canImport(Darwin)
      if doorbell >= 0 { _ = close(doorbell) }
    #endif
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
      pollfd(fd: events, events: Int16(POLLIN), revents: 0),
    ]
    _ = unsafe poll(&waited, 2, milliseconds)
    if waited[0].revents != 0 { return .stopped }
    if waited[1].revents != 0 { drain() }
    return .look
  }
}

#if canImport(Darwin)
  extension FolderWatch {
    private static func queue(_ folder: String) -> (events: Int32, doorbell: Int32) {
      let path = "\(folder)/\(Doorbell.name)"
      var doorbell = open(path, O_EVTONLY | O_CREAT | O_CLOEXEC, 0o600)
      if doorbell < 0 { doorbell = open(path, O_EVTONLY | O_CLOEXEC) }
      guard doorbell >= 0 else { return (-1, -1) }
      let events = kqueue()
      var wanted = unsafe Darwin.kevent(
        ident: UInt(doorbell), filter: Int16(EVFILT_VNODE), flags: UInt16(EV_ADD | EV_CLEAR),
        fflags: UInt32(NOTE_WRITE | NOTE_EXTEND | NOTE_ATTRIB), data: 0, udata: nil)
      guard events >= 0, unsafe kevent(events, &wanted, 1, nil, 0, nil) == 0 else {
        if events >= 0 { _ = close(events) }
        _ = close(doorbell)
        return (-1, -1)
      }
      _ = fcntl(events, F_SETFD, FD_CLOEXEC)
      return (events, doorbell)
    }

    private func drain() {
      var event = unsafe Darwin.kevent()
      var none = timespec()
      _ = unsafe kevent(events, nil, 0, &event, 1, &none)
    }
  }
#else
  extension FolderWatch {
    /// Watches the folder, because `DOORBELL` may not exist yet.
    private static func notifier(_ folder: String) -> Int32 {
      let events = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
      guard events >= 0 else { return -1 }
      if inotify_add_watch(events, folder, UInt32(IN_MODIFY | IN_CREATE | IN_MOVED_TO)) < 0 {
        _ = close(events)
        return -1
      }
      return events
    }

    private func drain() {
      var buffer = [UInt8](repeating: 0, count: 4_096)
      while unsafe read(events, &buffer, buffer.count) > 0 {}
    }
  }
#endif
