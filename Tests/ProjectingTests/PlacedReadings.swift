// Goal: lists of places to go through. Method: a projection that lists readings by their group, the amount being
// the place's cluster.

import DaybookEntities
import Testing

@testable import DaybookEngine

/// Lists readings by their group; the amount is the place's cluster.
struct Placed: Projection {
  static let name = "Placed"
  static let version: UInt32 = 1
  static let tables = [TableDefinition("lists", .places)]
  static let least = StatePosition(cluster: 0, number: 0)

  func apply(
    _ change: borrowing ProjectedChange, reading state: any StateReading,
    to tables: inout ProjectionTables
  ) throws {
    if let before = change.before { tables.remove(0, try key(before, change.number)) }
    if let after = change.after { tables.put(0, try key(after, change.number)) }
  }

  private func key(_ record: Record, _ number: UInt64) throws -> TableKey {
    let reading = try Reading(record)
    let place = StatePosition(cluster: UInt32(reading.amount), number: number)
    return PlaceTests.head(Int(reading.group)).with(place)
  }
}

extension EventStore {
  /// Records a reading for each place, which has its number.
  func place(_ readings: [(list: Int, place: StatePosition)]) async throws {
    try await append { context in
      for (list, place) in readings {
        let reading = Reading(group: UInt32(list), amount: Int64(place.cluster))
        try context.apply(
          Change(
            kind: readingKind, id: context.newID(), number: place.number, before: nil,
            after: reading.record))
      }
    }
  }
}

extension PlacePacker {
  /// The rows of a table with these keys, which are ascending.
  static func rows(of keys: [TableKey]) throws -> [(key: TableKey, value: [UInt8])] {
    var rows: [(key: TableKey, value: [UInt8])] = []
    var packer = PlacePacker()
    for key in keys { try packer.add(key) { rows.append(($0, $1.copied())) } }
    try packer.finish { rows.append(($0, $1.copied())) }
    return rows
  }
}
