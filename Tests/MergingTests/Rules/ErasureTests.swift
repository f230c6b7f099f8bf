// Goal: an erasure takes an entity's text out of all that the fold keeps, and what had not seen it brings none back.
// Method: short logs in every order of what was concurrent, with the exact record and every element's bytes.

import DaybookEntities
import DaybookMerging
import Testing

@Suite struct ErasureTests {
  /// Property 1 is a name, which becomes 99; property 2 is a note, which goes; 3 is no text.
  private let rules = MergeRules(kinds: [
    thing: {
      var rules = KindRules()
      rules.erasure = KindRules.Erasure([Register(tag: 1), Register(tag: 2)]) {
        _, record, isSettled in
        var writer = RecordWriter()
        writer.put(1) { $0.u8(isSettled ? 99 : 98) }
        if isSettled, let note = record[2] { writer.put(2) { $0.raw(note) } }
        if let other = record[3] { writer.put(3) { $0.raw(other) } }
        return writer.record
      }
      return rules
    }()
  ])

  private let first = record([1: 201, 2: 202, 3: 1])

  private func erase(_ before: Record?, _ after: Record?) -> EntityChange {
    EntityChange(key(1), before: before, after: after, isErasure: true)
  }

  /// No element has a byte of the text, which are the values from 200 to 219.
  private func hasText(_ folded: Folded) -> Bool {
    var found = false
    folded.forEachElement {
      if $0[0] > 2, $0.contains(where: { (200..<220).contains($0) }) { found = true }
    }
    return found
  }

  /// Logs of an erasure and of what two others wrote without having seen it, in every order.
  @Test(arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
  func itWinsInEveryOrder(order: [Int]) throws {
    var log = Scenario(rules)
    log.place(1, base: 0, clock: 10, .insert(key(1), first))
    for index in order {
      switch index {
      case 0: log.place(2, base: 1, clock: 11, erase(first, record([1: 98, 3: 1])))
      case 1:
        log.place(3, base: 1, clock: 12, .amend(key(1), first, record([1: 203, 2: 204, 3: 5])))
      default:
        log.place(4, base: 1, clock: 10, .amend(key(1), first, record([1: 205, 2: 202, 3: 1])))
      }
    }
    let folded = try log.folded()
    #expect(folded[key(1)] == record([1: 99, 3: 5]))
    #expect(folded.findings.isEmpty)
    #expect(!hasText(folded))
  }

  @Test func whoKnowsOfItMayWriteAnew() throws {
    var log = Scenario(rules)
    log.place(1, base: 0, clock: 10, .insert(key(1), first))
    log.place(2, base: 1, clock: 11, erase(first, record([1: 98, 3: 1])))
    let erased = record([1: 99, 3: 1])
    log.place(3, base: 2, clock: 5, .amend(key(1), erased, record([1: 7, 2: 8, 3: 1])))
    #expect(try log.folded()[key(1)] == record([1: 7, 2: 8, 3: 1]))
  }

  @Test func tombstonesAndFindingsLoseTheirText() throws {
    var log = Scenario(rules)
    log.place(1, base: 0, clock: 10, .insert(key(1), first))
    log.place(2, base: 1, clock: 11, .amend(key(1), first, record([1: 203, 2: 202, 3: 1])))
    log.place(3, base: 1, clock: 10, .amend(key(1), first, record([1: 204, 2: 202, 3: 2])))
    log.place(3, base: 1, clock: 12, .delete(key(1), record([1: 204, 2: 202, 3: 2])))
    let before = try log.folded()
    #expect(hasText(before) && !before.findings.isEmpty)
    log.place(2, base: 4, clock: 13, erase(nil, nil))
    let folded = try log.folded()
    #expect(folded.entities[key(1)]?.isDeleted == true)
    #expect(folded.entities[key(1)]?.record == record([1: 99, 3: 2]))
    #expect(!hasText(folded))
    // Brought back by somebody who had not seen it, without text.
    log.place(
      4, base: 4, clock: 14,
      .undelete(key(1), record([1: 203, 2: 202, 3: 2]), as: record([1: 206, 2: 202, 3: 4])))
    #expect(try log.folded()[key(1)] == record([1: 99, 3: 4]))
    #expect(try !hasText(log.folded()))
  }

  @Test func thatItWasErasedIsRememberedAndByWhomUpToTheFloor() throws {
    var log = Scenario(rules)
    log.place(1, base: 0, clock: 10, .insert(key(1), first))
    log.place(2, base: 1, clock: 11, erase(first, record([1: 98, 3: 1])))
    let state = try #require(try log.folded().entities[key(1)])
    #expect(state.isErased && state.erasures.map(\.position) == [2])
    var read = Folded()
    try read.readEntity(state.element(of: key(1)))
    #expect(read.entities[key(1)] == state)
    log.place(floor: 2)
    let later = try #require(try log.folded().entities[key(1)])
    #expect(later.isErased && later.erasures.isEmpty)
  }

  @Test func whatIsRecordedAnewBringsNoTextBack() throws {
    let rebase = Rebase(rules: rules)
    let writer = Writer(
      position: 9, replica: ReplicaID(rawValue: 1), number: 1, clock: 1, received: .max)
    let change = EntityChange.amend(key(1), first, record([1: 203, 2: 204, 3: 5]))
    let stands = record([1: 99, 3: 1])
    let outcome = try rebase.outcome(
      of: change, on: stands, isKnown: true, isErased: true, by: writer)
    #expect(outcome.change?.after == record([1: 99, 3: 5]))
    #expect(outcome.lost.isEmpty)
    let erased = try rebase.outcome(
      of: erase(first, record([1: 98, 3: 1])), on: record([1: 207, 2: 208, 3: 6]), isKnown: true,
      by: writer)
    #expect(erased.change?.after == record([1: 99, 3: 6]))
    #expect(erased.change?.isErasure == true)
  }
}
