#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A disk that is full, or slow, when a test says so.
///
/// What is already in the files can be read all the time.
package final class FaultyDisk: Sendable, Hashable {
  private let state = Lock(State())

  private struct State: Sendable {
    var isFull = false
    var flushMicroseconds: UInt32 = 0
  }

  /// A disk with room, and without delay.
  package init() {}

  /// Whether every commit is refused with `ENOSPC`, before anything is written.
  package var isFull: Bool {
    get { state.withLock { $0.isFull } }
    set { state.withLock { $0.isFull = newValue } }
  }

  /// How long every flush waits before it begins.
  package var flushMicroseconds: UInt32 {
    get { state.withLock { $0.flushMicroseconds } }
    set { state.withLock { $0.flushMicroseconds = newValue } }
  }

  /// What a commit is refused with; 0 if it may go on.
  var refusal: Int32 { isFull ? ENOSPC : 0 }

  /// Waits as long as a flush has to.
  package func delayFlush() {
    let microseconds = flushMicroseconds
    if microseconds > 0 { usleep(microseconds) }
  }

  package static func == (left: FaultyDisk, right: FaultyDisk) -> Bool { left === right }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
