/// One row of a table of sums, with up to four exact totals.
///
/// The projection defines the meaning of each field.
public struct Sums: Hashable, Sendable {
  /// The maximum number of fields in a table of sums.
  public static let fieldCountMax = 4

  @usableFromInline var field0: Int128
  @usableFromInline var field1: Int128
  @usableFromInline var field2: Int128
  @usableFromInline var field3: Int128

  /// Creates a row from its fields; omitted fields are 0.
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

  /// Whether every field is 0; such a row isn't stored.
  @inlinable
  public var isZero: Bool { field0 | field1 | field2 | field3 == 0 }

  /// Adds each field of another row, and returns whether a field overflowed 128 bits.
  ///
  /// The value of an overflowed field is wrong.
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

  /// Adds each field of another row.
  ///
  /// - Precondition: No field overflows 128 bits. Tables check their totals and report overflows.
  @inlinable
  public static func += (left: inout Sums, right: Sums) {
    left.field0 += right.field0
    left.field1 += right.field1
    left.field2 += right.field2
    left.field3 += right.field3
  }

  /// Negates every field; the least 128-bit number, which can't be negated, stays unchanged.
  @inlinable
  public static prefix func - (sums: Sums) -> Sums {
    Sums(0 &- sums.field0, 0 &- sums.field1, 0 &- sums.field2, 0 &- sums.field3)
  }
}
