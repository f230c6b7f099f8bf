package import DaybookEntities

/// An error of a projection that couldn't apply a change or answer a query.
public struct ProjectionFault: Error, Hashable, Sendable {
  /// The kind of error.
  public enum Code: Hashable, Sendable {
    /// A table contains a negative count.
    ///
    /// This is an integrity error, because counts are never clamped.
    case negativeCount
    /// A key or value in a table isn't in the form that the projection writes.
    case damagedRow
    /// A recording number doesn't fit in the keys of the tables.
    case numberTooLarge
    /// A posting refers to an account or category that isn't in State.
    case missingEntity
  }

  /// The kind of error.
  public let code: Code
  /// The projection's name.
  public let projection: String
  /// A sentence that says where the error occurred and how to fix it.
  public let message: String

  /// Creates an error.
  public init(_ code: Code, in projection: String, _ message: String) {
    self.code = code
    self.projection = projection
    self.message = message
  }

  @usableFromInline
  package static func negativeCount(
    _ count: Int128, in projection: String, _ place: String
  ) -> ProjectionFault {
    ProjectionFault(
      .negativeCount, in: projection,
      "the count of \(place) in projection “\(projection)” is \(count), below 0: the views do not"
        + " follow from the journal; run verify, then rebuild the views")
  }

  package static func damagedRow(in projection: String, _ place: String) -> ProjectionFault {
    ProjectionFault(
      .damagedRow, in: projection,
      "a row of \(place) in projection “\(projection)” can't be read; rebuild the views")
  }

  package static func missing(_ id: EntityID, in projection: String) -> ProjectionFault {
    ProjectionFault(
      .missingEntity, in: projection,
      "projection “\(projection)” met a posting to \(id), which is not in State; run verify, then"
        + " rebuild the views")
  }

  @usableFromInline
  package static func numberTooLarge(
    _ number: UInt64, in projection: String
  ) -> ProjectionFault {
    ProjectionFault(
      .numberTooLarge, in: projection,
      "the recording number \(number) does not fit in the keys of projection “\(projection)”")
  }
}

extension ProjectionFault: CustomStringConvertible {
  /// The message.
  public var description: String { message }
}

/// Converts a count read from a table.
///
/// - Throws: ``ProjectionFault/Code/negativeCount`` if the count is negative.
@inlinable
@inline(__always)
package func checkedCount(
  _ count: Int128, in projection: String, _ place: @autoclosure () -> String
) throws(ProjectionFault) -> Int {
  guard count >= 0 else { throw .negativeCount(count, in: projection, place()) }
  return Int(clamping: count)
}
