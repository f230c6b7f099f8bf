// Goal: a register that only an insertion gives keeps the value that was placed first. Method: ids inserted twice,
// amended, deleted and inserted again, with the values that were refused.

import DaybookEntities
import DaybookMerging
import Testing

@Suite struct ImmutableTests {
  private func begun(_ record: Record) -> Scenario {
    var log = Scenario(MergeRules(kinds: [thing: KindRules(immutable: [Register(tag: 1)])]))
    log.place(1, base: 0, clock: 100, .insert(key(1), record))
    return log
  }

  @Test func ofAnIdInsertedTwiceTheFirstPlacedStands() throws {
    var log = begun(start)
    log.place(2, base: 0, clock: 900, .insert(key(1), record([1: 11, 2: 22])))
    let folded = try log.folded()
    #expect(folded[key(1)] == record([1: 10, 2: 22]))
    #expect(
      folded.lost(.valueLost, 2, 1)?.map(\.brief) == ["1: 11@2 < 10@1", "2: 20@1 < 22@2"])
  }

  @Test func absentIsAValue() throws {
    var log = begun(record([2: 20]))
    log.place(2, base: 0, clock: 900, .insert(key(1), record([1: 11, 2: 20])))
    let folded = try log.folded()
    #expect(folded[key(1)] == record([2: 20]))
    #expect(folded.lost(.valueLost, 2, 1)?.map(\.brief) == ["1: 11@2 < -@floor"])
  }

  @Test func noAmendmentAndNoReinsertionChangesIt() throws {
    var log = begun(start)
    log.place(2, base: 1, clock: 200, .amend(key(1), start, record([1: 11, 2: 20])))
    #expect(try log.folded()[key(1)] == start)
    log.place(2, base: 2, clock: 300, .delete(key(1), start))
    log.place(2, base: 3, clock: 400, .insert(key(1), record([2: 25])))
    #expect(try log.folded()[key(1)] == record([1: 10, 2: 25]))
    log.place(2, base: 4, clock: 500, .delete(key(1), record([1: 10, 2: 25])))
    log.place(2, base: 5, clock: 600, .insert(key(1), record([1: 14, 2: 26])))
    let folded = try log.folded()
    #expect(folded[key(1)] == record([1: 10, 2: 26]))
    #expect(folded.lost(.valueLost, 2, 5)?.map(\.brief) == ["1: 14@6 < 10@1"])
  }

  @Test func noPolicyAsksAboutIt() throws {
    var log = begun(start)
    log.rules.policy = .always(.firstAndTell)
    log.place(2, base: 0, clock: 900, .insert(key(1), record([1: 11, 2: 20])))
    #expect(try log.folded().findings.values.map(\.asks) == [false])
    log.place(3, base: 0, clock: 900, .insert(key(1), record([1: 11, 2: 23])))
    #expect(try log.folded().findings.values.filter(\.asks).map(\.id.replica.rawValue) == [3])
  }

  @Test func aSkipIsNoInsertion() throws {
    var log = Scenario(MergeRules(kinds: [thing: KindRules(immutable: [Register(tag: 1)])]))
    log.place(1, base: 0, clock: 100, .skip(key(1)))
    log.place(2, base: 1, clock: 200, .insert(key(1), start))
    #expect(try log.folded()[key(1)] == start)
  }
}
