public import DaybookEngine
internal import DaybookEntities

/// When somebody sat: the index that the rule against overlapping sessions is decided by.
///
/// One table of rows, from the minute a session begins to the minutes it takes and its id.
public struct Calendar: Projection {
  /// Part of the format of the views: never renamed.
  public static let name = "Calendar"
  /// Raised when the table would come out differently.
  public static let version: UInt32 = 1
  /// Sessions by their beginning.
  public static let tables = [TableDefinition("beginnings", .rows)]

  /// The projection.
  public init() {}

  /// Moves the session to where it begins now.
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

  /// A row's length and whose it is.
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
