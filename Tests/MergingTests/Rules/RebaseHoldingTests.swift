// Goal: what is recorded anew changes nothing that is closed by now. Method: the shares of single commits, by the rules of the
// simulation's small ledger: rows have a day (30), accounts an opening (41) of a day (42).

import DaybookEntities
import DaybookMerging
import Testing

@Suite struct RebaseHoldingTests {
  private let rebase = Rebase(rules: Domain.rules(.always(.last)))
  private let closed = record([2: 5])
  private let row = key(1, Domain.row)
  private let other = key(2, Domain.row)
  private let account = key(3, Domain.account)
  private let early = record([30: 3, 31: 1])
  private let late = record([30: 8, 31: 1])

  private func shares(
    _ changes: [EntityChange], hasIndependentChanges: Bool = false
  ) throws -> [Rebase.Share] {
    try rebase.shares(of: changes, hasIndependentChanges: hasIndependentChanges, closedBy: closed)
  }

  @Test func whatIsOpenIsRecorded() throws {
    let opened = EntityChange.insert(account, record([40: 1, 41: 7, 42: 8]))
    let changes = [EntityChange.insert(row, late), opened]
    #expect(try shares(changes).map(\.rest) == changes)
    let text = EntityChange.amend(row, early, record([30: 3, 31: 1, 33: 4]))
    #expect(try shares([text]).map(\.rest) == [text])
    let nothing = try rebase.shares(
      of: [.insert(row, early)], hasIndependentChanges: false, closedBy: nil)
    #expect(nothing.map(\.held) == [nil])
  }

  @Test func whatEntersOrLeavesWhatIsClosedIsHeld() throws {
    let changes = [
      EntityChange.insert(row, early), .amend(row, early, late), .amend(row, late, early),
      .delete(row, early),
    ]
    for change in changes {
      #expect(try shares([change]).map(\.held) == [change])
      #expect(try shares([change]).map(\.rest) == [nil])
    }
  }

  @Test func theRowsOfACommitAreHeldTogetherUnlessItIsASet() throws {
    let name = EntityChange.insert(account, record([40: 1]))
    let changes = [EntityChange.insert(row, early), .insert(other, late), name]
    #expect(try shares(changes).map(\.rest) == [nil, nil, name])
    #expect(
      try shares(changes, hasIndependentChanges: true).map(\.rest) == [nil, changes[1], name])
  }

  @Test func ofAnAccountOnlyTheOpeningIsHeld() throws {
    let opened = EntityChange.insert(account, record([40: 1, 41: 7, 42: 3]))
    let share = try #require(try shares([opened]).first)
    #expect(share.rest?.after == record([40: 1]))
    #expect(share.held?.after == record([41: 7, 42: 3]))
    let alone = EntityChange.amend(account, record([40: 1]), record([40: 1, 41: 7, 42: 3]))
    #expect(try shares([alone]).map(\.rest) == [nil])
  }

  /// Who reopens and records does both; who closes did not see that it was closed before.
  @Test func whatTheCommitItselfOpensIsOpen() throws {
    let reopened = EntityChange.amend(Domain.settings, closed, record([2: 1]))
    let changes = [reopened, .insert(row, early)]
    #expect(try shares(changes).map(\.rest) == changes)
    let further = EntityChange.amend(Domain.settings, closed, record([2: 9]))
    #expect(try shares([further, .insert(row, late)]).map(\.held) == [nil, nil])
  }
}
