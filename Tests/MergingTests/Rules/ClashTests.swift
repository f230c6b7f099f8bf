// Goal: values that are valid each and not together are taken from one side, whole, and the other side is told.
// Method: a transfer whose two accounts (tags 1 and 2) must differ, and checks that no side can meet.

import DaybookEntities
import DaybookMerging
import Testing

@Suite struct ClashTests {
  /// Tags 1 and 2 must differ.
  private static let transfer = KindRules { _, record in
    record[1] == record[2] ? [Register(tag: 1), Register(tag: 2)] : []
  }

  private func begun(_ rules: KindRules = transfer, _ policy: MergePolicy = .last) -> Scenario {
    var log = Scenario(MergeRules(kinds: [thing: rules], policy: .always(policy)))
    log.place(1, base: 0, clock: 100, .insert(key(1), start))
    // Replica 2 moves one end and writes a note.
    log.place(2, base: 1, clock: 200, .amend(key(1), start, record([1: 30, 2: 20, 3: 7])))
    return log
  }

  @Test func theLaterSideIsTakenWhole() throws {
    var log = begun()
    log.place(3, base: 1, clock: 300, .amend(key(1), start, record([1: 10, 2: 30])))
    let folded = try log.folded()
    #expect(folded[key(1)] == record([1: 10, 2: 30, 3: 7]))
    #expect(folded.lost(.clash, 3, 1)?.map(\.brief) == ["1: 30@2 < 10@3"])
    #expect(folded.findings.count == 1)
    #expect(folded.entities[key(1)]?.writers.map(\.writer.position) == [3, 3, 2])
  }

  @Test(arguments: [MergePolicy.last, .first])
  func theEarlierSideGoesBackToWhatStood(policy: MergePolicy) throws {
    var log = begun(Self.transfer, policy)
    let clock: Int64 = policy == .last ? 150 : 900
    log.place(
      3, base: 1, clock: clock, received: 900, .amend(key(1), start, record([1: 10, 2: 30, 4: 8])))
    let folded = try log.folded()
    #expect(folded[key(1)] == record([1: 30, 2: 20, 3: 7, 4: 8]))
    #expect(folded.lost(.clash, 3, 1)?.map(\.brief) == ["2: 30@3 < 20@1"])
    #expect(folded.entities[key(1)]?.writers.map(\.writer.position) == [2, 1, 2, 3])
  }

  @Test func aTombstoneIsCheckedToo() throws {
    var log = begun()
    log.place(2, base: 1, clock: 210, .delete(key(1), record([1: 30, 2: 20, 3: 7])))
    log.place(3, base: 1, clock: 300, .amend(key(1), start, record([1: 10, 2: 30])))
    let folded = try log.folded()
    #expect(folded.entities[key(1)]?.record == record([1: 10, 2: 30, 3: 7]))
    #expect(folded.lost(.deletionStands, 3, 1)?.map(\.brief) == ["2: 30@4 < -@3"])
  }

  @Test func whatIsMadeGivesWay() throws {
    var log = Scenario(MergeRules(kinds: [thing: Self.transfer]))
    log.place(1, base: 0, clock: 100, .insert(key(1), record([1: 10]), made: true))
    log.place(2, base: 0, clock: 900, .insert(key(1), record([1: 11, 2: 10]), made: true))
    let folded = try log.folded()
    #expect(folded[key(1)] == record([1: 10]))
    #expect(folded.findings.isEmpty)
    log.place(3, base: 1, clock: 1, received: 900, .amend(key(1), record([1: 10]), record([2: 10])))
    #expect(try log.folded()[key(1)] == record([2: 10]))
  }

  @Test func aCheckThatNamesOneSideOnlyTakesAllRegisters() throws {
    var log = begun(KindRules { _, record in record[1] == record[2] ? [Register(tag: 2)] : [] })
    log.place(3, base: 1, clock: 300, .amend(key(1), start, record([1: 10, 2: 30])))
    let folded = try log.folded()
    #expect(folded[key(1)] == record([1: 10, 2: 30]))
    #expect(
      folded.lost(.clash, 3, 1)?.map(\.brief) == ["1: 30@2 < 10@3", "3: 7@2 < -@3"])
  }

  @Test func whereTheNamedRegistersAreNotEnoughAllAreTaken() throws {
    // What is taken of the registers first named clashes with the note.
    var log = begun(
      KindRules { _, record in
        if record[1] == record[2] { return [Register(tag: 1), Register(tag: 2)] }
        return record[1] == [10] && record[3] == [7] ? [Register(tag: 3)] : []
      })
    log.place(3, base: 1, clock: 300, .amend(key(1), start, record([1: 10, 2: 30])))
    let folded = try log.folded()
    #expect(folded[key(1)] == record([1: 10, 2: 30]))
    #expect(
      folded.lost(.clash, 3, 1)?.map(\.brief) == ["1: 30@2 < 10@3", "3: 7@2 < -@3"])
  }

  @Test func whatNoSideCanMeetLeavesWhatStood() throws {
    var log = begun(KindRules { _, record in record[4] == nil ? [] : [Register(tag: 1)] })
    log.place(3, base: 1, clock: 300, .amend(key(1), start, record([1: 10, 2: 30, 4: 8])))
    let folded = try log.folded()
    #expect(folded[key(1)] == record([1: 30, 2: 20, 3: 7]))
    #expect(folded.lost(.clash, 3, 1)?.map(\.brief) == ["2: 30@3 < 20@1", "4: 8@3 < -@floor"])
  }

  @Test func aRecordThatItsAuthorSawIsNotChecked() throws {
    var log = begun()
    let same = record([1: 20, 2: 20, 3: 7])
    log.place(2, base: 1, clock: 210, .amend(key(1), record([1: 30, 2: 20, 3: 7]), same))
    #expect(try log.folded()[key(1)] == same)
  }

  @Test func whoBuildsOnARefusedValueIsCheckedAgain() throws {
    var log = begun()
    log.place(3, base: 1, clock: 150, received: 200, .amend(key(1), start, record([1: 10, 2: 30])))
    // 3 knows nothing of the refusal. It had seen 20 at tag 2, and now writes tag 1 as 20.
    log.place(
      3, base: 1, clock: 250, .amend(key(1), record([1: 10, 2: 30]), record([1: 20, 2: 30])))
    let folded = try log.folded()
    #expect(folded[key(1)] == record([1: 20, 2: 30, 3: 7]))
    #expect(folded.lost(.valueLost, 3, 2)?.map(\.brief) == ["1: 30@2 < 20@4"])
    #expect(folded.lost(.clash, 3, 2)?.map(\.brief) == ["2: 20@1 < 30@4"])
  }
}
