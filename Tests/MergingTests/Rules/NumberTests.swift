// Goal: the log gives recording numbers, and every replica finds the same ones. Method: named logs with the numbers that
// each entity must have.

import DaybookEntities
import DaybookMerging
import Testing

@Suite struct NumberTests {
  private func numbers(_ folded: Folded, _ ids: ClosedRange<UInt64>) -> [UInt64] {
    ids.map { folded.entities[key($0)]?.number ?? 0 }
  }

  @Test func insertionsAreNumberedAsTheyArePlaced() throws {
    var log = Scenario()
    log.place(2, base: 0, clock: 900, .insert(key(3), start), .insert(key(1), start))
    log.place(1, base: 0, clock: 100, .insert(key(2), start))
    let folded = try log.folded()
    #expect(numbers(folded, 1...3) == [2, 3, 1])
    #expect(folded.nextNumbers == [thing: 4])
  }

  @Test func theFirstOfTwoInsertionsCounts() throws {
    var log = Scenario()
    log.place(1, base: 0, clock: 100, .insert(key(1), start), .insert(key(2), start))
    log.place(2, base: 0, clock: 100, .insert(key(2), start), .insert(key(3), start))
    #expect(numbers(try log.folded(), 1...3) == [1, 2, 3])
  }

  @Test func anEntityKeepsItsNumberThroughADeletion() throws {
    var log = Scenario()
    log.place(1, base: 0, clock: 100, .insert(key(1), start))
    log.place(1, base: 1, clock: 200, .delete(key(1), start))
    #expect(numbers(try log.folded(), 1...1) == [1])
    log.place(2, base: 0, clock: 200, .insert(key(2), start))
    log.place(1, base: 3, clock: 300, .insert(key(1), record([1: 12])))
    let folded = try log.folded()
    #expect(numbers(folded, 1...2) == [1, 2])
    #expect(folded.nextNumbers == [thing: 3])
  }

  @Test func aSkipHasNoNumber() throws {
    var log = Scenario()
    log.place(1, base: 0, clock: 100, .skip(key(1)))
    log.place(1, base: 1, clock: 100, .insert(key(2), start))
    #expect(numbers(try log.folded(), 1...2) == [0, 1])
    log.place(1, base: 2, clock: 100, .insert(key(1), start))
    #expect(numbers(try log.folded(), 1...2) == [2, 1])
  }

  @Test func eachKindCountsFromItsFirstNumber() throws {
    var kind = KindRules()
    kind.firstNumber = 16
    let other = EntityKey(EntityKind(rawValue: 70), key(1).id)
    var log = Scenario(MergeRules(kinds: [other.kind: kind]))
    log.place(1, base: 0, clock: 100, .insert(other, start), .insert(key(1), start))
    let folded = try log.folded()
    #expect(folded.entities[other]?.number == 16)
    #expect(folded.entities[key(1)]?.number == 1)
    #expect(folded.nextNumbers == [other.kind: 17, thing: 2])
  }

  @Test func pendingCommitsAreNumberedAfterTheLog() throws {
    var log = Scenario()
    let pending = log.next(1, base: 0, clock: 100, [.insert(key(1), start)])
    let later = log.next(1, base: 0, clock: 100, [.insert(key(2), start)])
    log.place(2, base: 0, clock: 500, .insert(key(3), start))
    let top = try log.fold().pending([pending, later])
    #expect(top.entities[key(1)]?.number == 2)
    #expect(top.entities[key(2)]?.number == 3)
    #expect(try log.folded().nextNumbers == [thing: 2])
  }
}
