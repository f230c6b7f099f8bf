package import DaybookEntities

/// Generates ids that increase with time: version 7 of RFC 9562, with a counter within each
/// millisecond.
///
/// Not `Sendable`: it belongs to the writer's thread.
package final class IDSource {
  private let clock: () -> Int64
  private var random = BufferedRandom()
  private var millisecond: UInt64 = 0
  private var counter: UInt64 = 0

  /// Creates a source of ids.
  ///
  /// - Parameter clock: Returns the time in microseconds since 1970.
  package init(clock: @escaping () -> Int64) { self.clock = clock }

  /// Returns the next id, which is greater than all earlier ones even if the clock goes back.
  package func next() -> EntityID {
    let now = UInt64(max(clock(), 0)) / 1_000
    if now > millisecond {
      millisecond = now
      counter = random.next() & 0x7ff
    } else {
      counter += 1
      if counter > 0xfff {
        millisecond += 1
        counter = 0
      }
    }
    let high = (millisecond & 0xffff_ffff_ffff) << 16 | 0x7000 | counter
    let low = 0x8000_0000_0000_0000 | (random.next() >> 2)
    return EntityID(high: high, low: low)
  }
}

/// A random number generator, seeded by the system.
struct BufferedRandom {
  private var generator = SystemRandomNumberGenerator()
  private var state: (UInt64, UInt64) = (0, 0)
  private var remaining = 0

  /// Returns the next number.
  ///
  /// Ids must be unlikely to collide but need not be secret, so one seed from the system is enough
  /// for a thousand numbers (xorshift128+, Vigna 2014).
  mutating func next() -> UInt64 {
    if remaining == 0 {
      state = (generator.next() | 1, generator.next())
      remaining = 1_000
    }
    remaining -= 1
    var first = state.0
    let second = state.1
    state.0 = second
    first ^= first << 23
    state.1 = first ^ second ^ (first >> 17) ^ (second >> 26)
    return state.1 &+ second
  }
}
