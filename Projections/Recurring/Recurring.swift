package import DaybookBookkeeping
public import DaybookEngine
import DaybookEntities

/// The recorded transactions of each recurring transaction, in order of their due dates.
///
/// | table | key | value |
/// |---|---|---|
/// | `occurrences` | series id (16 bytes), due day (4), recording number of the transaction (5) | transaction id (16) |
///
/// The next due date can be computed from the recurring transaction and these rows. It isn't
/// stored, because tables must not depend on the current day. The key contains the recurring
/// transaction's id instead of its recording number, so that a row can be written and removed
/// without reading the recurring transaction.
public struct Recurring: Projection {
  /// The projection's name.
  public static let name = "recurring"
  /// The version of the projection's tables.
  public static let version: UInt32 = 1
  /// The projection's only table.
  public static let tables = [TableDefinition("occurrences", .rows)]

  static let occurrences = 0

  /// `false`, because the projection doesn't read State.
  public static let readsState = false

  /// Creates the projection.
  public init() {}

  /// Writes or removes the row of a transaction that a recurring transaction has recorded.
  public func apply(
    _ change: borrowing ProjectedChange, reading state: any StateReading,
    to tables: inout ProjectionTables
  ) throws {
    guard change.kind == .transaction else { return }
    let before = try change.before.flatMap { try Recurring.place(of: $0.bytes.span.bytes) }
    let after = try change.after.flatMap { try Recurring.place(of: $0.bytes.span.bytes) }
    let number = change.number
    if before?.series == after?.series, before?.due == after?.due { return }
    if let before { tables.remove(Recurring.occurrences, Recurring.key(before, number)) }
    if let after {
      var value = ByteWriter(reserving: 16)
      value.id(change.id)
      tables.put(Recurring.occurrences, Recurring.key(after, number), value.bytes)
    }
  }

  /// Returns the recurring transaction and due date in a transaction's record.
  ///
  /// Other properties are skipped without being decoded.
  ///
  /// - Complexity: O(properties).
  package static func place(of record: RawSpan) throws -> (series: SeriesID, due: Day)? {
    var series: SeriesID?
    var day: Day?
    var reader = RecordReader(record)
    while let property = try reader.next() {
      var value = ByteReader(property.value)
      switch property.tag {
      case Tag.Transaction.day: day = Day(biased: try value.u32be())
      case Tag.Transaction.series: series = SeriesID(try value.id())
      case Tag.Transaction.occurrence: day = Day(biased: try value.u32be())
      default: continue
      }
    }
    guard let series, let day else { return nil }
    return (series, day)
  }

  static func key(_ place: (series: SeriesID, due: Day), _ number: UInt64) -> TableKey {
    var key = lower(place.series, place.due)
    key.append(u40: number)
    return key
  }

  static func lower(_ series: SeriesID, _ due: Day) -> TableKey {
    var key = TableKey()
    key.append(u64: series.rawValue.high)
    key.append(u64: series.rawValue.low)
    key.append(u32: due.biased)
    return key
  }
}
