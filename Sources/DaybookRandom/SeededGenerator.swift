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
}

// These use the remainder, so that the result is the same with every Swift version.
extension SeededGenerator {
  /// Returns a number from 0 to below a bound, or 0 if the bound isn't positive.
  package mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(max(bound, 1))) }

  /// Returns a number in a closed range.
  package mutating func number(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + below(range.count)
  }

  /// Returns `true` with a probability in percent.
  package mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

  /// Returns a random element of a non-empty array.
  package mutating func pick<Value>(_ choices: [Value]) -> Value { choices[below(choices.count)] }

  /// Returns a random element, or `nil` if the array is empty.
  package mutating func some<Value>(_ choices: [Value]) -> Value? {
    choices.isEmpty ? nil : pick(choices)
  }
}
