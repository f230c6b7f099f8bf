/// A hybrid logical clock (Kulkarni, Demirbas et al., 2014).
///
/// A value consists of 48 bits of milliseconds since 1970 and a 16-bit counter. Values always
/// increase, even if the machine's clock goes back, and stay as close to that clock as possible.
package struct HybridClock: Hashable, Sendable {
  /// The last value that was issued or received.
  package private(set) var last: UInt64

  /// Creates a clock that continues after `last`.
  package init(last: UInt64) { self.last = last }

  /// Returns the next value, given the machine's time in microseconds since 1970.
  package mutating func tick(wallMicroseconds: Int64) -> UInt64 {
    let milliseconds = UInt64(max(wallMicroseconds, 0)) / 1_000
    let wall = min(milliseconds, (1 << 48) - 1) << 16
    last = wall > last ? wall : last == .max ? last : last + 1
    return last
  }

  /// Takes another replica's value into account, so that later values are greater.
  package mutating func receive(_ other: UInt64) { last = max(last, other) }
}
