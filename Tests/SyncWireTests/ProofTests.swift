// Goal: what a relay drops, reorders, repeats, alters, rolls back or forks is noticed by who reads its log.
// Method: one honest log of eight entries, changed in each of these ways at each place.

import DaybookEntities
import Testing

@testable import DaybookSyncWire

@Suite struct ProofTests {
  private func read(_ entries: [PlacedEntry], _ end: LogEnd) throws -> LogChain {
    var chain = LogChain(ledger: ledger)
    try chain.append(
      PullPage(head: end.position, floor: 0, link: end.link, entries: entries))
    return chain
  }

  /// Positions anew, as a relay would that hides what it did.
  private func renumbered(_ entries: [PlacedEntry]) -> ([PlacedEntry], LogEnd) {
    var end = LogEnd(startOf: ledger)
    var placed: [PlacedEntry] = []
    for (index, var entry) in entries.enumerated() {
      entry.position = UInt64(index + 1)
      end = end.appending(
        replica: entry.entry.header.replica, number: entry.entry.header.number,
        received: entry.received, digest: entry.entry.digest)
      placed.append(entry)
    }
    return (placed, end)
  }

  @Test func anHonestLogIsRead() throws {
    let log = try sampleLog(8)
    #expect(try read(log.entries, log.end).end == log.end)
  }

  @Test func droppedReorderedRepeated() throws {
    let log = try sampleLog(8)
    for index in 0..<7 {
      var dropped = log.entries
      dropped.remove(at: index)
      #expect(throws: ProofFault.self) { try read(dropped, log.end) }
      let hidden = renumbered(dropped)
      if index < 6 { #expect(throws: ProofFault.self) { try read(hidden.0, hidden.1) } }
      var repeated = log.entries
      repeated.insert(repeated[index], at: index)
      let again = renumbered(repeated)
      #expect(throws: ProofFault.self) { try read(again.0, again.1) }
      var reordered = log.entries
      reordered.swapAt(index, index + 1)
      #expect(throws: ProofFault.self) { try read(reordered, log.end) }
    }
  }

  @Test func altered() throws {
    let log = try sampleLog(8)
    for index in 0..<8 {
      var altered = log.entries
      altered[index].received += 1
      #expect(throws: ProofFault.self) { try read(altered, log.end) }
      altered = log.entries
      altered[index].entry = try SealedEntry.seal(
        [], altered[index].entry.header, ledger: ledger, key: LedgerKey())
      #expect(throws: ProofFault.self) { try read(altered, log.end) }
      // Where the relay counts its chain anew, the key tells.
      #expect(throws: WireError.self) { try altered[index].entry.open(ledger: ledger, key: key) }
    }
  }

  @Test func withheldBeyondTheHeadAndOfAnotherFloor() throws {
    let log = try sampleLog(8)
    var chain = LogChain(ledger: ledger)
    #expect(throws: ProofFault.rolledBack(seen: 8, head: 3)) {
      try chain.append(PullPage(head: 3, floor: 0, link: log.end.link, entries: log.entries))
    }
    #expect(throws: ProofFault.withheld(position: 0, head: 9)) {
      try chain.append(PullPage(head: 9, floor: 0, link: chain.end.link, entries: []))
    }
    #expect(throws: ProofFault.wrongFloor(expected: 0, found: 3)) {
      try chain.append(PullPage(head: 8, floor: 3, link: log.end.link, entries: log.entries))
    }
    #expect(throws: ProofFault.wrongFloor(expected: 0, found: 10)) {
      try chain.append(PullPage(head: 9, floor: 10, link: log.end.link, entries: log.entries))
    }
    #expect(chain == LogChain(ledger: ledger), "a reader stays where it is")
    // Before the head, the floor may be one that an entry behind the page has set.
    try chain.append(PullPage(head: 9, floor: 3, link: log.end.link, entries: log.entries))
  }

  @Test func linksAboveTheFloorAreKept() throws {
    var chain = LogChain(ledger: ledger)
    var ends: [LogEnd] = [chain.end]
    for number in 1...40 as ClosedRange<UInt64> {
      // A floor each ten entries, five below.
      let isFloor = number % 10 == 0
      let header = EntryHeader(
        kind: isFloor ? .floor : .commit, replica: 1, number: number, base: number - 1, clock: 1,
        floor: isFloor ? number - 5 : 0, epoch: 1)
      let entry = try SealedEntry.seal([], header, ledger: ledger, key: key)
      try chain.append(PlacedEntry(position: number, received: 1, entry: entry))
      ends.append(chain.end)
      for end in ends {
        #expect(
          chain.link(at: end.position) == (end.position >= chain.floor ? end.link : nil))
      }
      #expect(chain.link(at: number + 1) == nil)
    }
    #expect(chain.floor == 35)
  }

  @Test func rolledBackAndForked() throws {
    let log = try sampleLog(8)
    let chain = try read(log.entries, log.end)
    var reader = chain
    #expect(throws: ProofFault.rolledBack(seen: 8, head: 5)) {
      try reader.append(PullPage(head: 5, floor: 0, link: chain.end.link, entries: []))
    }
    // Another log of the same length, shown to another device: its link differs from the first entry on.
    var other = log.entries
    other[3].received = other[2].received
    let fork = renumbered(other)
    let second = try read(fork.0, fork.1)
    let link = try #require(second.link(at: 8))
    #expect(throws: ProofFault.forked(position: 8, replica: 2)) {
      try chain.compare(link, at: 8, by: 2)
    }
    #expect(try chain.compare(log.end.link, at: 8, by: 2))
    #expect(try !chain.compare(link, at: 9, by: 2))
  }
}
