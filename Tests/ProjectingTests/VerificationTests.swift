// Goal: what differs from history is named, with the commit that brought the row; and nothing is named
// where nothing differs.
// Method: single rows of the views of a closed store are changed, removed or added by hand.

import Entities
import Foundation
import Journal
import LMDB
import Projecting
import Testing

/// Changes rows of the views of a closed store, as nothing but damage or a fault would.
struct ViewsKnife {
  let path: String

  /// Gives the views' write transaction and a table of them to `body`.
  func cut(
    _ table: String, _ body: (inout WriteTransaction, Database) throws -> Void
  ) throws {
    let folder = try StoreFolder.open(at: path)
    let environment = try Environment.open(path: folder.viewsPath(try folder.current().views))
    let database = try environment.database(named: table)
    try environment.write { try body(&$0, database) }
    try environment.close()
  }

  /// The first row of a table whose key begins so.
  func row(_ table: String, prefix: [UInt8] = []) throws -> (key: [UInt8], value: [UInt8]) {
    var found: (key: [UInt8], value: [UInt8])?
    try cut(table) { transaction, database in
      try transaction.view.forEach(in: database, from: prefix.span.bytes) { key, value in
        found = (key.copied(), value.copied())
        return false
      }
    }
    return try #require(found)
  }

  func put(_ table: String, _ key: [UInt8], _ value: [UInt8]) throws {
    try cut(table) { try $0.put(key, value, in: $1) }
  }

  func remove(_ table: String, _ key: [UInt8]) throws {
    try cut(table) { _ = try $0.delete(key, in: $1) }
  }
}

@Suite struct VerificationTests {
  /// A store of nine commits: groups 1 and 2 by commits 1 and 2, then changes of the first reading.
  private func store(_ scratch: Scratch) async throws -> [EntityID] {
    let store = try await RebuildTests.open(scratch)
    var ids = try await store.record((1...5).map { Reading(group: 1, amount: Int64($0)) })
    ids += try await store.record((1...5).map { Reading(group: 2, amount: Int64($0)) })
    for amount in 3...8 as ClosedRange<Int64> {
      try await store.amend(ids[0], to: Reading(group: 1, amount: amount * 10))
    }
    try await store.amend(ids[9], to: nil)
    #expect(try store.verify().isSound)
    try await store.close()
    return ids
  }

  private func findings(_ scratch: Scratch) async throws -> [VerificationReport.Finding] {
    let store = try await RebuildTests.open(scratch)
    let report = try store.verify()
    try await store.close()
    return report.findings
  }

  @Test func aChangedTotalNamesTheLastCommitThatChangedIt() async throws {
    for (group, commit) in [(1, 8), (2, 9)] as [(UInt8, UInt64)] {
      let scratch = Scratch()
      let ids = try await store(scratch)
      let knife = ViewsKnife(path: scratch.path)
      var row = try knife.row("GroupTotals.totals", prefix: [0, 0, 0, group])
      row.value[row.value.count - 1] ^= 4
      try knife.put("GroupTotals.totals", row.key, row.value)
      let found = try await findings(scratch)
      #expect(found.map(\.sequence) == [commit])
      let entity = group == 1 ? ids[0] : ids[9]
      #expect(
        found.first?.message.contains("changed last by commit \(commit) (reading \(entity))")
          == true, "\(found)")
    }
  }

  @Test func aRowThatIsMissingNamesItsCommit() async throws {
    let scratch = Scratch()
    _ = try await store(scratch)
    let knife = ViewsKnife(path: scratch.path)
    let member = try knife.row("GroupTotals.members", prefix: [0, 0, 0, 2])
    try knife.remove("GroupTotals.members", member.key)
    #expect(try await findings(scratch).map(\.sequence) == [2])
  }

  @Test func aRowOfStateNamesItsCommit() async throws {
    let scratch = Scratch()
    let ids = try await store(scratch)
    let knife = ViewsKnife(path: scratch.path)
    var row = try knife.row("state", prefix: [readingKind.rawValue])
    row.value[row.value.count - 1] ^= 2
    try knife.put("state", row.key, row.value)
    let found = try await findings(scratch)
    #expect(found.map(\.sequence) == [8])
    #expect(found.first?.message.contains("\(ids[0])") == true, "\(found)")
  }

  @Test func aRowThatNobodyWroteIsSaidToBeSo() async throws {
    let scratch = Scratch()
    _ = try await store(scratch)
    let knife = ViewsKnife(path: scratch.path)
    try knife.put("GroupTotals.members", [0, 0, 0, 9, 0, 0, 0, 0, 1], [])
    let found = try await findings(scratch)
    #expect(found.map(\.sequence) == [nil])
    #expect(found.first?.message.contains("no commit ever wrote such a row") == true, "\(found)")
  }

  @Test func whatWasPurgedIsSaidToBeSo() async throws {
    let scratch = Scratch()
    _ = try await store(scratch)
    let store = try await RebuildTests.open(scratch)
    var options = PurgeOptions()
    options.policy = .count(2)
    _ = try await store.purge(options)
    try await store.close()
    let knife = ViewsKnife(path: scratch.path)
    var changed = try knife.row("GroupTotals.totals", prefix: [0, 0, 0, 2])
    changed.value[changed.value.count - 1] ^= 4
    try knife.put("GroupTotals.totals", changed.key, changed.value)
    let member = try knife.row("GroupTotals.members", prefix: [0, 0, 0, 1, 0, 0, 0, 0, 2])
    try knife.remove("GroupTotals.members", member.key)
    let found = try await findings(scratch)
    // Commit 9 is kept, and took from group 2; what the first commit wrote is history that is gone.
    #expect(found.map(\.sequence) == [9, nil], "\(found)")
    #expect(found.last?.message.contains("no commit since the purge up to 7") == true, "\(found)")
  }

  /// The commits that the chain was to be computed of are purged before it is their turn.
  @Test func aPurgeInTheMidstAccusesNobody() async throws {
    let scratch = Scratch()
    _ = try await store(scratch)
    let store = try await RebuildTests.open(scratch)
    let callCount = Lock(0)
    let done = DispatchSemaphore(value: 0)
    // Both threads are here while it is purged. A verification that is begun again asks again.
    let pause: @Sendable () throws -> Void = {
      let count = callCount.withLock { count in
        count += 1
        return count
      }
      if count > 2 { return }
      if count == 1 {
        Task {
          var options = PurgeOptions()
          options.policy = .count(2)
          _ = try? await store.purge(options)
          done.signal()
          done.signal()
        }
      }
      done.wait()
    }
    // On a thread of its own: whoever purges needs one of those that tests share.
    let report = try await onThread { try store.verify(with: [pause, pause]) }
    #expect(report.commitCount < 9, "nothing was purged")
    #expect(report.findings == [])
    #expect(try store.verify().findings == [])
    try await store.close()
  }

  /// Ways in which a row of places can be wrong.
  enum PlaceDamage: CaseIterable {
    case level, lastPlace, cutOff, noNumber, missing, besides, moved
  }

  @Test(arguments: PlaceDamage.allCases) func damagedPlacesAreFound(damage: PlaceDamage)
    async throws
  {
    let scratch = Scratch()
    func open() async throws -> EventStore {
      try await EventStore.open(at: scratch.path, schema: toySchema, projections: [Placed.self])
    }
    let store = try await open()
    for round in 1...3 as ClosedRange<UInt64> {
      try await store.place(
        (1...100).map { (number: UInt64) in
          let place = StatePosition(
            cluster: UInt32(number * 7 % 50), number: round * 1_000 + number)
          return (0, place)
        })
    }
    #expect(try store.verify().isSound)
    try await store.close()
    let knife = ViewsKnife(path: scratch.path)
    var row = try knife.row("Placed.lists")
    switch damage {
    case .level: row.value[0] += 1
    case .lastPlace: row.value[row.value.count - 1] ^= 4
    case .cutOff: row.value.removeLast()
    case .noNumber: row.value.append(3)
    case .missing: try knife.remove("Placed.lists", row.key)
    case .besides: row.key[row.key.count - 2] += 1
    case .moved:
      try knife.remove("Placed.lists", row.key)
      row.key[row.key.count - 5] += 1
    }
    if damage != .missing { try knife.put("Placed.lists", row.key, row.value) }
    let damaged = try await open()
    #expect(try !damaged.verify().isSound)
    let whole = VerificationSample(share: 1, seconds: nil, seed: 1)
    let sampled = try damaged.verify(sample: whole)
    // A piece that is only said to be larger than it is gives all its places.
    if damage != .level { #expect(!sampled.isSound) }
    try await damaged.rebuild()
    #expect(try damaged.verify().isSound)
    try await damaged.close()
  }
}
