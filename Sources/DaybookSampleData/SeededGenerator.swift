@_exported public import DaybookRandom

extension SeededGenerator {
  /// Returns a number in a range.
  mutating func number(_ range: Range<Int64>) -> Int64 {
    let width = UInt64(range.upperBound - range.lowerBound)
    return range.lowerBound + Int64(next() % width)
  }

  /// Returns an amount in a range.
  ///
  /// Like prices, small amounts are more frequent than large ones.
  mutating func price(_ range: Range<Int64>) -> Int64 {
    min(number(range), number(range))
  }
}
