// Goal: below the floor everything counts as seen, and no writer is kept. Method: logs with floors, with what is kept
// of them, and the fold of the same log without one.

import DaybookEntities
import DaybookMerging
import Testing

@Suite struct FloorTests {
  private func log(floor: UInt64?) -> Scenario {
    var log = Scenario()
    log.place(1, base: 0, clock: 100, .insert(key(1), start), .insert(key(2), start))
    log.place(2, base: 1, clock: 900, .amend(key(1), start, record([1: 11, 2: 20])))
    log.place(2, base: 1, clock: 910, .delete(key(2), start))
    log.place(3, base: 1, clock: 920, .amend(key(1), start, record([1: 10, 2: 22])))
    log.place(floor: floor ?? 0)
    return log
  }

  @Test func writersAreKeptAboveItOnly() throws {
    let folded = try log(floor: 3).folded()
    #expect(folded.floor == 3)
    let state = try #require(folded.entities[key(1)])
    #expect(state.record == record([1: 11, 2: 22]))
    #expect(state.revivals.isEmpty)
    #expect(state.writers.map(\.register.rawValue) == [2])
    #expect(state.writers.map(\.writer.position) == [4])
    let deleted = try #require(folded.entities[key(2)])
    #expect(deleted.isDeleted && deleted.deletions.isEmpty && deleted.writers.isEmpty)
    #expect(deleted.record == start)
    // What was placed at the floor itself is seen, what is one above is not.
    let lower = try log(floor: 2).folded()
    #expect(lower.entities[key(1)]?.writers.map(\.writer.position) == [4])
    #expect(lower.entities[key(2)]?.deletions.map(\.position) == [3])
    let lowest = try log(floor: 1).folded()
    #expect(lowest.entities[key(1)]?.writers.map(\.writer.position) == [2, 4])
    #expect(lowest.entities[key(1)]?.revivals.isEmpty == true)
    #expect(try log(floor: 0).folded().entities[key(1)]?.revivals.map(\.position) == [1])
  }

  @Test func whatWasSeenAnywayIsMergedAsWithoutIt() throws {
    for floor: UInt64 in 0...4 {
      var log = log(floor: floor)
      log.place(4, base: 4, clock: 5, received: 930, .undelete(key(2), start))
      log.place(4, base: 4, clock: 5, received: 930, .amend(key(1), record([1: 11, 2: 22]), start))
      let folded = try log.folded()
      #expect(folded[key(1)] == start && folded[key(2)] == start)
      #expect(folded.findings.isEmpty)
    }
  }

  @Test func aPendingCommitOfWhoWasAwayTakesItForSeen() throws {
    var log = log(floor: 4)
    let away = log.next(7, base: 1, clock: 5, [.amend(key(1), start, record([1: 17, 2: 20]))])
    let fold = try log.fold()
    let pending = try fold.pending([away])
    #expect(pending.entities[key(1)]?.record == record([1: 17, 2: 22]))
    #expect(pending.findings.isEmpty)
    log.place(away, received: 940)
    #expect(throws: FoldFault.baseBelowFloor(position: 6, base: 1)) { try log.folded() }
  }
}
