public import DaybookEngine
internal import DaybookEntities

/// An index of sessions by time, used to refuse overlapping sessions.
///
/// It has one table of rows, from a session's first minute to its length in minutes and its id.
public struct Calendar: Projection {
  /// Part of the format of the views; must never change.
  public static let name = "Calendar"
  /// Increased when the table's contents would change.
  public static let version: UInt32 = 1
  /// The sessions by their first minute.
  public static let tables = [TableDefinition("beginnings", .rows)]

  /// Creates the projection.
  public init() {}

  /// Moves the session's row to its current first minute.
  public func apply(
    _ change: borrowing ProjectedChange, reading state: any StateReading,
    to tables: inout ProjectionTables
  ) throws {
    guard change.kind == Session.kind else { return }
    if let before = change.before {
      let session = try Session(id: change.id, record: before.span)
      tables.remove(0, Calendar.key(session.start))
    }
    if let after = change.after {
      let session = try Session(id: change.id, record: after.span)
      var row = ByteWriter(reserving: 20)
      row.u32be(session.minutes)
      row.id(session.id)
      tables.put(0, Calendar.key(session.start), row.bytes)
    }
  }

  /// Returns the length and the id of a row's session.
  static func read(_ value: RawSpan) throws(DecodingFault) -> (minutes: UInt32, id: EntityID) {
    var reader = ByteReader(value)
    return (try reader.u32be(), try reader.id())
  }

  static func key(_ minute: UInt32) -> TableKey {
    var key = TableKey()
    key.append(u32: minute)
    return key
  }
}
