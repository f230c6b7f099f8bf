/// A hybrid logical clock (Kulkarni, Demirbas et al., 2014): 48 bits of milliseconds since 1970,
/// then 16 bits that count within one.
///
/// It never goes back and never stands still, whatever the clock of the machine does, and stays as
/// close to that clock as this allows.
package struct HybridClock: Hashable, Sendable {
  /// The last value that was given out or seen.
  package private(set) var last: UInt64

  /// A clock that goes on after `last`.
  package init(last: UInt64) { self.last = last }

  /// The next value, at the machine's time `wallMicroseconds` since 1970.
  package mutating func tick(wallMicroseconds: Int64) -> UInt64 {
    let milliseconds = UInt64(max(wallMicroseconds, 0)) / 1_000
    let wall = min(milliseconds, (1 << 48) - 1) << 16
    last = wall > last ? wall : last == .max ? last : last + 1
    return last
  }

  /// Takes note of another replica's value, so that what comes next is after it.
  package mutating func receive(_ other: UInt64) { last = max(last, other) }
}
