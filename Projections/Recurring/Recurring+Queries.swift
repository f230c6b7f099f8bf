package import DaybookBookkeeping
package import DaybookEngine
import DaybookEntities

extension Recurring {
  /// Calls `body` with the recorded transactions of a recurring transaction, in order of their due
  /// dates.
  ///
  /// - Parameter first: The first due date to visit, or `nil` for all due dates.
  /// - Complexity: O(log rows + visited rows).
  package static func forEachOccurrence(
    of series: SeriesID, from first: Day? = nil, in view: borrowing View,
    _ body: (Occurrence) throws -> Void
  ) throws {
    let table = try view.tables(of: Recurring.self)[occurrences]
    let (_, to) = bounds(series, nil)
    let from = lower(series, first ?? Day(rawValue: .min))
    try view.forEachRow(in: table, from: from, to: to) { key, value in
      try body(occurrence(key, value))
      return true
    }
  }

  /// Calls `body` with the recorded transactions of a recurring transaction, as of before the
  /// current batch.
  package static func forEachOccurrence(
    of series: SeriesID, on due: Day?, in tables: CommittedTables, _ handle: ProjectionHandle,
    _ body: (Occurrence) throws -> Void
  ) throws {
    let (from, to) = bounds(series, due)
    try tables.forEachRow(in: handle[occurrences], from: from, to: to) { key, value in
      try body(occurrence(key, value))
      return true
    }
  }

  private static func bounds(_ series: SeriesID, _ due: Day?) -> (from: TableKey, to: TableKey) {
    let last = due ?? Day.max
    return (lower(series, due ?? Day(rawValue: .min)), lower(series, last.adding(days: 1)))
  }

  private static func occurrence(_ key: RawSpan, _ value: RawSpan) throws -> Occurrence {
    var reader = ByteReader(key)
    reader.offset = 16
    let due = Day(biased: try reader.u32be())
    var id = ByteReader(value)
    return Occurrence(due: due, transaction: TransactionID(try id.id()))
  }
}
