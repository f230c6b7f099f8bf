// Goal: what is placed after the books were closed, by who had not seen that, changes no figure of the closed days, and
// nothing of it is lost. Method: as for postings, with what is held and what stands.

import DaybookBookkeeping
import DaybookEntities
import DaybookLedgerMerging
import DaybookMerging
import Testing

@Suite struct HoldingTests {
  private let open = LedgerSettings()
  private let march = LedgerSettings(closedThrough: day(2026, 3, 31))

  private func dated(_ number: UInt64, _ month: Int, _ units: Int64) -> Transaction {
    var row = expense(units)
    row.id = TransactionID(EntityID(high: 1, low: number))
    row.day = day(2026, month, 15)
    return row
  }

  /// Rows 1 of March and 2 of April are there; 3 closes March at position 2.
  private func closed() -> Log {
    var log = Log()
    log.place(
      1, base: 0, clock: 10, .change(nil, open), .change(nil, dated(1, 3, 1_000)),
      .change(nil, dated(2, 4, 2_000)))
    log.place(3, base: 1, clock: 20, .change(open, march))
    return log
  }

  private func amount(_ number: UInt64, in folded: Folded) throws -> Int64? {
    let row = dated(number, 3, 0)
    guard folded.entities[EntityKey(.transaction, row.entityID)]?.exists == true else { return nil }
    return try folded.entity(row)?.postings[1].amount.minorUnits
  }

  private func held(_ folded: Folded) -> [HeldChange] {
    folded.held.values.joined().sorted { $0.id.key < $1.id.key }
  }

  @Test func aNewRowIsHeld() throws {
    var log = closed()
    log.place(2, base: 1, clock: 30, .change(nil, dated(3, 3, 4_000)))
    let folded = try log.folded()
    #expect(try amount(3, in: folded) == nil)
    let change = try #require(held(folded).first)
    #expect(change.before == nil)
    #expect(change.after == dated(3, 3, 4_000).record())
    #expect(change.closing.position == 2)
    #expect(change.last.position == 3)
    #expect(folded.findings.isEmpty)
  }

  @Test func anAmountIsHeldAndATextIsNot() throws {
    var log = closed()
    var noted = dated(1, 3, 1_000)
    noted.note = "lunch"
    log.place(2, base: 1, clock: 30, .change(dated(1, 3, 1_000), noted))
    var changed = dated(1, 3, 1_200)
    changed.note = "lunch"
    log.place(2, base: 1, clock: 40, .change(noted, changed))
    let folded = try log.folded()
    #expect(try amount(1, in: folded) == 1_000)
    #expect(try folded.entity(noted)?.note == "lunch")
    #expect(held(folded).map(\.after) == [changed.record()])
  }

  @Test func aDeletionIsHeld() throws {
    var log = closed()
    log.place(2, base: 1, clock: 30, .change(dated(1, 3, 1_000), nil))
    let folded = try log.folded()
    #expect(try amount(1, in: folded) == 1_000)
    #expect(held(folded).map(\.after) == [nil])
  }

  @Test func aRowThatLeavesOrEntersThePeriodIsHeld() throws {
    var log = closed()
    log.place(2, base: 1, clock: 30, .change(dated(1, 3, 1_000), dated(1, 4, 1_000)))
    log.place(2, base: 1, clock: 40, .change(dated(2, 4, 2_000), dated(2, 3, 2_000)))
    let folded = try log.folded()
    #expect(try folded.entity(dated(1, 3, 0))?.day == day(2026, 3, 15))
    #expect(try folded.entity(dated(2, 4, 0))?.day == day(2026, 4, 15))
    #expect(held(folded).count == 2)
  }

  /// The row was moved into March by one who is not held: whoever changes its amount without knowing is.
  @Test func whatCountsIsWhereTheRowIs() throws {
    var log = Log()
    log.place(1, base: 0, clock: 10, .change(nil, open), .change(nil, dated(2, 4, 2_000)))
    log.place(4, base: 1, clock: 15, .change(dated(2, 4, 2_000), dated(2, 3, 2_000)))
    log.place(3, base: 2, clock: 20, .change(open, march))
    log.place(2, base: 1, clock: 30, .change(dated(2, 4, 2_000), dated(2, 4, 2_500)))
    let folded = try log.folded()
    #expect(try amount(2, in: folded) == 2_000)
    #expect(held(folded).map(\.after) == [dated(2, 4, 2_500).record()])
  }

  @Test func whatIsOpenIsTaken() throws {
    var log = closed()
    log.place(2, base: 1, clock: 30, .change(nil, dated(3, 4, 4_000)))
    let folded = try log.folded()
    #expect(try amount(3, in: folded) == 4_000)
    #expect(folded.held.isEmpty)
  }

  @Test func laterChangesJoin() throws {
    var log = closed()
    log.place(2, base: 1, clock: 30, .change(nil, dated(3, 3, 4_000)))
    var noted = dated(3, 3, 4_000)
    noted.note = "lunch"
    log.place(2, base: 1, clock: 40, .change(dated(3, 3, 4_000), noted))
    let folded = try log.folded()
    #expect(try amount(3, in: folded) == nil)
    #expect(held(folded).map(\.after) == [noted.record()])
    #expect(held(folded).map(\.id.number) == [1])
    #expect(held(folded).map(\.last.number) == [2])
  }

  /// Who took what is held under its id goes on with it, and the author's late change is merged into that.
  @Test func whatWasTakenGoesOn() throws {
    var log = closed()
    log.place(2, base: 1, clock: 30, .change(nil, dated(3, 3, 4_000)))
    log.place(3, base: 3, clock: 40, .change(nil, dated(3, 4, 4_000)))
    var noted = dated(3, 4, 4_000)
    noted.note = "lunch"
    log.place(2, base: 4, clock: 50, .change(dated(3, 4, 4_000), noted))
    let folded = try log.folded()
    #expect(try amount(3, in: folded) == 4_000)
    #expect(try folded.entity(noted)?.note == "lunch")
    #expect(held(folded).map(\.after) == [dated(3, 3, 4_000).record()])
  }

  /// The author's change that had seen neither the closing nor that it was taken goes on with what was taken.
  @Test func aLateChangeOfWhatWasTakenGoesOnWithIt() throws {
    var log = closed()
    log.place(2, base: 1, clock: 30, .change(nil, dated(3, 3, 4_000)))
    log.place(3, base: 3, clock: 40, .change(nil, dated(3, 4, 4_000)))
    log.place(2, base: 1, clock: 35, .change(dated(3, 3, 4_000), dated(3, 3, 4_500)))
    let folded = try log.folded()
    #expect(try folded.entity(dated(3, 4, 0))?.day == day(2026, 4, 15))
    #expect(held(folded).map(\.after) == [dated(3, 3, 4_000).record()])
    #expect(try amount(3, in: folded) == 4_000, "it lost by its clock, and is told")
    #expect(folded.findings.values.map(\.id.rule) == [.valueLost])
  }

  @Test(arguments: [false, true]) func theRowsOfACommitAreHeldTogetherUnlessItIsASet(
    hasIndependentChanges: Bool
  ) throws {
    var log = closed()
    log.place(
      2, base: 1, clock: 30, hasIndependentChanges: hasIndependentChanges,
      .change(nil, dated(3, 3, 4_000)),
      .change(nil, dated(4, 4, 8_000)),
      .change(nil, DaybookBookkeeping.Category(id: category(9), name: "Fun", kind: .expense)))
    let folded = try log.folded()
    #expect(try amount(3, in: folded) == nil)
    #expect(try amount(4, in: folded) == (hasIndependentChanges ? 8_000 : nil))
    #expect(folded.entities[EntityKey(.category, category(9).rawValue)]?.exists == true)
    #expect(held(folded).count == (hasIndependentChanges ? 1 : 2))
  }

  /// Of an account only the opening is held, so that rows have something to refer to.
  @Test func ofAnAccountTheOpeningIsHeld() throws {
    var log = closed()
    let opened = Account(
      id: account(5), name: "Savings", kind: .asset, currency: .eur, opening: eur(5_000))
    log.place(2, base: 1, clock: 30, .change(nil, opened))
    let folded = try log.folded()
    let standing = try #require(try folded.entity(opened))
    #expect(standing.name == "Savings")
    #expect(standing.opening == eur(0))
    let part = try #require(held(folded).first)
    #expect(part.before == Record())
    #expect(part.after?[4] == opened.record()[4])
    #expect(part.after?[1] == nil)
  }

  @Test func anOpeningOfAnOpenDayIsTaken() throws {
    var log = closed()
    let opened = Account(
      id: account(5), name: "Savings", kind: .asset, currency: .eur, opening: eur(5_000),
      openingDay: day(2026, 4, 1))
    log.place(2, base: 1, clock: 30, .change(nil, opened))
    #expect(try log.folded().entity(opened)?.opening == eur(5_000))
  }

  /// The figures of the closed period stay: the account is deleted, and its opening is held.
  @Test func aDeletedAccountKeepsAnOpeningThatIsHeld() throws {
    let checking = Account(
      id: account(5), name: "Savings", kind: .asset, currency: .eur, opening: eur(5_000))
    var gone = checking
    gone.openingBalance = 0
    gone.isClosed = true
    gone.isDeleted = true
    var log = Log()
    log.place(1, base: 0, clock: 10, .change(nil, open), .change(nil, checking))
    log.place(3, base: 1, clock: 20, .change(open, march))
    log.place(2, base: 1, clock: 30, .change(checking, gone))
    let folded = try log.folded()
    let standing = try #require(try folded.entity(checking))
    #expect(standing.opening == eur(5_000))
    #expect(standing.isDeleted)
    #expect(standing.isClosed)
    #expect(held(folded).count == 1)
  }

  @Test func whoHadSeenTheClosingAndReopenedIsNotHeld() throws {
    var log = closed()
    log.place(2, base: 2, clock: 30, .change(march, open))
    log.place(2, base: 2, clock: 40, .change(nil, dated(3, 3, 4_000)))
    let folded = try log.folded()
    #expect(try amount(3, in: folded) == 4_000)
    #expect(folded.held.isEmpty)
  }
}
