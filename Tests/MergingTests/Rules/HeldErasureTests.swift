// Goal: an erasure takes the text out of what is held too, whoever asks for it, and the author's later changes go on with
// what is left. Method: short logs with the exact records, and every element's bytes.

import DaybookEntities
import DaybookMerging
import Testing

@Suite struct HeldErasureTests {
  private let books = key(1, EntityKind(rawValue: 70))

  /// Property 1 is a text, 2 a day, 3 a figure; property 1 of `books` says up to which day it is closed.
  private var rules: MergeRules {
    var kind = KindRules()
    kind.erasure = KindRules.Erasure([Register(tag: 1)]) { _, record, isSettled in
      var writer = RecordWriter()
      for tag: UInt8 in 1...3 where isSettled || tag > 1 {
        if let value = record[tag] { writer.put(tag) { $0.raw(value) } }
      }
      return writer.record
    }
    return MergeRules(
      kinds: [thing: kind],
      closing: ClosingRule(
        books, Register(tag: 1), extent: { Record(bytes: $0)[1]?.first.map { Int64($0) } ?? 0 },
        kinds: [
          thing: ClosingRule.Part(registers: [Register(tag: 2), Register(tag: 3)], isWhole: true) {
            _, record, extent in
            guard let day = record[2]?.first, day <= extent else { return nil }
            return [day] + (record[3] ?? [])
          }
        ]))
  }

  private func erase(_ before: Record?, _ after: Record?) -> EntityChange {
    EntityChange(key(1), before: before, after: after, isErasure: true)
  }

  /// Through day 5 all is closed, by replica 1 at position 1; replica 2 does not know.
  private func closed() -> Scenario {
    var log = Scenario(rules)
    log.place(1, base: 0, clock: 10, .insert(books, record([1: 5])))
    return log
  }

  private func hasText(_ folded: Folded) -> Bool {
    var found = false
    folded.forEachElement { if $0.contains(where: { (200..<220).contains($0) }) { found = true } }
    return found
  }

  private func held(_ folded: Folded) -> [HeldChange] { folded.held[key(1)] ?? [] }

  @Test func whoeverKnowsOfItErasesIt() throws {
    var log = closed()
    log.place(2, base: 0, clock: 11, .insert(key(1), record([1: 201, 2: 3, 3: 7])))
    #expect(try held(log.folded()).map(\.after) == [record([1: 201, 2: 3, 3: 7])])
    log.place(3, base: 2, clock: 12, erase(nil, nil))
    #expect(try held(log.folded()).map(\.after) == [record([2: 3, 3: 7])])
    // What its author goes on with, not knowing of the erasure, joins without text.
    log.place(
      2, base: 0, clock: 13,
      .amend(key(1), record([1: 201, 2: 3, 3: 7]), record([1: 202, 2: 3, 3: 8])))
    let folded = try log.folded()
    #expect(held(folded).map(\.after) == [record([2: 3, 3: 8])])
    #expect(held(folded).map(\.last.number) == [2])
    #expect(folded[key(1)] == nil)
    #expect(!hasText(folded))
  }

  @Test func itsAuthorErasesIt() throws {
    var log = closed()
    let first = record([1: 201, 2: 3, 3: 7])
    log.place(2, base: 0, clock: 11, .insert(key(1), first))
    log.place(2, base: 0, clock: 12, erase(first, record([2: 3, 3: 7])))
    log.place(
      2, base: 0, clock: 13,
      .amend(key(1), record([2: 3, 3: 7]), record([1: 99, 2: 3, 3: 7])))
    let folded = try log.folded()
    #expect(held(folded).map(\.after) == [record([1: 99, 2: 3, 3: 7])])
    #expect(folded.entities[key(1)]?.isErased == true)
    #expect(folded[key(1)] == nil)
    #expect(!hasText(folded))
  }

  /// Of a row that is there, the erasure is placed before the change that is held, or after it.
  @Test(arguments: [false, true]) func itWinsInEitherOrder(isFirst: Bool) throws {
    var log = Scenario(rules)
    let first = record([1: 201, 2: 3, 3: 7])
    log.place(1, base: 0, clock: 10, .insert(key(1), first))
    log.place(1, base: 0, clock: 10, .insert(books, record([1: 5])))
    if isFirst { log.place(3, base: 2, clock: 11, erase(first, record([2: 3, 3: 7]))) }
    log.place(2, base: 1, clock: 12, .amend(key(1), first, record([1: 202, 2: 3, 3: 8])))
    if !isFirst { log.place(3, base: 2, clock: 11, erase(first, record([2: 3, 3: 7]))) }
    let folded = try log.folded()
    #expect(folded[key(1)] == record([2: 3, 3: 7]))
    #expect(held(folded).map(\.before) == [record([2: 3, 3: 7])])
    #expect(held(folded).map(\.after) == [record([2: 3, 3: 8])])
    #expect(!hasText(folded))
  }

  /// A text that was held with its commit's other changes, and nothing but a text, is gone.
  @Test func whatIsNothingButTextIsHeldNoLonger() throws {
    var log = closed()
    log.place(
      1, base: 0, clock: 10, .insert(key(1), record([1: 201, 2: 9, 3: 7])))
    log.place(
      2, base: 0, clock: 11, .insert(key(2), record([2: 3, 3: 7])),
      .amend(key(1), record([1: 201, 2: 9, 3: 7]), record([1: 202, 2: 9, 3: 7])))
    #expect(try held(log.folded()).count == 1)
    log.place(3, base: 3, clock: 12, erase(nil, nil))
    let folded = try log.folded()
    #expect(folded.held.keys.map { $0 } == [key(2)])
    #expect(!hasText(folded))
  }
}
