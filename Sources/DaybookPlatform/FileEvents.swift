/// Delivers a system's events about a file, which may not exist yet.
///
/// `Sendable`: the descriptors never change and are closed with the object.
package final class FileEvents: Sendable {
  /// The descriptor that becomes readable when there are events.
  package let descriptor: Int32
  #if canImport(Darwin)
    private let file: Int32

    /// Begins watching with kqueue, which needs the file itself; returns `nil` if the system can't.
    package init?(folder: String, name: String) {
      let path = "\(folder)/\(name)"
      var file = open(path, O_EVTONLY | O_CREAT | O_CLOEXEC, 0o600)
      if file < 0 { file = open(path, O_EVTONLY | O_CLOEXEC) }
      guard file >= 0 else { return nil }
      let queue = kqueue()
      var wanted = Darwin.kevent(
        ident: UInt(file), filter: Int16(EVFILT_VNODE), flags: UInt16(EV_ADD | EV_CLEAR),
        fflags: UInt32(NOTE_WRITE | NOTE_EXTEND | NOTE_ATTRIB), data: 0, udata: nil)
      guard queue >= 0, kevent(queue, &wanted, 1, nil, 0, nil) == 0 else {
        if queue >= 0 { _ = close(queue) }
        _ = close(file)
        return nil
      }
      _ = fcntl(queue, F_SETFD, FD_CLOEXEC)
      (descriptor, self.file) = (queue, file)
    }

    /// Reads the waiting events.
    package func drain() {
      var event = Darwin.kevent()
      var none = timespec()
      _ = kevent(descriptor, nil, 0, &event, 1, &none)
    }

    deinit {
      _ = close(descriptor)
      _ = close(file)
    }
  #else
    /// Begins watching the folder with inotify; returns `nil` if the system can't.
    package init?(folder: String, name: String) {
      descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
      guard descriptor >= 0 else { return nil }
      if inotify_add_watch(descriptor, folder, UInt32(IN_MODIFY | IN_CREATE | IN_MOVED_TO)) < 0 {
        _ = close(descriptor)
        return nil
      }
    }

    /// Reads the waiting events.
    package func drain() {
      var buffer = [UInt8](repeating: 0, count: 4_096)
      while read(descriptor, &buffer, buffer.count) > 0 {}
    }

    deinit { _ = close(descriptor) }
  #endif
}
