// Goal: what an encoder writes, its decoder reads; what no decoder reads is refused before it is sent.
// Method: values out of order or beyond a limit, written and read again.

import DaybookEntities
import Testing

@testable import DaybookSyncWire

@Suite struct EncodingTests {
  @Test func namesHaveALimit() throws {
    func entry(_ count: Int) -> DeviceEntry {
      DeviceEntry(name: String(repeating: "x", count: count), publicKey: DeviceKey().publicKey)
    }
    #expect(try DeviceEntry(bytes: entry(200).bytes).name.utf8.count == 200)
    #expect(throws: WireError.self) { try entry(201).bytes }
  }

  @Test func tagsAreWrittenInOrder() throws {
    var commit = sampleCommit()
    commit.changes[0].personalTags = [5, 3, 5]
    #expect(try WireCommit(bytes: commit.bytes).changes[0].personalTags == [3, 5])
  }

  @Test func whatErasesIsReadAgain() throws {
    var commit = sampleCommit()
    commit.changes[0].isErasure = true
    commit.changes.append(
      WireChange(
        kind: EntityKind(rawValue: 4), id: EntityID(high: 0, low: 7), before: nil, after: nil,
        isErasure: true))
    #expect(try WireCommit(bytes: commit.bytes) == commit)
  }

  @Test func epochsAreWrittenInOrder() throws {
    let device = DeviceKey()
    let wraps = try [2, 1].map {
      try KeyWrap(key, epoch: 2, ledger: ledger, replica: $0, for: device.publicKey)
    }
    let entry = EpochEntry(epoch: 2, wraps: wraps, revoked: [9, 8])
    let again = try EpochEntry(bytes: entry.bytes)
    #expect(again.wraps.map(\.replica) == [1, 2] && again.revoked == [8, 9])
    for revoked in [[1], [9, 9]] as [[UInt64]] {
      #expect(throws: WireError.self) {
        try EpochEntry(epoch: 2, wraps: wraps, revoked: revoked).bytes
      }
    }
  }

  @Test func commitsThatNobodyReadsAreRefused() throws {
    let record = record([3: [1]])
    let bad: [(inout WireCommit) -> Void] = [
      { $0.number = 0 }, { $0.leastFoldVersion = 2 }, { $0.changes[0].isMade = true },
      { $0.changes[0].tombstone = record },
    ]
    for change in bad {
      var commit = sampleCommit()
      change(&commit)
      #expect(throws: WireError.self) { try WireCommit(bytes: commit.bytes) }
      #expect(throws: WireError.self) { try CommitPart.parts(of: commit) }
    }
  }

  @Test func headersThatNobodyReadsAreRefused() {
    for header in [
      sampleHeader(number: 0),
      EntryHeader(kind: .floor, replica: 1, number: 1, base: 2, clock: 1, floor: 3, epoch: 1),
    ] {
      #expect(throws: WireError.self) {
        try SealedEntry.seal([], header, ledger: ledger, key: key)
      }
    }
  }
}
