import DaybookPlatform

/// A simulated disk that can be full or slow, for tests.
///
/// Existing data can always be read.
package final class FaultyDisk: Sendable, Hashable {
  private let state = Lock(State())

  private struct State: Sendable {
    var isFull = false
    var flushMicroseconds: UInt32 = 0
  }

  /// Creates a disk that has free space and no delay.
  package init() {}

  /// Whether every commit fails with `ENOSPC` before it writes anything.
  package var isFull: Bool {
    get { state.withLock { $0.isFull } }
    set { state.withLock { $0.isFull = newValue } }
  }

  /// The delay before every flush, in microseconds.
  package var flushMicroseconds: UInt32 {
    get { state.withLock { $0.flushMicroseconds } }
    set { state.withLock { $0.flushMicroseconds = newValue } }
  }

  /// The error code with which a commit fails, or 0 if it may proceed.
  var refusal: Int32 { isFull ? ENOSPC : 0 }

  /// Waits for the simulated delay of a flush.
  package func delayFlush() {
    let microseconds = flushMicroseconds
    if microseconds > 0 { usleep(microseconds) }
  }

  package static func == (left: FaultyDisk, right: FaultyDisk) -> Bool { left === right }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
