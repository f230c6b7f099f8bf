package import DaybookSampleData

extension SeededGenerator {
  /// Returns a number in a closed range.
  package mutating func number(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(next() % UInt64(range.count))
  }

  /// Returns `true` with a probability in percent.
  package mutating func chance(_ percent: Int) -> Bool { number(0...99) < percent }

  /// Returns a random element of a non-empty array.
  package mutating func pick<Value>(_ choices: [Value]) -> Value {
    choices[number(0...choices.count - 1)]
  }

  /// Returns a random element, or `nil` if the array is empty.
  package mutating func some<Value>(_ choices: [Value]) -> Value? {
    choices.isEmpty ? nil : pick(choices)
  }
}
