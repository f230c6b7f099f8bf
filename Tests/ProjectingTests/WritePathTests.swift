// Goal: an append is answered when it is durable, and everything that was promised holds while the views lack it:
// reads that have to wait do and others don't, decisions see everything, what waits stays within its bound, and
// exclusive work waits for the views.
// Method: the projectors' stage is held at a named point, for a while or until it is killed by closing the
// store; what is done meanwhile would come to nothing, or to something else, if the promise were broken.

import DaybookEntities
import DaybookJournal
import DaybookRandom
import Foundation
import Synchronization
import Testing

@testable import DaybookEngine

@Suite struct WritePathTests {
  private static let held = "before projecting"

  private func open(
    _ scratch: Scratch, _ gate: Gate
  ) async throws -> EventStore {
    var options = EventStoreOptions()
    options.trace = { gate.pass($0) }
    return try await EventStore.open(
      at: scratch.path, schema: toySchema, projections: [GroupTotals.self], options: options)
  }

  private func reading(_ amount: Int64) -> [Reading] { [Reading(group: 1, amount: amount)] }

  @Test func aReadSeesWhatWasAnsweredAndOthersDoNotWait() async throws {
    let scratch = Scratch()
    let gate = Gate(Self.held)
    let store = try await open(scratch, gate)
    let before = try store.token()
    var amount: Int64 = 0
    for _ in 0..<10 {
      amount += 1
      _ = try await store.record(reading(amount))
    }
    // Those who follow wait for the bell, not for the views.
    #expect(try await store.commit(after: before, .max) == nil)
    #expect(try store.checkpoint().sequence == 0)
    // A read would find nothing, if it did not wait.
    async let total = onThread { try store.total(1) }
    async let number = onThread { try store.token().sequence }
    gate.open(Self.held)
    #expect(try await total == Sums(55, 10))
    #expect(try await number == 10)
    #expect(try await store.commit(after: before, .max)?.token.sequence == 1)
    try await store.close()
  }

  @Test func aRefusalIsToldTooSoThatAReadSeesWhatItWasRefusedFor() async throws {
    let scratch = Scratch()
    let gate = Gate(Self.held)
    let store = try await open(scratch, gate)
    let token = try store.token()
    _ = try await store.record(reading(1))
    let refusal = await #expect(throws: ProjectingError.self) {
      try await store.append(AppendOptions(expecting: token)) { _ in }
    }
    #expect(refusal?.code == .conflict)
    async let total = onThread { try store.total(1) }
    gate.open(Self.held)
    #expect(try await total == Sums(1, 1))
    try await store.close()
  }

  @Test func tokensAreValidAtOnce() async throws {
    let scratch = Scratch()
    let gate = Gate(Self.held)
    let store = try await open(scratch, gate)
    let first = try await store.append { try $0.add(self.reading(1), ids: 1) }.token
    let second = try await store.append(AppendOptions(expecting: first)) {
      try $0.add(self.reading(2), ids: 2)
    }.token
    let past = try store.read(asOf: first) { view in
      try view.sums(GroupTotals().key(1), in: view.tables(of: GroupTotals.self)[0])
    }
    #expect(past == Sums(1, 1))
    var changes = store.changes(after: second).makeAsyncIterator()
    async let third = store.append { try $0.add(self.reading(3), ids: 3) }.token
    _ = try await third
    gate.open(Self.held)
    #expect(try await changes.next()?.token.sequence == 3)
    try await store.close()
  }

  @Test func decisionsSeeEverythingAndPendingChangesAreWhatTheTablesLack() async throws {
    let scratch = Scratch()
    let gate = Gate()
    let store = try await open(scratch, gate)
    // What is held at the bottom of the tables, what waits, and what has been amended while it waits.
    try await store.append { try $0.add((0..<50).map { Reading(group: 1, amount: $0) }, ids: 0) }
    #expect(try store.total(1) == Sums(1_225, 50))
    gate.hold(Self.held)
    for step in 0..<100 as Range<UInt64> {
      try await store.append { context in
        let low = step % 60
        if low < 50 {
          try context.amend(low, to: Reading(group: 1, amount: Int64(1_000 + step)).record)
        } else {
          try context.add([Reading(group: 1, amount: 7)], ids: 1_000 + step)
        }
      }
    }
    let found = try await store.append { context in
      var count = 0
      var sum: Int64 = 0
      try context.forEachEntity(readingKind) {
        count += 1
        sum += try Reading($0.record).amount
      }
      var tables = Sums()
      try context.withCommittedTables(of: GroupTotals.self) { committed, handle in
        let (from, to) = (GroupTotals().key(0), GroupTotals().key(9))
        try committed.forEachRow(in: handle[0], from: from, to: to) { _, value in
          tables += try Sums(value, fieldCount: 2)
          return true
        }
      }
      for change in context.pendingChanges {
        if let before = change.before { tables += Sums(-Int128(try Reading(before).amount), -1) }
        if let after = change.after { tables += Sums(Int128(try Reading(after).amount), 1) }
      }
      #expect(tables == Sums(Int128(sum), Int128(count)))
      return sum
    }.result
    gate.open(Self.held)
    var expected = 0
    for low in 0..<50 as Range<UInt64> {
      let last = low < 40 ? low + 60 : low
      expected += Int(1_000 + last)
    }
    expected += 10 * 7
    #expect(found == Int64(expected))
    #expect(try store.total(1) == Sums(Int128(expected), 60))
    #expect(try store.verify().findings == [])
    try await store.close()
  }

  /// Many decisions on an overlay that is cut off at its beginning again and again.
  @Test(arguments: [1, 2, 3] as [UInt64])
  func overlayAndViewsAgreeWhateverIsProjectedMeanwhile(seed: UInt64) async throws {
    let scratch = Scratch()
    let delays = Mutex(SeededGenerator(seed: seed))
    var options = EventStoreOptions()
    options.trace = { name in
      guard name == Self.held else { return }
      usleep(UInt32(delays.withLock { $0.below(4_000) }))
    }
    let store = try await EventStore.open(
      at: scratch.path, schema: toySchema, projections: [GroupTotals.self], options: options)
    var random = SeededGenerator(seed: seed)
    var model: [UInt64: Int64] = [:]
    for step in 0..<600 as Range<Int64> {
      let low = UInt64(random.below(40))
      let (known, isRefused) = (model[low], random.below(8) == 0)
      struct Refused: Error {}
      do {
        try await store.append { context in
          let found = try context.entity(readingKind, EntityID(high: 7, low: low))
          #expect(try found.map { try Reading($0.record).amount } == known)
          if known == nil {
            try context.add([Reading(group: 1, amount: step)], ids: low)
          } else if step % 5 == 0 {
            try context.amend(low, to: nil)
          } else {
            try context.amend(low, to: Reading(group: 1, amount: step).record)
          }
          if isRefused { throw Refused() }
        }
        model[low] = known != nil && step % 5 == 0 ? nil : step
      } catch is Refused {}
      guard step % 97 == 0 else { continue }
      let sum = model.values.reduce(0, +)
      #expect(try store.total(1) == Sums(Int128(sum), Int128(model.count)), "seed \(seed)")
    }
    #expect(try store.verify().findings == [])
    try await store.close()
  }

  @Test func noMoreThanTheBoundWaits() async throws {
    let scratch = Scratch()
    let gate = Gate(Self.held)
    let hundredth = Mutex(0)
    var options = EventStoreOptions()
    options.trace = { name in
      if name == "after journal commit" {
        let count = hundredth.withLock { count in
          count += 1
          return count
        }
        if count == 21 { gate.pass("the one too many") }
      } else {
        gate.pass(name)
      }
    }
    let store = try await EventStore.open(
      at: scratch.path, schema: toySchema, projections: [GroupTotals.self], options: options)
    for _ in 0..<20 { _ = try await store.record((0..<100).map { _ in reading(1)[0] }) }
    let isAnswered = Mutex(false)
    async let last: Void = {
      _ = try await store.record(reading(1))
      isAnswered.withLock { $0 = true }
    }()
    await gate.arrival(at: "the one too many")
    try await Task.sleep(for: .milliseconds(50))
    #expect(!isAnswered.withLock { $0 })
    gate.open(Self.held)
    try await last
    #expect(try store.total(1) == Sums(2_001, 2_001))
    try await store.close()
  }

  /// An erasure that did not wait for the views would find nothing to erase, and say that it was done.
  @Test func anErasureRightAfterAnAppendIsDone() async throws {
    let scratch = Scratch()
    let gate = Gate(Self.held)
    let store = try await open(scratch, gate)
    let id = EntityID(high: 7, low: 1)
    _ = try await store.append { try $0.add(self.reading(5), ids: 1) }
    async let receipt = store.erase(readingKind, id) {
      try $0.amend(1, to: Reading(group: 1, amount: 6).record)
    }
    await gate.arrival(at: Self.held)
    gate.open(Self.held)
    #expect(try await receipt.sequence == 2)
    let records = try store.read { view in
      var count = 0
      try view.forEachEntity(PurgeRecord.kind) { _, _, _ in
        count += 1
        return true
      }
      return count
    }
    #expect(records == 1)
    #expect(try StoreFolder.open(at: scratch.path).current().journal > 1)
    #expect(try store.total(1) == Sums(6, 1))
    #expect(try store.verify().findings == [])
    try await store.close()
  }

  @Test func afterClosingTheViewsHoldEverything() async throws {
    let scratch = Scratch()
    let gate = Gate(Self.held)
    let store = try await open(scratch, gate)
    for amount in 1...3 as ClosedRange<Int64> { _ = try await store.record(reading(amount)) }
    async let closing: Void = store.close()
    gate.open(Self.held)
    try await closing
    var options = EventStoreOptions()
    options.isReadOnly = true
    let again = try await EventStore.open(
      at: scratch.path, schema: toySchema, projections: [GroupTotals.self], options: options)
    #expect(try again.total(1) == Sums(6, 3))
    try await again.close()
  }
}
