// Goal: which of two values of a property holds, and what is told. Method: each rule as a log of a few commits with
// the exact record, writers and findings.

import DaybookEntities
import DaybookMerging
import Testing

@Suite struct PropertyTests {
  /// A log in which replica 1 inserted thing 1.
  private func begun(_ policy: PolicySource = .always(.last), groups: [[UInt8]] = []) -> Scenario {
    var log = Scenario(MergeRules(kinds: [thing: KindRules(groups: groups)], policy: policy))
    log.place(1, base: 0, clock: 100, .insert(key(1), start))
    return log
  }

  /// The same property, written by replicas 2 and 3 that had not seen each other.
  private func rivals(
    _ first: Int64, _ second: Int64, received: Int64? = nil, _ policy: PolicySource = .always(.last)
  ) -> Scenario {
    var log = begun(policy)
    log.place(
      2, base: 1, clock: first, received: received, .amend(key(1), start, record([1: 11, 2: 20])))
    log.place(
      3, base: 1, clock: second, received: received, .amend(key(1), start, record([1: 12, 2: 20])))
    return log
  }

  @Test func differentPropertiesBothHold() throws {
    var log = begun()
    log.place(2, base: 1, clock: 200, .amend(key(1), start, record([1: 11, 2: 20])))
    log.place(3, base: 1, clock: 150, .amend(key(1), start, record([1: 10, 2: 21])))
    let folded = try log.folded()
    #expect(folded[key(1)] == record([1: 11, 2: 21]))
    #expect(folded.findings.isEmpty)
    #expect(folded.entities[key(1)]?.writers.map(\.writer.position) == [2, 3])
  }

  @Test func ofOnePropertyTheLaterClockHoldsAndTheOtherIsTold() throws {
    let later = try rivals(200, 300).folded()
    #expect(later[key(1)] == record([1: 12, 2: 20]))
    #expect(later.lost(.valueLost, 3, 1)?.map(\.brief) == ["1: 11@2 < 12@3"])
    let earlier = try rivals(300, 200).folded()
    #expect(earlier[key(1)] == record([1: 11, 2: 20]))
    #expect(earlier.lost(.valueLost, 3, 1)?.map(\.brief) == ["1: 12@3 < 11@2"])
    #expect(later.findings.count == 1 && earlier.findings.count == 1)
  }

  @Test func onATieTheOnePlacedFirstHolds() throws {
    let folded = try rivals(300, 300).folded()
    #expect(folded[key(1)] == record([1: 11, 2: 20]))
    #expect(folded.lost(.valueLost, 3, 1)?.map(\.brief) == ["1: 12@3 < 11@2"])
  }

  @Test func aClockIsBelievedUpToWhenTheCommitWasReceived() throws {
    // Ten years ahead, and received at 250: it counts as 250.
    var log = begun()
    let decade: Int64 = 315_360_000_000_000
    log.place(
      2, base: 1, clock: decade, received: 250, .amend(key(1), start, record([1: 11, 2: 20])))
    log.place(3, base: 1, clock: 260, received: 270, .amend(key(1), start, record([1: 12, 2: 20])))
    #expect(try log.folded()[key(1)] == record([1: 12, 2: 20]))
    // Both ahead, and received at once: a tie.
    let tie = try rivals(decade, decade + 1, received: 250).folded()
    #expect(tie[key(1)] == record([1: 11, 2: 20]))
  }

  @Test func whoHasSeenAValueReplacesItWhateverTheClock() throws {
    var log = begun()
    log.place(2, base: 1, clock: 50, .amend(key(1), start, record([1: 11, 2: 20])))
    log.place(
      3, base: 2, clock: 20, .amend(key(1), record([1: 11, 2: 20]), record([1: 12, 2: 20])))
    let folded = try log.folded()
    #expect(folded[key(1)] == record([1: 12, 2: 20]))
    #expect(folded.findings.isEmpty)
  }

  @Test func aReplicaHasSeenItsOwnCommitsOnly() throws {
    var log = begun()
    let own = record([1: 11, 2: 20])
    log.place(2, base: 1, clock: 300, .amend(key(1), start, own))
    log.place(2, base: 1, clock: 40, .amend(key(1), own, record([1: 12, 2: 20])))
    #expect(try log.folded()[key(1)] == record([1: 12, 2: 20]))
    // Replica 3 compares with what replica 2 wrote last, whose clock went back.
    log.place(3, base: 1, clock: 41, .amend(key(1), start, record([1: 13, 2: 20])))
    let folded = try log.folded()
    #expect(folded[key(1)] == record([1: 13, 2: 20]))
    #expect(folded.lost(.valueLost, 3, 1)?.map(\.brief) == ["1: 12@3 < 13@4"])
  }

  @Test func aRestoredCopyHasSeenWhatItsOriginalHadPlaced() throws {
    var log = begun()
    log.place(2, base: 1, clock: 300, .amend(key(1), start, record([1: 11, 2: 20])))
    log.place(
      2, base: 2, clock: 300, .amend(key(1), record([1: 11, 2: 20]), record([1: 11, 2: 21])))
    // The copy holds the first commit of replica 2 and not the second.
    let copied = ReplicaCommit.Continuation(replica: ReplicaID(rawValue: 2), number: 1)
    log.place(
      5, base: 1, clock: 10, continues: copied,
      .amend(key(1), record([1: 11, 2: 20]), record([1: 12, 2: 22])))
    let folded = try log.folded()
    #expect(folded[key(1)] == record([1: 12, 2: 21]))
    #expect(folded.lost(.valueLost, 5, 1)?.map(\.brief) == ["2: 22@4 < 21@3"])
    // The copy of the copy still knows it, in its second commit too.
    let again = ReplicaCommit.Continuation(replica: ReplicaID(rawValue: 5), number: 1)
    log.place(6, base: 1, clock: 10, continues: again)
    log.place(6, base: 1, clock: 10, .amend(key(1), start, record([1: 13, 2: 20])))
    #expect(try log.folded()[key(1)] == record([1: 13, 2: 21]))
  }

  @Test func equalValuesAreNoLoss() throws {
    var log = begun()
    log.place(2, base: 1, clock: 200, .amend(key(1), start, record([1: 11, 2: 20])))
    log.place(3, base: 1, clock: 300, .amend(key(1), start, record([1: 11, 2: 20])))
    var folded = try log.folded()
    #expect(folded.findings.isEmpty)
    // The later one is the writer now: 250 does not hold against it.
    #expect(folded.entities[key(1)]?.writers.first?.writer.position == 3)
    log.place(4, base: 1, clock: 250, received: 400, .amend(key(1), start, record([1: 13, 2: 20])))
    folded = try log.folded()
    #expect(folded[key(1)] == record([1: 11, 2: 20]))
  }

  @Test(arguments: [MergePolicy.first, .firstAndTell])
  func byThePolicyFirstTheOnePlacedFirstHolds(policy: MergePolicy) throws {
    let folded = try rivals(200, 300, .always(policy)).folded()
    #expect(folded[key(1)] == record([1: 11, 2: 20]))
    #expect(folded.lost(.valueLost, 3, 1)?.map(\.brief) == ["1: 12@3 < 11@2"])
    #expect(folded.findings.values.map(\.asks) == [policy == .firstAndTell])
  }

  @Test func thePolicyIsAPropertyAndHoldsFromTheNextCommitOn() throws {
    let settings = key(9, EntityKind(rawValue: 70))
    let policy = PolicySource.property(settings, tag: 4) { bytes in
      switch bytes?.first {
      case 1: .first
      case 2: .firstAndTell
      default: .last
      }
    }
    var log = rivals(200, 300, policy)
    // Under `last`, which is what stands before it, this commit's own value wins.
    log.place(
      4, base: 1, clock: 400, .insert(settings, record([4: 1])),
      .amend(key(1), start, record([1: 13, 2: 20])))
    #expect(try log.folded()[key(1)] == record([1: 13, 2: 20]))
    log.place(5, base: 1, clock: 500, .amend(key(1), start, record([1: 14, 2: 20])))
    #expect(try log.folded()[key(1)] == record([1: 13, 2: 20]))
    // The policy itself is merged by the clock, also under `first`, and another of its entity's properties is not.
    log.place(6, base: 1, clock: 600, .insert(settings, record([4: 2])))
    let folded = try log.folded()
    #expect(folded[settings] == record([4: 2]))
    #expect(folded.lost(.valueLost, 6, 1, settings)?.map(\.brief) == ["4: 1@4 < 2@6"])
    log.place(7, base: 1, clock: 700, .amend(key(1), start, record([1: 15, 2: 20])))
    #expect(try log.folded().findings.values.filter(\.asks).map(\.id.replica.rawValue) == [7])
  }

  @Test func aGroupIsMergedAsOne() throws {
    var log = begun(groups: [[2, 1]])
    log.place(2, base: 1, clock: 200, .amend(key(1), start, record([1: 11, 2: 20])))
    log.place(3, base: 1, clock: 300, .amend(key(1), start, record([1: 10, 2: 21, 3: 30])))
    let folded = try log.folded()
    #expect(folded[key(1)] == record([1: 10, 2: 21, 3: 30]))
    let lost = try #require(folded.lost(.valueLost, 3, 1))
    #expect(lost.map(\.register) == [Register(tag: 1)])
    #expect(lost[0].lost.bytes == record([1: 11, 2: 20]).bytes)
    #expect(lost[0].won.bytes == record([1: 10, 2: 21]).bytes)
  }

  @Test func aPropertyThatNobodyKnowsIsKeptAndMerged() throws {
    var log = begun(groups: [[1, 2]])
    log.place(2, base: 1, clock: 200, .amend(key(1), start, record([1: 10, 2: 20, 200: 1])))
    log.place(3, base: 1, clock: 300, .amend(key(1), start, record([1: 11, 2: 20, 255: 2])))
    log.place(4, base: 1, clock: 100, .amend(key(1), start, record([1: 10, 2: 20, 200: 3])))
    let folded = try log.folded()
    #expect(folded[key(1)] == record([1: 11, 2: 20, 200: 1, 255: 2]))
    #expect(folded.lost(.valueLost, 4, 1)?.map(\.brief) == ["200: 3@4 < 1@2"])
  }

  @Test func aValueTakenAwayIsAValue() throws {
    var log = begun()
    log.place(2, base: 1, clock: 300, .amend(key(1), start, record([2: 20])))
    log.place(3, base: 1, clock: 200, .amend(key(1), start, record([1: 11, 2: 20])))
    let folded = try log.folded()
    #expect(folded[key(1)] == record([2: 20]))
    #expect(folded.lost(.valueLost, 3, 1)?.map(\.brief) == ["1: 11@3 < -@2"])
  }

  @Test func twoChangesOfOneEntityInOneCommitAreMergedInOrder() throws {
    var log = rivals(300, 200)
    log.place(
      4, base: 1, clock: 250, .amend(key(1), start, record([1: 13, 2: 20])),
      .amend(key(1), record([1: 13, 2: 20]), record([1: 14, 2: 21])))
    let folded = try log.folded()
    #expect(folded[key(1)] == record([1: 11, 2: 21]))
    #expect(folded.lost(.valueLost, 4, 1)?.map(\.brief) == ["1: 13@4 < 11@2", "1: 14@4 < 11@2"])
  }
}
