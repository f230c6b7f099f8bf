// Goal: a sampled verification finds in what it looks at all that a full one finds, looks at as much as it
// is told, says so, and chooses the same for the same seed.
// Method: single rows of a closed store's views are changed by hand; samples of everything must find each,
// samples of a part must find it for some seeds and not for others.

import Entities
import Foundation
import Journal
import LMDB
import Testing

@testable import Projecting

/// Keeps a bit for each reading of a group.
private struct Flags: Projection {
  static let name = "Flags"
  static let version: UInt32 = 1
  static let tables = [TableDefinition("flags", .bitmaps)]

  func apply(
    _ change: borrowing ProjectedChange, reading state: any StateReading,
    to tables: inout ProjectionTables
  ) throws {
    for record in [change.before, change.after] {
      guard let record else { continue }
      tables.flip(0, GroupTotals().key(try Reading(record).group), Int(change.number))
    }
  }
}

@Suite struct SampleTests {
  static let whole = VerificationSample(share: 1, seconds: nil, seed: 7)

  /// A store of some hundred commits, of which the older ones were purged where asked.
  private func store(_ scratch: Scratch, purging: Bool) async throws -> [EntityID] {
    let store = try await RebuildTests.open(scratch)
    var ids: [EntityID] = []
    for group in 1...120 as ClosedRange<UInt32> {
      ids += try await store.record([
        Reading(group: group, amount: Int64(group)), Reading(group: group, amount: 5),
      ])
    }
    for index in stride(from: 0, to: 240, by: 5) {
      try await store.amend(ids[index], to: Reading(group: UInt32(index / 2 + 1), amount: 9))
    }
    for index in stride(from: 3, to: 240, by: 17) { try await store.amend(ids[index], to: nil) }
    if purging {
      var options = PurgeOptions()
      options.policy = .count(60)
      _ = try await store.purge(options)
    }
    try await store.close()
    return ids
  }

  private func report(
    _ scratch: Scratch, _ sample: VerificationSample
  ) async throws -> VerificationReport {
    let store = try await RebuildTests.open(scratch)
    let report = try store.verify(sample: sample)
    try await store.close()
    return report
  }

  @Test(arguments: [false, true]) func whatIsSoundIsSaidToBe(purging: Bool) async throws {
    let scratch = Scratch()
    _ = try await store(scratch, purging: purging)
    let report = try await report(scratch, Self.whole)
    #expect(report.findings == [])
    #expect(report.coverage.allSatisfy { $0.checked == $0.total && !$0.isCutShort })
    #expect(
      report.coverage.map(\.part) == [.commits, .seals, .entities, .rows, .totals],
      "\(report.coverage)")
    for seed in 1...20 as ClosedRange<UInt64> {
      let sample = VerificationSample(share: 0.2, seconds: nil, seed: seed)
      let part = try await self.report(scratch, sample)
      #expect(part.findings == [], "seed \(seed)")
      let again = try await self.report(scratch, sample)
      #expect(part.coverage == again.coverage, "seed \(seed)")
      for part in part.coverage where [.entities, .rows, .totals].contains(part.part) {
        #expect(part.checked > 0 && part.checked < part.total, "seed \(seed): \(part)")
      }
    }
  }

  /// What is done to the views, and the table.
  enum Cut: String, CaseIterable {
    case total, extraTotal, missingTotal, member, extraMember, property, lostEntity, lostID
  }

  private func apply(_ cut: Cut, to scratch: Scratch) throws {
    let knife = ViewsKnife(path: scratch.path)
    let (totals, members) = ("GroupTotals.totals", "GroupTotals.members")
    switch cut {
    case .total:
      var row = try knife.row(totals, prefix: [0, 0, 0, 40])
      row.value[row.value.count - 1] ^= 4
      try knife.put(totals, row.key, row.value)
    case .extraTotal: try knife.put(totals, [0, 0, 9, 9], knife.row(totals).value)
    case .missingTotal: try knife.remove(totals, knife.row(totals, prefix: [0, 0, 0, 50]).key)
    case .member: try knife.remove(members, knife.row(members, prefix: [0, 0, 0, 60]).key)
    case .extraMember: try knife.put(members, [0, 0, 9, 0, 0, 0, 0, 0, 1], [])
    case .property:
      var row = try knife.row("state", prefix: [readingKind.rawValue, 0, 0, 0, 70])
      row.value[row.value.count - 1] ^= 2
      try knife.put("state", row.key, row.value)
    case .lostEntity:
      try knife.remove(
        "state", knife.row("state", prefix: [readingKind.rawValue, 0, 0, 0, 80]).key)
    case .lostID: try knife.remove("ids", knife.row("ids", prefix: [readingKind.rawValue]).key)
    }
  }

  @Test(arguments: Cut.allCases, [false, true])
  func aSampleOfEverythingFindsIt(cut: Cut, purging: Bool) async throws {
    let scratch = Scratch()
    _ = try await store(scratch, purging: purging)
    try apply(cut, to: scratch)
    let full = try await RebuildTests.open(scratch)
    #expect(try !full.verify().isSound)
    try await full.close()
    #expect(try await !report(scratch, Self.whole).isSound)
  }

  /// A bit that no entity puts, in a row that others put, is not found by looking for what they put.
  @Test(arguments: [false, true]) func aSampleOfEverythingFindsABitTooMany(isNewRow: Bool)
    async throws
  {
    let scratch = Scratch()
    func open() async throws -> EventStore { try await RebuildTests.open(scratch, [Flags.self]) }
    let store = try await open()
    for group in 1...3 as ClosedRange<UInt32> {
      _ = try await store.record((0..<9).map { Reading(group: group, amount: $0) })
    }
    #expect(try store.verify(sample: Self.whole).findings == [])
    try await store.close()
    let knife = ViewsKnife(path: scratch.path)
    var row = try knife.row("Flags.flags")
    var bitmap = isNewRow ? Bitmap() : try Bitmap(row.value.span.bytes)
    bitmap.flip(4_000)
    if isNewRow { row.key[3] = 9 }
    try knife.put("Flags.flags", row.key, bitmap.bytes)
    let again = try await open()
    #expect(try !again.verify().isSound)
    #expect(try !again.verify(sample: Self.whole).isSound)
    try await again.close()
  }

  @Test func smallSamplesFindItInTime() async throws {
    let scratch = Scratch()
    _ = try await store(scratch, purging: false)
    try apply(.property, to: scratch)
    var found = 0
    for seed in 1...60 as ClosedRange<UInt64> {
      let report = try await report(
        scratch, VerificationSample(share: 0.25, seconds: nil, seed: seed))
      found += report.isSound ? 0 : 1
      // The commit that gave the property its value is told.
      let origins = report.findings.compactMap(\.sequence)
      #expect(report.isSound || !origins.isEmpty, "seed \(seed): \(report.findings)")
    }
    #expect(found > 5 && found < 60)
  }

  @Test func withoutTimeLittleIsLookedAtAndThatIsSaid() async throws {
    let scratch = Scratch()
    _ = try await store(scratch, purging: false)
    let report = try await report(scratch, VerificationSample(share: 1, seconds: 0, seed: 1))
    #expect(report.findings == [])
    #expect(report.coverage.contains { $0.isCutShort && $0.checked < $0.total })
  }

  @Test func changedCommitsAreFound() async throws {
    let scratch = Scratch()
    _ = try await store(scratch, purging: false)
    let folder = try StoreFolder.open(at: scratch.path)
    let journal = folder.journalPath(try folder.current().journal)
    let environment = try Environment.open(path: journal)
    let commits = try environment.database(named: "commits")
    let key: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 33, 0, 0, 0, 0]
    try environment.write { transaction in
      var chunk = try #require(try transaction.view.bytes(for: key, in: commits))
      chunk[chunk.count - 1] ^= 1
      try transaction.put(key, chunk, in: commits)
    }
    try environment.close()
    let report = try await report(scratch, Self.whole)
    #expect(report.findings.first?.sequence == 33, "\(report.findings)")
  }
}
