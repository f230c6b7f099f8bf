// Goal: no merge closes a cycle of parents. Method: trees of three entities that are moved concurrently and by one
// commit, with what was refused.

import DaybookEntities
import DaybookMerging
import Testing

@Suite struct ParentTests {
  /// Tag 3 is the parent's small number.
  private let rules = MergeRules(kinds: [
    thing: KindRules(
      parent: KindRules.Parent(Register(tag: 3)) { bytes in
        bytes.last.map { EntityID(high: 0, low: UInt64($0)) }
      })
  ])
  private let root = record([1: 1])

  private func under(_ parent: UInt8) -> Record { record([1: 1, 3: parent]) }

  /// Three entities without parents.
  private func begun() -> Scenario {
    var log = Scenario(rules)
    log.place(
      1, base: 0, clock: 100, .insert(key(1), root), .insert(key(2), root), .insert(key(3), root))
    return log
  }

  @Test func twoMovesThatWouldCloseACycle() throws {
    var log = begun()
    log.place(2, base: 1, clock: 200, .amend(key(1), root, under(2)))
    log.place(3, base: 1, clock: 900, .amend(key(2), root, under(1)))
    let folded = try log.folded()
    #expect(folded[key(1)] == under(2))
    #expect(folded[key(2)] == root)
    #expect(folded.lost(.cycle, 3, 1, key(2))?.map(\.brief) == ["3: 1@3 < -@floor"])
    #expect(folded.findings.count == 1)
  }

  @Test func aLongerCycleAndTheRestOfTheCommitIsTaken() throws {
    var log = begun()
    log.place(2, base: 1, clock: 200, .amend(key(1), root, under(2)))
    log.place(3, base: 1, clock: 300, .amend(key(2), root, under(3)))
    log.place(4, base: 1, clock: 400, .amend(key(3), root, record([1: 9, 3: 1])))
    let folded = try log.folded()
    #expect(folded[key(3)] == record([1: 9]))
    #expect(folded.lost(.cycle, 4, 1, key(3))?.map(\.brief) == ["3: 1@4 < -@floor"])
  }

  @Test func aParentThatAProgramGaveIsToldTooWhenItIsRefused() throws {
    var log = begun()
    log.place(2, base: 1, clock: 200, .amend(key(1), root, under(4)))
    log.place(3, base: 1, clock: 300, .insert(key(4), under(1), made: true))
    let folded = try log.folded()
    #expect(folded[key(4)] == root)
    #expect(folded.lost(.cycle, 3, 1, key(4))?.map(\.brief) == ["3: 1@3 < -@floor"])
  }

  @Test func theWayUpLeadsThroughTombstones() throws {
    var log = begun()
    log.place(2, base: 1, clock: 200, .amend(key(1), root, under(2)))
    log.place(2, base: 1, clock: 210, .delete(key(1), under(2)))
    log.place(3, base: 1, clock: 300, .amend(key(2), root, under(1)))
    #expect(try log.folded()[key(2)] == root)
  }

  @Test func itsOwnParent() throws {
    var log = begun()
    log.place(2, base: 1, clock: 200, .amend(key(1), root, under(1)))
    #expect(try log.folded()[key(1)] == root)
    #expect(try log.folded().findings.count == 1)
  }

  @Test func aParentThatNobodyKnowsIsTaken() throws {
    var log = begun()
    log.place(2, base: 1, clock: 200, .amend(key(1), root, under(77)))
    #expect(try log.folded()[key(1)] == under(77))
  }

  @Test func aCommitThatIsSoundAsAWholeIsTakenInEveryOrder() throws {
    // 1 < 2 < 3 is turned into 3 < 2 < 1, where every single step but one would be a cycle.
    var log = begun()
    log.place(
      1, base: 1, clock: 110, .amend(key(1), root, under(2)), .amend(key(2), root, under(3)))
    let turned: [EntityChange] = [
      .amend(key(1), under(2), root), .amend(key(2), under(3), under(1)),
      .amend(key(3), root, under(2)),
    ]
    for order in permutations(turned) {
      var log = log
      log.place(log.next(2, base: 2, clock: 200, order))
      let folded = try log.folded()
      #expect(folded[key(1)] == root && folded[key(2)] == under(1) && folded[key(3)] == under(2))
      #expect(folded.findings.isEmpty)
    }
  }

  @Test func aParentThatLostIsNotWalked() throws {
    var log = begun()
    log.place(2, base: 1, clock: 900, .amend(key(1), root, under(3)))
    log.place(3, base: 1, clock: 200, received: 900, .amend(key(1), root, under(2)))
    let folded = try log.folded()
    #expect(folded[key(1)] == under(3))
    #expect(folded.lost(.valueLost, 3, 1)?.map(\.brief) == ["3: 2@3 < 3@2"])
    // The later one takes it from the one before, who is told.
    log.place(4, base: 1, clock: 950, .amend(key(1), root, under(2)))
    #expect(try log.folded().lost(.valueLost, 4, 1)?.map(\.brief) == ["3: 3@2 < 2@4"])
  }

  @Test func aRefusedParentLeavesTheStandingOneWithItsWriter() throws {
    var log = begun()
    log.place(2, base: 1, clock: 200, .amend(key(1), root, under(3)))
    log.place(3, base: 2, clock: 300, .amend(key(2), root, under(1)))
    log.place(4, base: 2, clock: 400, .amend(key(1), under(3), under(2)))
    let folded = try log.folded()
    #expect(folded[key(1)] == under(3))
    #expect(folded.lost(.cycle, 4, 1)?.map(\.brief) == ["3: 2@4 < 3@2"])
    #expect(folded.entities[key(1)]?.writers.last?.writer.position == 2)
  }
}

/// Every order of a list.
func permutations<Element>(_ list: [Element]) -> [[Element]] {
  if list.isEmpty { return [[]] }
  return list.indices.flatMap { index in
    var rest = list
    let first = rest.remove(at: index)
    return permutations(rest).map { [first] + $0 }
  }
}
