/// A random number generator that returns the same sequence for the same seed on every platform
/// (SplitMix64).
///
/// It makes failures of randomized tests reproducible. Don't use it for secrets.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates a generator whose sequence only depends on the seed.
  public init(seed: UInt64) {
    state = seed
  }

  /// Returns the next number of the sequence.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// Returns a number in a range.
  ///
  /// It uses the remainder, so that the result is the same on every platform and with every Swift
  /// version.
  mutating func number(_ range: Range<Int64>) -> Int64 {
    let width = UInt64(range.upperBound - range.lowerBound)
    return range.lowerBound + Int64(next() % width)
  }

  /// Returns `true` with a probability in percent.
  mutating func chance(_ percent: Int64) -> Bool {
    number(0..<100) < percent
  }

  /// Returns a random element.
  mutating func pick<T>(_ choices: [T]) -> T {
    choices[Int(number(0..<Int64(choices.count)))]
  }

  /// Returns an amount in a range.
  ///
  /// Like prices, small amounts are more frequent than large ones.
  mutating func price(_ range: Range<Int64>) -> Int64 {
    min(number(range), number(range))
  }
}
