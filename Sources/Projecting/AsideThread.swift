#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A thread that does one thing while the thread that asks for it does another, mostly wait for a disk.
///
/// It is started when it is first asked, and sleeps until it is asked again: starting one each time would
/// take longer than what it does.
///
/// Unchecked `Sendable`: all but the pointers, which are set once, is only touched with `mutex` held.
final class AsideThread: @unchecked Sendable {
  private enum Condition {
    case notStarted
    case idle
    case asked
    case stopped
  }

  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var condition: Condition
  private var work: (() -> Void)?

  /// - Parameter isUsed: whether there is to be a thread; without it, things are done one after the other.
  init(isUsed: Bool) {
    condition = isUsed ? .notStarted : .stopped
    unsafe pthread_mutex_init(mutex, nil)
    unsafe pthread_cond_init(changed, nil)
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe pthread_cond_destroy(changed)
    unsafe mutex.deallocate()
    unsafe changed.deallocate()
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
    locked {
      condition = .stopped
      unsafe pthread_cond_broadcast(changed)
    }
  }

  /// - Returns: false where there is no thread to do it.
  private func begin(_ work: @escaping () -> Void) -> Bool {
    if locked({ condition }) == .notStarted {
      do { try startThread { [self] in main() } } catch { return false }
      locked { condition = .idle }
    }
    return locked {
      if condition == .stopped { return false }
      self.work = work
      condition = .asked
      unsafe pthread_cond_broadcast(changed)
      return true
    }
  }

  /// Waits until what was begun has ended.
  private func finish() {
    locked {
      while condition == .asked { unsafe pthread_cond_wait(changed, mutex) }
    }
  }

  private func main() {
    while perform() {
      locked {
        condition = .idle
        unsafe pthread_cond_broadcast(changed)
      }
    }
  }

  // What is asked for is let go of when this returns: it must not live longer than who asked waits.
  private func perform() -> Bool {
    let work = locked {
      while condition != .asked && condition != .stopped {
        unsafe pthread_cond_wait(changed, mutex)
      }
      return self.work.take()
    }
    work?()
    return work != nil
  }

  private func locked<R>(_ body: () -> R) -> R {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return body()
  }
}
