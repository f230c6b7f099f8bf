// Goal: a store small enough to know by heart. Method: a toy kind “reading” (a number in a group) and a
// projection that counts and adds up per group.

import DaybookEngine
import DaybookEntities
import DaybookJournal
import Foundation
import Testing

let readingKind = EntityKind(rawValue: 70)
let toySchema = Schema([KindDefinition(kind: readingKind, name: "reading", clusterTag: 1)])

struct Reading: Equatable {
  var group: UInt32
  var amount: Int64

  var record: Record {
    var writer = RecordWriter()
    writer.put(1) { $0.u32be(group) }
    writer.put(2) { $0.zigzag(amount) }
    return writer.record
  }

  init(group: UInt32, amount: Int64) {
    self.group = group
    self.amount = amount
  }

  init(_ record: Record) throws {
    let group = record[1] ?? [0, 0, 0, 0]
    let amount = record[2] ?? [0]
    var first = ByteReader(group.span.bytes)
    var second = ByteReader(amount.span.bytes)
    self.init(group: try first.u32be(), amount: try second.zigzag())
  }
}

/// Counts and adds up readings per group; throws at the amount −666.
struct GroupTotals: Projection {
  static let name = "GroupTotals"
  static let version: UInt32 = 1
  static let tables = [
    TableDefinition("totals", .sums(fields: 2)), TableDefinition("members", .rows),
  ]

  struct Unlucky: Error {}

  func apply(
    _ change: borrowing ProjectedChange, reading state: any StateReading,
    to tables: inout ProjectionTables
  ) throws {
    guard change.kind == readingKind else { return }
    if let before = change.before {
      let reading = try Reading(before)
      tables.add(0, key(reading.group), -Sums(Int128(reading.amount), 1))
      tables.remove(1, member(reading.group, change.number))
    }
    if let after = change.after {
      let reading = try Reading(after)
      if reading.amount == -666 { throw Unlucky() }
      tables.add(0, key(reading.group), Sums(Int128(reading.amount), 1))
      tables.put(1, member(reading.group, change.number))
    }
  }

  func key(_ group: UInt32) -> TableKey {
    var key = TableKey()
    key.append(u32: group)
    return key
  }

  func member(_ group: UInt32, _ number: UInt64) -> TableKey {
    var key = key(group)
    key.append(u40: number)
    return key
  }
}

/// A folder for one test, removed with the object.
final class Scratch {
  let path: String

  init() {
    path = NSTemporaryDirectory() + "daybook-test-\(UInt64.random(in: 0...UInt64.max))"
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

extension EventStore {
  func record(_ readings: [Reading]) async throws -> [EntityID] {
    let appended = try await append { context in
      try readings.map { reading in
        let id = context.newID()
        try context.apply(
          Change(
            kind: readingKind, id: id, number: try context.nextNumber(readingKind), before: nil,
            after: reading.record))
        return id
      }
    }
    return try #require(appended.result)
  }

  func amend(_ id: EntityID, to reading: Reading?) async throws {
    try await append { context in
      let old = try #require(try context.entity(readingKind, id))
      try context.apply(
        Change(
          kind: readingKind, id: id, number: old.number, before: old.record,
          after: reading?.record))
    }
  }

  func total(_ group: UInt32) throws -> Sums {
    try read { view in
      let tables = try view.tables(of: GroupTotals.self)
      return try view.sums(GroupTotals().key(group), in: tables[0]) ?? Sums()
    }
  }
}

extension EventStore {
  /// Sends requests so that they share a batch, in their order; whether each was refused.
  func inOneBatch(
    _ requests: [@Sendable (DecisionContext) throws -> Void]
  ) async throws -> [Bool] {
    let gate = Gate("decision")
    let first = Task { try await append { _ in gate.pass("decision") } }
    await gate.arrival(at: "decision")
    var tasks: [Task<Bool, Never>] = []
    for request in requests {
      tasks.append(
        Task {
          do { try await append { try request($0) } } catch { return true }
          return false
        })
      try await Task.sleep(for: .milliseconds(30))
    }
    gate.open("decision")
    _ = try await first.value
    var refused: [Bool] = []
    for task in tasks { refused.append(await task.value) }
    return refused
  }
}

extension DecisionContext {
  /// Adds readings with neighbouring ids.
  func add(_ readings: some Sequence<Reading>, ids: UInt64) throws {
    for (index, reading) in readings.enumerated() {
      try apply(
        Change(
          kind: readingKind, id: EntityID(high: 7, low: ids + UInt64(index)),
          number: try nextNumber(readingKind), before: nil, after: reading.record))
    }
  }

  /// Gives a reading another record, or none.
  func amend(_ low: UInt64, to after: Record?) throws {
    let old = try #require(try entity(readingKind, EntityID(high: 7, low: low)))
    try apply(
      Change(
        kind: readingKind, id: old.id, number: old.number, before: old.record, after: after))
  }
}
