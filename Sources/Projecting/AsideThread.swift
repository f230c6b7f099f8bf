/// A thread that does one thing while the thread that asks for it does another: waits for a disk, or decides.
///
/// It is started when it is first asked, and sleeps until it is asked again: starting one each time would
/// take longer than what it does.
///
/// Unchecked `Sendable`: all is only touched with `monitor` locked.
final class AsideThread: @unchecked Sendable {
  private enum Condition {
    case notStarted
    case idle
    case asked
    case stopped
  }

  private let monitor = Monitor()
  private var condition: Condition
  private var work: (() -> Void)?

  /// - Parameter isUsed: whether there is to be a thread; without it, things are done one after the other.
  init(isUsed: Bool) {
    condition = isUsed ? .notStarted : .stopped
  }

  /// Does two things at a time and returns when both have ended.
  ///
  /// Where there is no thread, one after the other, and `aside` only where `body` did not throw.
  ///
  /// They may share what is not `Sendable`, as long as each leaves alone what the other touches. To be
  /// called by one thread at a time.
  ///
  /// - Returns: what `aside` came to; of `body` nothing, since it throws itself.
  func run(
    _ aside: () throws -> Void, beside body: () throws -> Void
  ) throws -> Result<Void, any Error> {
    var outcome = Result<Void, any Error>.success(())
    func perform() { outcome = Result { try aside() } }
    try withoutActuallyEscaping(perform) { work in
      guard begin(work) else {
        try body()
        return work()
      }
      defer { finish() }
      try body()
    }
    return outcome
  }

  /// Lets the thread end.
  func stop() {
    monitor.locked { condition = .stopped }
    monitor.wakeAll()
  }

  /// Begins something; ``finish()`` has to follow before anything else is asked for.
  ///
  /// - Returns: false where there is no thread to do it.
  func begin(_ work: @escaping () -> Void) -> Bool {
    if monitor.locked({ condition }) == .notStarted {
      do { try startThread { [self] in main() } } catch { return false }
      monitor.locked { condition = .idle }
    }
    let isAsked = monitor.locked {
      if condition == .stopped { return false }
      self.work = work
      condition = .asked
      return true
    }
    monitor.wakeAll()
    return isAsked
  }

  /// Waits until what was begun has ended.
  func finish() {
    monitor.locked {
      while condition == .asked { monitor.wait() }
    }
  }

  private func main() {
    while perform() {
      monitor.locked { condition = .idle }
      monitor.wakeAll()
    }
  }

  // What is asked for is let go of when this returns: it must not live longer than who asked waits.
  private func perform() -> Bool {
    let work = monitor.locked {
      while condition != .asked && condition != .stopped {
        monitor.wait()
      }
      return self.work.take()
    }
    work?()
    return work != nil
  }
}
