// Goal: the limits of a store hold at one below, at, and one above: requests that wait, records that lie in
// a row of State or beside it, values and fields of tables, tags that are kept apart.
// Method: exactly these sizes; the writer is held while requests gather.

import DaybookEntities
import DaybookJournal
import Foundation
import Testing

@testable import DaybookEngine

@Suite struct StoreLimitTests {
  @Test func waitingRequests() throws {
    for countMax in [1, 3] {
      let queue = JobQueue<Int>()
      for number in 0..<countMax {
        #expect(queue.enqueue(number, countMax: countMax) == .accepted)
      }
      #expect(queue.enqueue(countMax, countMax: countMax) == .full)
    }
  }

  /// One more request than may wait: exactly one is refused, and leaves no trace.
  @Test func aFullQueueRefuses() async throws {
    let scratch = Scratch()
    let gate = Gate("before journal commit")
    var options = EventStoreOptions()
    options.queueCountMax = 5
    options.trace = { gate.pass($0) }
    let store = try await EventStore.open(
      at: scratch.path, schema: toySchema, projections: [GroupTotals.self], options: options)
    async let first = store.record([Reading(group: 1, amount: 1)])
    await gate.arrival(at: "before journal commit")
    let refusals = await withTaskGroup(of: ProjectingError.Code?.self) { group in
      for _ in 0...5 {
        group.addTask {
          do {
            _ = try await store.record([Reading(group: 1, amount: 1)])
            return nil
          } catch { return (error as? ProjectingError)?.code }
        }
      }
      // Nobody else is answered while the writer is held; it is not held for ever where nobody is refused.
      let patience = Task {
        try await Task.sleep(for: .seconds(60))
        gate.open("before journal commit")
      }
      defer { patience.cancel() }
      var codes = [await group.next() ?? nil]
      gate.open("before journal commit")
      for await code in group { codes.append(code) }
      return codes
    }
    _ = try await first
    #expect(refusals.first == .queueFull)
    #expect(refusals.dropFirst().allSatisfy { $0 == nil })
    #expect(try store.total(1) == Sums(6, 6))
    try await store.close()
  }

  /// Longer records than fit into a row of State are kept beside it, and in the baseline in parts.
  @Test func recordsThatLieInARow() async throws {
    let scratch = Scratch()
    let store = try await EventStore.open(
      at: scratch.path, schema: toySchema, projections: [GroupTotals.self])
    let most = StateTable.inlineByteCountMax
    func reading(byteCount: Int) -> Record {
      var writer = RecordWriter()
      writer.put(1) { $0.u32be(7) }
      writer.put(2) { $0.zigzag(1) }
      // A tag, a length of two bytes, and the value.
      let rest = byteCount - writer.record.bytes.count - 3
      writer.put(3) { $0.raw([UInt8](repeating: 3, count: rest)) }
      return writer.record
    }
    let records = [-1, 0, 1].map { reading(byteCount: most + $0) }
    #expect(records.map(\.bytes.count) == [most - 1, most, most + 1])
    // Each becomes each of the others.
    var changes = records.map { ($0, $0) }
    for from in records { for to in records where from != to { changes.append((from, to)) } }
    var ids: [(EntityID, Record)] = []
    for (from, to) in changes {
      let id = try await store.append { context in
        let id = context.newID()
        try context.apply(
          Change(
            kind: readingKind, id: id, number: try context.nextNumber(readingKind), before: nil,
            after: from))
        return id
      }.result
      let made = try #require(id)
      if from != to {
        try await store.append { context in
          let old = try #require(try context.entity(readingKind, made))
          try context.apply(
            Change(
              kind: readingKind, id: made, number: old.number, before: old.record, after: to))
        }
      }
      ids.append((made, to))
    }
    func check(_ when: String) async throws {
      for (id, record) in ids {
        let found = try await store.append { try $0.entity(readingKind, id)?.record }.result
        #expect(found == record, "\(when): \(record.bytes.count) bytes")
      }
      #expect(try store.total(7) == Sums(Int128(ids.count), Int128(ids.count)))
      #expect(try store.verify().findings == [], "\(when)")
    }
    try await check("as appended")
    var purge = PurgeOptions()
    purge.policy = .count(0)
    _ = try await store.purge(purge)
    try await check("with everything in the baseline")
    try await store.rebuild()
    try await check("rebuilt")
    try await store.close()
  }

  @Test func tagsThatAreKeptApart() {
    for excess in [-1, 0, 1] {
      let count = ChangeStamps.entryCountMax + excess
      var stamps = ChangeStamps(base: 0)
      let tags = (0..<count).map { ChangeTag.table(named: "\($0)") }
      for (index, tag) in tags.enumerated() { stamps.mark(tag, at: UInt64(index + 1)) }
      for (index, tag) in tags.enumerated() {
        #expect(stamps.sequence(of: tag) == UInt64(index + 1))
      }
      let other = stamps.sequence(of: .table(named: "other"))
      #expect(other == (excess > 0 ? UInt64(count) : 0), "\(count) tags")
    }
  }

  @Test func valuesAndFieldsOfTables() {
    let most = TableBuffer.valueByteCountMax
    for (count, reason) in [
      (most - 1, nil), (most, nil), (most + 1, .longValue(byteCount: most + 1)),
    ] as [(Int, TableFault.Reason?)] {
      var tables = ProjectionTables(for: [TableDefinition("rows", .rows)])
      tables.put(0, TableKey(), [UInt8](repeating: 1, count: count))
      #expect(tables.fault?.reason == reason && tables.rows(0).count == (reason == nil ? 1 : 0))
    }
    for (count, reason) in [
      (0, .fieldCount(0)), (1, nil), (Sums.fieldCountMax, nil),
      (Sums.fieldCountMax + 1, .fieldCount(Sums.fieldCountMax + 1)),
    ] as [(Int, TableFault.Reason?)] {
      var tables = ProjectionTables(for: [TableDefinition("sums", .sums(fields: count))])
      tables.add(0, TableKey(), Sums(1))
      #expect(tables.fault?.reason == reason && tables.sums(0).count == (reason == nil ? 1 : 0))
    }
  }
}
