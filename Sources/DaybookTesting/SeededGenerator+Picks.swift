package import SampleData

extension SeededGenerator {
  /// A number of a closed range.
  package mutating func number(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(next() % UInt64(range.count))
  }

  /// Whether something that happens so many times in a hundred happens now.
  package mutating func chance(_ percent: Int) -> Bool { number(0...99) < percent }

  /// One of several.
  package mutating func pick<Value>(_ choices: [Value]) -> Value {
    choices[number(0...choices.count - 1)]
  }

  /// One of several, or `nil` of none.
  package mutating func some<Value>(_ choices: [Value]) -> Value? {
    choices.isEmpty ? nil : pick(choices)
  }
}
