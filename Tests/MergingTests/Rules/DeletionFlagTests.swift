// Goal: an entity that is deleted by a flag in its record stays deleted, and what somebody changed without having seen
// that is kept and told. Method: an amendment and a deletion, in either order, and what neither side need be told of.

import DaybookEntities
import DaybookMerging
import Testing

@Suite struct DeletionFlagTests {
  private let deleted = record([1: 10, 2: 20, 9: 1])
  private let renamed = record([1: 11, 2: 20])

  private func begun() -> Scenario {
    var rules = KindRules()
    rules.deletionFlag = .init(Register(tag: 9)) { !$0.isEmpty }
    var log = Scenario(MergeRules(kinds: [thing: rules]))
    log.place(1, base: 0, clock: 100, .insert(key(1), start))
    return log
  }

  @Test func anAmendmentThatMeetsADeletionIsKeptAndTold() throws {
    var log = begun()
    log.place(1, base: 1, clock: 200, .amend(key(1), start, deleted))
    log.place(2, base: 1, clock: 300, .amend(key(1), start, renamed))
    let folded = try log.folded()
    #expect(folded[key(1)] == record([1: 11, 2: 20, 9: 1]))
    #expect(folded.lost(.deletionStands, 2, 1)?.map(\.brief) == ["1: 11@3 < -@2"])
  }

  @Test func aDeletionThatMeetsAnAmendmentIsTold() throws {
    var log = begun()
    log.place(2, base: 1, clock: 300, .amend(key(1), start, renamed))
    log.place(1, base: 1, clock: 200, .amend(key(1), start, deleted))
    let folded = try log.folded()
    #expect(folded[key(1)] == record([1: 11, 2: 20, 9: 1]))
    #expect(folded.lost(.deletionStands, 1, 2)?.map(\.brief) == ["1: 11@2 < -@3"])
  }

  @Test func whatWasSeenIsNotTold() throws {
    var log = begun()
    log.place(2, base: 1, clock: 200, .amend(key(1), start, renamed))
    log.place(1, base: 2, clock: 300, .amend(key(1), renamed, record([1: 11, 2: 20, 9: 1])))
    log.place(
      2, base: 3, clock: 400,
      .amend(key(1), record([1: 11, 2: 20, 9: 1]), record([1: 12, 2: 20, 9: 1])))
    #expect(try log.folded().findings.isEmpty)
  }

  @Test func twoDeletionsAreNotTold() throws {
    var log = begun()
    log.place(1, base: 1, clock: 200, .amend(key(1), start, deleted))
    log.place(2, base: 1, clock: 300, .amend(key(1), start, deleted))
    #expect(try log.folded().findings.isEmpty)
  }

  @Test func whatTheDeletionAlsoChangedIsAnOrdinaryLoss() throws {
    var log = begun()
    log.place(2, base: 1, clock: 200, .amend(key(1), start, renamed))
    log.place(1, base: 1, clock: 300, .amend(key(1), start, record([1: 15, 2: 20, 9: 1])))
    let folded = try log.folded()
    #expect(folded.findings.values.map(\.id.rule) == [.valueLost])
    #expect(folded.lost(.valueLost, 1, 2)?.map(\.brief) == ["1: 11@2 < 15@3"])
  }

  @Test func whatAProgramMadeIsNotTold() throws {
    var log = Scenario(begun().rules)
    log.place(1, base: 0, clock: 100, .insert(key(1), start, made: true))
    log.place(2, base: 0, clock: 200, .insert(key(1), record([1: 13]), made: true))
    log.place(2, base: 2, clock: 300, .amend(key(1), start, deleted))
    #expect(try log.folded().findings.isEmpty)
  }
}
