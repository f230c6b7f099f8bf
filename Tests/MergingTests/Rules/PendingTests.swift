// Goal: a replica's own commits are folded behind the log, and change nothing of it. Method: pending commits over a
// short log, with what they give before and after the others' commits and their own are placed.

import DaybookEntities
import DaybookMerging
import Testing

@Suite struct PendingTests {
  private func begun() -> Scenario {
    var log = Scenario()
    log.place(1, base: 0, clock: 100, .insert(key(1), start), .insert(key(2), start))
    log.place(2, base: 1, clock: 500, .amend(key(1), start, record([1: 11, 2: 20])))
    return log
  }

  @Test func theyAreFoldedBehindTheHeadByTheirClock() throws {
    var log = begun()
    let early = log.next(3, base: 1, clock: 400, [.amend(key(1), start, record([1: 13, 2: 20]))])
    let late = log.next(3, base: 1, clock: 900, [.amend(key(1), start, record([1: 14, 2: 20]))])
    let fold = try log.fold()
    let before = fold.folded
    let first = try fold.pending([early])
    #expect(first.entities[key(1)]?.record == record([1: 11, 2: 20]))
    #expect(first.findings.values.map(\.id.number) == [1])
    let both = try fold.pending([early, late])
    #expect(both.entities[key(1)]?.record == record([1: 14, 2: 20]))
    let writer = try #require(both.entities[key(1)]?.writers.first?.writer)
    #expect(writer.position == 4 && writer.received == .max && writer.clock == 900)
    #expect(both.entities[key(2)] == nil)
    #expect(fold.folded == before)
  }

  @Test func anOwnValueIsSeenByTheNextOwnCommit() throws {
    var log = begun()
    let mine = record([1: 10, 2: 20, 3: 1])
    let first = log.next(3, base: 2, clock: 900, [.amend(key(2), start, mine)])
    let second = log.next(
      3, base: 2, clock: 1, [.amend(key(2), mine, record([1: 10, 2: 20, 3: 2]))])
    let pending = try log.fold().pending([first, second])
    #expect(pending.entities[key(2)]?.record == record([1: 10, 2: 20, 3: 2]))
    #expect(pending.findings.isEmpty)
  }

  @Test func whenTheyArePlacedTheClockCountsUpToThen() throws {
    // Ten years ahead: it holds while it is pending, and until one that is placed later is newer.
    var log = begun()
    let ahead = log.next(
      3, base: 1, clock: 315_360_000_000_000, [.amend(key(1), start, record([1: 13, 2: 20]))])
    log.place(4, base: 1, clock: 600, .amend(key(1), start, record([1: 14, 2: 20])))
    #expect(try log.fold().pending([ahead]).entities[key(1)]?.record == record([1: 13, 2: 20]))
    log.place(ahead, received: 700)
    log.place(5, base: 1, clock: 701, .amend(key(1), start, record([1: 15, 2: 20])))
    #expect(try log.folded()[key(1)] == record([1: 15, 2: 20]))
  }

  @Test func othersMayBeLeftOutWhereThatIsSaid() throws {
    var log = begun()
    let first = log.next(3, base: 1, clock: 400, [.insert(key(8), record([1: 1]))])
    let second = log.next(3, base: 2, clock: 900, [.amend(key(1), start, record([1: 17, 2: 20]))])
    let fold = try log.fold()
    let whole = try fold.pending([first, second])
    let part = try fold.pending([second], isPart: true)
    #expect(part.entities[key(1)]?.record == record([1: 17, 2: 20]))
    #expect(part.entities[key(1)]?.record == whole.entities[key(1)]?.record)
    #expect(part.entities[key(8)] == nil)
    #expect(throws: FoldFault.self) { try fold.pending([second]) }
    #expect(throws: FoldFault.self) { try fold.pending([second, first], isPart: true) }
  }

  @Test func oneThatTheLogHasIsRefused() throws {
    var log = begun()
    let own = log.next(3, base: 1, clock: 400, [])
    log.place(own)
    let fold = try log.fold()
    let three = ReplicaID(rawValue: 3)
    #expect(throws: FoldFault.numberGap(position: 4, replica: three, expected: 2, found: 1)) {
      try fold.pending([own])
    }
  }

  @Test func theFirstOfARestoredCopyKnowsItsOriginal() throws {
    var log = begun()
    let copy = ReplicaCommit.Continuation(replica: ReplicaID(rawValue: 2), number: 1)
    let first = log.next(6, base: 1, clock: 1, continues: copy, [])
    let second = log.next(
      6, base: 1, clock: 1, [.amend(key(1), record([1: 11, 2: 20]), record([1: 16, 2: 20]))])
    let pending = try log.fold().pending([first, second])
    #expect(pending.entities[key(1)]?.record == record([1: 16, 2: 20]))
  }
}
