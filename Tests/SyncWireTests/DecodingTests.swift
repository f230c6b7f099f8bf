// Goal: whatever bytes come, decoders give a value or a WireError, and a changed entry is never taken.
// Method: each value is read again as itself; every truncation is refused; of sealed entries and pages every
// flipped bit is refused; of the rest a flip is refused or gives a value that is written as those bytes.

import DaybookEntities
import Testing

@testable import DaybookSyncWire

@Suite struct DecodingTests {
  @Test func contentsAreReadAsWritten() throws {
    for content in try contents() {
      #expect(try content.again(content.bytes) == content.bytes, "\(content.name)")
    }
  }

  @Test func truncationsAreRefused() throws {
    for content in try contents() where content.name != "part" {
      for count in content.bytes.indices {
        #expect(throws: WireError.self, "\(content.name) of \(count)") {
          try content.again(Array(content.bytes[..<count]))
        }
      }
      #expect(throws: WireError.self) { try content.again(content.bytes + [0]) }
    }
  }

  @Test func flipsHaveOneForm() throws {
    for content in try contents() {
      for bit in 0..<content.bytes.count * 8 {
        var flipped = content.bytes
        flipped[bit / 8] ^= 1 << UInt8(bit % 8)
        do {
          #expect(try content.again(flipped) == flipped, "\(content.name), bit \(bit)")
        } catch is WireError {
          // It was refused, as it may be.
        }
      }
    }
  }

  @Test func entriesRefuseEveryFlipAndTruncation() throws {
    let entry = try sampleEntry()
    let ring = KeyRing(first: key)
    #expect(
      try entry.open(ledger: ledger, ring: ring) == CommitPart.parts(of: sampleCommit())[0].bytes)
    for bit in 0..<entry.bytes.count * 8 {
      var flipped = entry.bytes
      flipped[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(throws: WireError.self, "bit \(bit)") {
        try SealedEntry(bytes: flipped).open(ledger: ledger, ring: ring)
      }
    }
    for count in entry.bytes.indices {
      #expect(throws: WireError.self) {
        try SealedEntry(bytes: Array(entry.bytes[..<count])).open(ledger: ledger, ring: ring)
      }
    }
    #expect(throws: WireError.self) {
      try entry.open(ledger: EntityID(high: 9, low: 9), ring: ring)
    }
  }

  @Test func pagesRefuseEveryFlipAndTruncation() throws {
    let log = try sampleLog(2)
    let pull = PullPage(head: 2, floor: 0, link: log.end.link, entries: log.entries)
    let push = PushPage([try sampleEntry(number: 1), try sampleEntry(number: 2)])
    #expect(try PullPage(bytes: pull.bytes) == pull)
    #expect(try PushPage(bytes: push.bytes) == push)
    for (bytes, read) in [
      (pull.bytes, { (bytes: [UInt8]) throws in _ = try PullPage(bytes: bytes) }),
      (push.bytes, { (bytes: [UInt8]) throws in _ = try PushPage(bytes: bytes) }),
    ] {
      for bit in 0..<bytes.count * 8 {
        var flipped = bytes
        flipped[bit / 8] ^= 1 << UInt8(bit % 8)
        #expect(throws: WireError.self, "bit \(bit)") { try read(flipped) }
      }
      for count in bytes.indices {
        #expect(throws: WireError.self) { try read(Array(bytes[..<count])) }
      }
    }
  }

  @Test func largeCommitsTravelInParts() throws {
    var commit = sampleCommit()
    commit.changes = (0..<40).map { index in
      WireChange(
        kind: EntityKind(rawValue: 2), id: EntityID(high: 0, low: UInt64(index)), before: nil,
        after: record([1: [UInt8](repeating: 7, count: 60_000)]), isMade: true)
    }
    let parts = try CommitPart.parts(of: commit)
    #expect(parts.count == 3)
    var assembler = CommitAssembler()
    for part in parts {
      let entry = try SealedEntry.seal(part.bytes, sampleHeader(), ledger: ledger, key: key)
      #expect(entry.bytes.count <= WireLimits.entryByteCountMax)
      let content = try entry.open(ledger: ledger, key: key)
      let whole = try assembler.take(CommitPart(bytes: content))
      #expect(whole == (part.index == 2 ? commit : nil))
    }
    #expect(throws: WireError.self) { try assembler.take(parts[1]) }
  }

  @Test func countsAreNotBelieved() {
    // A commit of 2^24 changes in a few bytes makes no room for them.
    var bytes = sampleCommit().bytes
    bytes = Array(bytes[..<70]) + [0xff, 0xff, 0xff, 0x07]
    #expect(throws: WireError.self) { try WireCommit(bytes: bytes) }
  }
}
