/// What one row of a sums table holds: up to four exact totals.
///
/// What each field means is the projection's to say.
public struct Sums: Hashable, Sendable {
  /// The most fields a sums table can have.
  public static let fieldCountMax = 4

  @usableFromInline var field0: Int128
  @usableFromInline var field1: Int128
  @usableFromInline var field2: Int128
  @usableFromInline var field3: Int128

  /// Totals of four fields; those that are not given are 0.
  @inlinable
  public init(
    _ field0: Int128 = 0, _ field1: Int128 = 0, _ field2: Int128 = 0, _ field3: Int128 = 0
  ) {
    self.field0 = field0
    self.field1 = field1
    self.field2 = field2
    self.field3 = field3
  }

  /// The field at `index`, 0 to 3.
  @inlinable
  public subscript(index: Int) -> Int128 {
    get {
      switch index {
      case 0: field0
      case 1: field1
      case 2: field2
      default: field3
      }
    }
    set {
      switch index {
      case 0: field0 = newValue
      case 1: field1 = newValue
      case 2: field2 = newValue
      default: field3 = newValue
      }
    }
  }

  /// Whether every field is 0, so that the row is not kept.
  @inlinable
  public var isZero: Bool { field0 | field1 | field2 | field3 == 0 }

  /// Adds field by field; whether a field went beyond 128 bits, and is wrong then.
  @inlinable
  @inline(__always)
  package mutating func addReportingOverflow(_ other: Sums) -> Bool {
    let first = field0.addingReportingOverflow(other.field0)
    let second = field1.addingReportingOverflow(other.field1)
    let third = field2.addingReportingOverflow(other.field2)
    let fourth = field3.addingReportingOverflow(other.field3)
    self = Sums(
      first.partialValue, second.partialValue, third.partialValue, fourth.partialValue)
    return first.overflow || second.overflow || third.overflow || fourth.overflow
  }

  /// Adds field by field.
  ///
  /// - Precondition: each field stays within 128 bits. What is added to a table is checked there instead.
  @inlinable
  public static func += (left: inout Sums, right: Sums) {
    left.field0 += right.field0
    left.field1 += right.field1
    left.field2 += right.field2
    left.field3 += right.field3
  }

  /// Every field with the opposite sign; the least number of 128 bits, which has no opposite, as it is.
  @inlinable
  public static prefix func - (sums: Sums) -> Sums {
    Sums(0 &- sums.field0, 0 &- sums.field1, 0 &- sums.field2, 0 &- sums.field3)
  }
}
