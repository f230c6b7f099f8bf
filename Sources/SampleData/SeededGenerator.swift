/// Random numbers that are the same everywhere for the same seed (SplitMix64).
///
/// For tests whose failures can be repeated; nothing secret may come from it.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// A sequence that depends on the seed alone.
  public init(seed: UInt64) {
    state = seed
  }

  /// The next number of the sequence.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// A number of a half-open range, by remainder: the same on every platform and Swift version.
  mutating func number(_ range: Range<Int64>) -> Int64 {
    let width = UInt64(range.upperBound - range.lowerBound)
    return range.lowerBound + Int64(next() % width)
  }

  /// Whether something that happens so many times in a hundred happens now.
  mutating func chance(_ percent: Int64) -> Bool {
    number(0..<100) < percent
  }

  /// One of several.
  mutating func pick<T>(_ choices: [T]) -> T {
    choices[Int(number(0..<Int64(choices.count)))]
  }

  /// An amount of a range, more often small than large, as prices are.
  mutating func price(_ range: Range<Int64>) -> Int64 {
    min(number(range), number(range))
  }
}
