// Goal: a deletion stands against what had not seen it, and nothing is lost by that. Method: each case of deletion,
// amendment, undeleting and reinsertion as a log of a few commits, with records, tombstones and findings.

import DaybookEntities
import DaybookMerging
import Testing

@Suite struct ExistenceTests {
  private let amended = record([1: 11, 2: 20])

  private func begun() -> Scenario {
    var log = Scenario()
    log.place(1, base: 0, clock: 100, .insert(key(1), start))
    return log
  }

  @Test func aDeletionKeepsTheRecord() throws {
    var log = begun()
    log.place(2, base: 1, clock: 200, .delete(key(1), start))
    let folded = try log.folded()
    #expect(folded[key(1)] == nil)
    #expect(folded.entities[key(1)]?.record == start)
    #expect(folded.entities[key(1)]?.deletions.map(\.position) == [2])
    #expect(folded.findings.isEmpty)
  }

  @Test func aDeletionStandsAgainstAnAmendmentInEitherOrder() throws {
    var first = begun()
    first.place(2, base: 1, clock: 200, .delete(key(1), start))
    first.place(3, base: 1, clock: 900, .amend(key(1), start, amended))
    var second = begun()
    second.place(3, base: 1, clock: 900, .amend(key(1), start, amended))
    second.place(2, base: 1, clock: 200, received: 900, .delete(key(1), start))
    for (log, finding, told) in [(first, 3, "1: 11@3 < -@2"), (second, 2, "1: 11@2 < -@3")] {
      let folded = try log.folded()
      #expect(folded[key(1)] == nil)
      #expect(folded.entities[key(1)]?.record == amended)
      #expect(folded.lost(.deletionStands, UInt64(finding), 1)?.map(\.brief) == [told])
      #expect(folded.findings.count == 1)
      // Undeleting writes existence alone, so the amendment comes back, which its author may not even know.
      var back = log
      back.place(4, base: 3, clock: 1_000, .undelete(key(1), start))
      #expect(try back.folded()[key(1)] == amended)
    }
  }

  /// Where a deletion was held when its author amended, and is taken after all, they are told.
  @Test func anAmendmentOfWhatItsAuthorDeletedIsTold() throws {
    var log = begun()
    log.place(2, base: 1, clock: 200, .delete(key(1), start))
    log.place(2, base: 1, clock: 210, .amend(key(1), start, amended))
    let folded = try log.folded()
    #expect(folded[key(1)] == nil)
    #expect(folded.entities[key(1)]?.record == amended)
    #expect(folded.lost(.deletionStands, 2, 2)?.map(\.brief) == ["1: 11@3 < -@2"])
  }

  @Test func anAmendmentThatLostIsNotToldAsKept() throws {
    var log = begun()
    log.place(2, base: 1, clock: 300, .amend(key(1), start, amended))
    log.place(2, base: 1, clock: 310, .delete(key(1), amended))
    log.place(3, base: 1, clock: 200, received: 400, .amend(key(1), start, record([1: 12, 2: 22])))
    let folded = try log.folded()
    #expect(folded.entities[key(1)]?.record == record([1: 11, 2: 22]))
    #expect(folded.lost(.valueLost, 3, 1)?.map(\.brief) == ["1: 12@4 < 11@2"])
    #expect(folded.lost(.deletionStands, 3, 1)?.map(\.brief) == ["2: 22@4 < -@3"])
  }

  @Test func deletedTwiceIsDeletedOnceAndTellsNothing() throws {
    var log = begun()
    log.place(2, base: 1, clock: 200, .delete(key(1), start))
    log.place(3, base: 1, clock: 300, .delete(key(1), start))
    let folded = try log.folded()
    #expect(folded[key(1)] == nil)
    #expect(folded.findings.isEmpty)
  }

  @Test func whoeverUndeletesMustHaveSeenEveryDeletion() throws {
    var log = begun()
    log.place(2, base: 1, clock: 200, .delete(key(1), start))
    log.place(3, base: 1, clock: 300, .delete(key(1), start))
    log.place(2, base: 1, clock: 900, .undelete(key(1), start))
    var folded = try log.folded()
    #expect(folded[key(1)] == nil)
    #expect(folded.lost(.deletionStands, 2, 2)?.map(\.brief) == ["existence: -@4 < -@3"])
    // The order of the two deletions makes no difference.
    var other = begun()
    other.place(3, base: 1, clock: 300, .delete(key(1), start))
    other.place(2, base: 1, clock: 200, received: 300, .delete(key(1), start))
    other.place(2, base: 1, clock: 900, .undelete(key(1), start))
    folded = try other.folded()
    #expect(folded[key(1)] == nil)
    #expect(folded.lost(.deletionStands, 2, 2)?.map(\.brief) == ["existence: -@4 < -@2"])
    // Whoever has seen both brings it back.
    log.place(4, base: 3, clock: 1, received: 900, .undelete(key(1), start))
    #expect(try log.folded()[key(1)] == start)
    #expect(try log.folded().entities[key(1)]?.deletions.isEmpty == true)
  }

  @Test func aDeletionStandsAgainstUndeletingThatItHadNotSeen() throws {
    var log = begun()
    log.place(2, base: 1, clock: 200, .delete(key(1), start))
    log.place(3, base: 2, clock: 900, .undelete(key(1), start))
    log.place(4, base: 1, clock: 300, received: 950, .delete(key(1), start))
    let folded = try log.folded()
    #expect(folded[key(1)] == nil)
    #expect(folded.lost(.deletionStands, 4, 1)?.map(\.brief) == ["existence: -@3 < -@4"])
  }

  @Test func aDeletionTellsOfEachUndeletingThatItHadNotSeen() throws {
    // 2 and 3 bring it back without one another, and 3 deletes it again. Then 4, who saw nothing, does.
    var log = begun()
    log.place(4, base: 1, clock: 150, .delete(key(1), start))
    log.place(2, base: 2, clock: 200, .undelete(key(1), start))
    log.place(3, base: 2, clock: 300, .undelete(key(1), start))
    #expect(try log.folded().entities[key(1)]?.revivals.map(\.position) == [3, 4])
    var other = log
    log.place(3, base: 2, clock: 400, .delete(key(1), start))
    let folded = try log.folded()
    #expect(folded.entities[key(1)]?.revivals.isEmpty == true)
    #expect(folded.lost(.deletionStands, 3, 2)?.map(\.brief) == ["existence: -@3 < -@5"])
    other.place(5, base: 2, clock: 400, .delete(key(1), start))
    let last = try other.folded().lost(.deletionStands, 5, 1)
    #expect(last?.map(\.brief) == ["existence: -@4 < -@5"])
  }

  @Test func anInsertionByHandIsToldThoughAProgramMadeTheSame() throws {
    var log = Scenario()
    log.place(1, base: 0, clock: 100, .insert(key(1), Record()))
    log.place(2, base: 0, clock: 200, .insert(key(1), Record(), made: true))
    log.place(3, base: 0, clock: 300, .skip(key(1)))
    let folded = try log.folded()
    #expect(folded.lost(.deletionStands, 3, 1)?.map(\.brief) == ["existence: -@1 < -@3"])
  }

  @Test func aDeletionThatSawTheUndeletingTellsNothing() throws {
    var log = begun()
    log.place(2, base: 1, clock: 200, .delete(key(1), start))
    log.place(3, base: 2, clock: 900, .undelete(key(1), start))
    log.place(4, base: 3, clock: 1, received: 950, .delete(key(1), start))
    let folded = try log.folded()
    #expect(folded[key(1)] == nil)
    #expect(folded.findings.isEmpty)
  }

  @Test func undeletingCanChangeThePropertiesToo() throws {
    var log = begun()
    log.place(2, base: 1, clock: 200, .delete(key(1), start))
    log.place(3, base: 1, clock: 300, .amend(key(1), start, record([1: 10, 2: 22])))
    log.place(2, base: 2, clock: 400, .undelete(key(1), start, as: amended))
    #expect(try log.folded()[key(1)] == record([1: 11, 2: 22]))
  }

  @Test func aReinsertionBeginsAnew() throws {
    var log = begun()
    log.place(2, base: 1, clock: 200, .delete(key(1), start))
    log.place(2, base: 2, clock: 300, .insert(key(1), record([2: 25])))
    var folded = try log.folded()
    #expect(folded[key(1)] == record([2: 25]))
    #expect(folded.findings.isEmpty)
    // What its author had not seen of the one before stays: nothing recorded is lost.
    log.place(
      3, base: 1, clock: 250, received: 400, .amend(key(1), start, record([1: 11, 2: 20, 3: 30])))
    folded = try log.folded()
    #expect(folded[key(1)] == record([2: 25, 3: 30]))
    #expect(folded.lost(.valueLost, 3, 1)?.map(\.brief) == ["1: 11@4 < -@3"])
  }

  @Test func whatAReinsertionHadNotSeenIsNotCleared() throws {
    var log = begun()
    log.place(3, base: 1, clock: 250, .amend(key(1), start, record([1: 10, 2: 20, 3: 30])))
    log.place(2, base: 1, clock: 260, .delete(key(1), start))
    log.place(2, base: 1, clock: 300, .insert(key(1), record([2: 25])))
    #expect(try log.folded()[key(1)] == record([2: 25, 3: 30]))
  }

  @Test func insertedTwiceIsUnited() throws {
    var log = begun()
    log.place(2, base: 0, clock: 200, .insert(key(1), record([1: 11, 3: 30])))
    let folded = try log.folded()
    #expect(folded[key(1)] == record([1: 11, 2: 20, 3: 30]))
    #expect(folded.lost(.valueLost, 2, 1)?.map(\.brief) == ["1: 10@1 < 11@2"])
  }

  @Test func aDeletionTellsOfAnInsertionItHadNotSeen() throws {
    var log = begun()
    log.place(2, base: 0, clock: 200, .insert(key(1), record([1: 10, 3: 30])))
    log.place(3, base: 1, clock: 300, .delete(key(1), start))
    let folded = try log.folded()
    #expect(folded[key(1)] == nil)
    #expect(
      folded.lost(.deletionStands, 3, 1)?.map(\.brief)
        == ["1: 10@2 < -@3", "3: 30@2 < -@3", "existence: -@2 < -@3"])
  }

  @Test func theFirstPolicyChangesNothingOfThis() throws {
    var log = begun()
    log.rules.policy = .always(.first)
    log.place(3, base: 1, clock: 900, .amend(key(1), start, amended))
    log.place(2, base: 1, clock: 200, received: 900, .delete(key(1), start))
    let folded = try log.folded()
    #expect(folded[key(1)] == nil)
    #expect(folded.entities[key(1)]?.record == amended)
  }

  @Test func anAmendmentOfWhatWasNeverInsertedIsKeptAndDoesNotExist() throws {
    var log = Scenario()
    log.place(2, base: 0, clock: 200, .amend(key(1), start, amended))
    #expect(try log.folded()[key(1)] == nil)
    log.place(1, base: 0, clock: 100, received: 200, .insert(key(1), start))
    #expect(try log.folded()[key(1)] == amended)
  }
}
