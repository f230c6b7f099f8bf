/// A set of property tags below 64.
struct TagBits: Hashable, Sendable {
  private var bits: UInt64 = 0

  /// Creates an empty set.
  init() {}
  /// Creates a set of the tags in a range.
  init(_ range: some RangeExpression<UInt8>) {
    let tags = range.relative(to: 0..<64 as Range<UInt8>)
    bits = (.max << UInt64(tags.lowerBound)) & ~(.max << UInt64(tags.upperBound))
  }

  var isEmpty: Bool { bits == 0 }
  func contains(_ tag: UInt8) -> Bool { bits & bit(tag) != 0 }
  func intersection(_ other: TagBits) -> TagBits {
    var both = self
    both.bits &= other.bits
    return both
  }
  mutating func insert(_ tag: UInt8) { bits |= bit(tag) }
  mutating func remove(_ tag: UInt8) { bits &= ~bit(tag) }

  private func bit(_ tag: UInt8) -> UInt64 {
    precondition(tag < 64, "a property's tag must be below 64")
    return 1 << UInt64(tag)
  }
}
