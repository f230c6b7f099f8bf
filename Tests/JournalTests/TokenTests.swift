// Goal: a token is accepted where it belongs, and refused everywhere else with the fault that fits.
// Method: tokens of a ledger, turned in each part; their text, turned in each character.

import DaybookEntities
import DaybookJournal
import DaybookRandom
import Foundation
import Testing

@Suite struct TokenTests {
  @Test func textRoundTrip() throws {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<200 {
      let token = Token(
        store: EntityID(high: generator.next(), low: generator.next()), lineage: generator.next(),
        sequence: generator.next(), linkPrefix: generator.next())
      #expect(token.text.count == 60)
      #expect(Token(token.text) == token)
      let data = try JSONEncoder().encode([token])
      #expect(try JSONDecoder().decode([Token].self, from: data) == [token])
    }
  }

  @Test func slipsOfThePenAreNoticed() {
    let token = Token(store: EntityID(high: 1, low: 2), lineage: 3, sequence: 4, linkPrefix: 5)
    let text = Array(token.text)
    for position in text.indices {
      for other in ["A", "b", "7", "_", "=", "é", " "] as [Character] where other != text[position]
      {
        var turned = text
        turned[position] = other
        #expect(Token(String(turned)) == nil)
      }
    }
    for count in 0..<60 { #expect(Token(token.text.prefix(count)) == nil) }
    #expect(Token(token.text + "A") == nil)
    #expect(Token(String(repeating: "A", count: 100_000)) == nil)
  }

  @Test func randomTextsAreNoTokens() {
    var generator = SeededGenerator(seed: 2)
    for _ in 0..<2_000 {
      let bytes = generator.bytes(Int.random(in: 0..<80, using: &generator))
      #expect(Token(String(decoding: bytes, as: UTF8.self)) == nil)
    }
  }

  @Test func everyFaultHasItsCode() throws {
    let scratch = Scratch()
    let store = try StoreFolder.create(at: scratch.ledger, isFlushed: false).openJournal()
    let beginning = try store.token()
    for number in 1...3 as ClosedRange<UInt64> { try store.record(draft([noteInsertion(number)])) }
    let newest = try store.token()
    #expect(newest.sequence == 3)
    for sequence in 0...3 as ClosedRange<UInt64> { try store.check(store.token(at: sequence)) }
    try store.check(beginning)
    try store.check(newest)

    var foreign = newest
    foreign.store.low ^= 1
    #expect(code { try store.check(foreign) } == .token(.foreignStore))
    var other = newest
    other.lineage ^= 1
    #expect(code { try store.check(other) } == .token(.otherLineage))
    for sequence in 0...3 as ClosedRange<UInt64> {
      var diverged = try store.token(at: sequence)
      diverged.linkPrefix ^= 1 << 63
      #expect(code { try store.check(diverged) } == .token(.diverged))
    }
    var future = newest
    future.sequence = 4
    #expect(code { try store.check(future) } == .token(.future))
    future.sequence = .max
    #expect(code { try store.check(future) } == .token(.future))
    try store.close()
  }

  @Test func aWriterChecksItsOwnCommitsToo() throws {
    let scratch = Scratch()
    let store = try StoreFolder.create(at: scratch.ledger, isFlushed: false).openJournal()
    let before = try store.token()
    let writer = try store.beginWrite()
    let header = try writer.append(draft([noteInsertion(1)]))
    let after = store.token(after: header)
    try writer.check(before)
    try writer.check(after)
    #expect(code { try store.check(after) } == .token(.future))
    writer.abort()
    #expect(code { try store.check(after) } == .token(.future))
    #expect(try store.head().sequence == 0)
    try store.close()
  }

  @Test func tokensBelowTheFloorAreExpired() throws {
    let scratch = Scratch()
    let folder = try StoreFolder.create(at: scratch.ledger, isFlushed: false)
    var store = try folder.openJournal()
    for number in 1...3 as ClosedRange<UInt64> { try store.record(draft([noteInsertion(number)])) }
    let old = try store.token(at: 1)
    let kept = try store.token(at: 2)
    try store.moveFloorForTests(to: 2)
    try store.close()
    store = try folder.openJournal()
    #expect(code { try store.check(old) } == .token(.expired(floor: 2)))
    try store.check(kept)
    #expect(
      code { try store.forEachCommit(after: 1) { _ in true } } == .token(.expired(floor: 2)))
    #expect(try store.verifyChain().commitCount == 1)
    try store.close()
  }
}
