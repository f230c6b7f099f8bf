// Goal: however devices divide an imported row, its account moves by a total that somebody gave it, and one finding says
// what is uncategorised and what lost. Method: two or three devices change one row without having seen each other; what
// holds is written out.

import DaybookBookkeeping
import DaybookEntities
import DaybookMerging
import Testing

@testable import DaybookLedgerMerging

@Suite struct SplitTotalTests {
  /// An imported row of an account in parts; what the parts do not add up to is uncategorised.
  private func bank(
    _ lines: [(category: UInt64, units: Int64)], total: Int64 = 3_000, from: UInt64 = 1,
    isIncome: Bool = false
  ) -> Transaction {
    let sign: Int64 = isIncome ? -1 : 1
    var postings = [Posting(.account(account(from)), eur(-sign * total))]
    postings += lines.map { Posting(.category(category($0.category)), eur(sign * $0.units)) }
    let rest = total - lines.reduce(0) { $0 + $1.units }
    if rest != 0 {
      let category: CategoryID = isIncome ? .uncategorizedIncome : .uncategorizedExpense
      postings.append(Posting(.category(category), eur(sign * rest)))
    }
    var row = row(postings, type: isIncome ? .income : .expense)
    row.importIdentity = ImportIdentity(reference: "ofx:1")
    return row
  }

  private func merged(
    _ begun: Transaction, phone: Transaction, laptop: Transaction, laptopClock: Int64 = 30
  ) throws -> (row: Transaction, findings: [Finding]) {
    var log = Log()
    log.place(1, base: 0, clock: 10, .change(nil, begun))
    log.place(2, base: 1, clock: 20, .change(begun, phone))
    log.place(3, base: 1, clock: laptopClock, .change(begun, laptop))
    let folded = try log.folded()
    return (
      try #require(try folded.entity(begun)), folded.findings.values.sorted { $0.id < $1.id }
    )
  }

  private let begun: [(UInt64, Int64)] = [(1, 2_000), (2, 1_000)]
  private let rest = PostingParts.line(.category(.uncategorizedExpense))

  /// Both devices divided the 30.00 of the bank again, and both gave another part to one category.
  @Test func theRestIsUncategorisedWithOneFinding() throws {
    let result = try merged(
      bank(begun), phone: bank([(1, 1_500), (2, 1_000), (3, 500)]),
      laptop: bank([(1, 2_500), (2, 500)]))
    #expect(result.row == bank([(1, 2_500), (2, 500), (3, 500)]))
    #expect(result.findings.map(\.id.rule) == [.balanced])
    #expect(result.findings[0].values.map(\.register) == [Register(rawValue: 1_025), rest])
  }

  @Test func theRestOfAnIncomeIsUncategorisedIncome() throws {
    func income(_ lines: [(UInt64, Int64)]) -> Transaction { bank(lines, isIncome: true) }
    let result = try merged(
      income(begun), phone: income([(1, 1_500), (2, 1_500)]),
      laptop: income([(1, 2_000), (2, 400), (3, 600)]))
    #expect(result.row == income([(1, 1_500), (2, 400), (3, 600)]))
    #expect(result.findings.map(\.id.rule) == [.balanced])
  }

  /// Nothing but the rest is in the finding where no part was written by both.
  @Test func linesThatBothHoldMayMissTheTotal() throws {
    let result = try merged(
      bank(begun), phone: bank([(1, 2_000), (2, 400), (3, 600)]),
      laptop: bank([(1, 1_800), (2, 1_000), (5, 200)]))
    #expect(result.row.postings.first == bank(begun).postings.first)
    #expect(result.findings.isEmpty)
    #expect(result.row == bank([(1, 1_800), (2, 400), (3, 600), (5, 200)]))
  }

  @Test func aPartThatBothLeaveUncategorisedIsListedOnce() throws {
    let result = try merged(
      bank(begun), phone: bank([(1, 1_500), (2, 1_000)]), laptop: bank([(1, 1_200), (2, 500)]))
    #expect(result.row == bank([(1, 1_200), (2, 500)]))
    #expect(result.findings.map(\.id.rule) == [.valueLost])
    let apart = try merged(
      bank(begun), phone: bank([(1, 1_500), (2, 500)]),
      laptop: bank([(1, 1_200), (2, 1_000), (3, 600)]))
    #expect(apart.row == bank([(1, 1_200), (2, 500), (3, 600)]))
    #expect(apart.findings.map(\.id.rule) == [.balanced])
    #expect(apart.findings[0].values.filter { $0.register == rest }.count == 1)
  }

  // MARK: A total that somebody changed on purpose

  @Test(arguments: [15, 30] as [Int64]) func aTotalThatOneChangedHolds(clock: Int64) throws {
    let phone = bank([(1, 2_500), (2, 1_000)], total: 3_500)
    let laptop = bank([(1, 2_000), (2, 400), (3, 600)])
    let expected = bank([(1, 2_500), (2, 400), (3, 600)], total: 3_500)
    for (first, second) in [(phone, laptop), (laptop, phone)] {
      let result = try merged(bank(begun), phone: first, laptop: second, laptopClock: clock)
      #expect(result.row == expected)
      #expect(result.findings.isEmpty)
    }
  }

  @Test func aTotalThatOneChangedHoldsWhereItsPartLost() throws {
    let result = try merged(
      bank(begun), phone: bank([(1, 2_500), (2, 1_000)], total: 3_500),
      laptop: bank([(1, 1_800), (2, 1_200)]))
    // All lines that changed are the laptop's, so the row is as the laptop has it.
    #expect(result.row == bank([(1, 1_800), (2, 1_200)]))
    #expect(result.findings.map(\.id.rule) == [.valueLost])
    let mixed = try merged(
      bank(begun), phone: bank([(1, 2_500), (2, 900), (3, 100)], total: 3_500),
      laptop: bank([(1, 1_800), (2, 1_200)]))
    #expect(mixed.row == bank([(1, 1_800), (2, 1_200), (3, 100)], total: 3_500))
    #expect(mixed.findings.map(\.id.rule) == [.balanced])
  }

  @Test func ofTwoTotalsTheLaterHolds() throws {
    let phone = bank([(1, 2_500), (2, 1_000)], total: 3_500)
    let laptop = bank([(1, 2_000), (2, 400)], total: 2_400)
    let later = try merged(bank(begun), phone: phone, laptop: laptop)
    #expect(later.row == bank([(1, 2_500), (2, 400)], total: 2_400))
    #expect(later.findings.map(\.id.rule) == [.balanced])
    let earlier = try merged(bank(begun), phone: phone, laptop: laptop, laptopClock: 15)
    #expect(earlier.row == bank([(1, 2_500), (2, 400)], total: 3_500))
    #expect(earlier.findings.map(\.id.rule) == [.balanced])
  }

  // MARK: Other changes next to it

  @Test func theTotalStaysInAnotherAccount() throws {
    let result = try merged(
      bank(begun), phone: bank([(1, 1_500), (2, 1_500)], from: 2),
      laptop: bank([(1, 2_000), (2, 400), (3, 600)]))
    #expect(result.row == bank([(1, 1_500), (2, 400), (3, 600)], from: 2))
    #expect(result.findings.map(\.id.rule) == [.balanced])
  }

  @Test func aPayeeThatLostIsAFindingOfItsOwn() throws {
    var phone = bank([(1, 1_500), (2, 1_000), (3, 500)])
    phone.payee = "Market"
    var laptop = bank([(1, 2_500), (2, 500)])
    laptop.payee = "Corner shop"
    let result = try merged(bank(begun), phone: phone, laptop: laptop)
    #expect(result.row.payee == "Corner shop")
    #expect(result.findings.map(\.id.rule) == [.valueLost, .balanced])
  }

  @Test func aRowThatNobodyImportedMovesByItsParts() throws {
    func free(_ row: Transaction) -> Transaction {
      var row = row
      row.importIdentity = nil
      return row
    }
    let result = try merged(
      free(bank(begun)), phone: free(bank([(1, 1_500), (2, 1_000), (3, 500)])),
      laptop: free(bank([(1, 2_500), (2, 500)])))
    #expect(result.row == free(bank([(1, 2_500), (2, 500), (3, 500)], total: 3_500)))
    #expect(result.findings.map(\.id.rule) == [.valueLost])
  }

  /// The policy asks about a part that lost, also where it is listed with the rest.
  @Test func thePolicyThatAsksAsks() throws {
    var log = Log()
    let begun = bank(begun)
    log.place(
      1, base: 0, clock: 10, .change(nil, begun), .change(nil, LedgerSettings(mergePolicy: .error)))
    log.place(2, base: 1, clock: 20, .change(begun, bank([(1, 1_500), (2, 1_000), (3, 500)])))
    log.place(3, base: 1, clock: 30, .change(begun, bank([(1, 2_500), (2, 500)])))
    let folded = try log.folded()
    #expect(try folded.entity(begun) == bank([(1, 1_500), (2, 500), (3, 500)]))
    #expect(folded.rules == [.balanced])
    #expect(folded.findings.values.first?.asks == true)
  }

  @Test func partsGivenAgainTakeTheRestAway() throws {
    var log = Log()
    let begun = bank(begun)
    log.place(1, base: 0, clock: 10, .change(nil, begun))
    log.place(2, base: 1, clock: 20, .change(begun, bank([(1, 1_500), (2, 1_000), (3, 500)])))
    log.place(3, base: 1, clock: 30, .change(begun, bank([(1, 2_500), (2, 500)])))
    let seen = try #require(try log.folded().entity(begun))
    let again = bank([(1, 2_500), (2, 500)])
    log.place(2, base: 3, clock: 40, .change(seen, again))
    #expect(try log.folded().entity(begun) == again)
    #expect(try log.folded().findings.count == 1)
  }
}
