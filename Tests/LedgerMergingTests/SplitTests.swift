// Goal: the lines of a split merge one by one, where that is what both meant, and the row stays balanced. Method: two
// devices change one split without having seen each other; what holds is written out.

import DaybookBookkeeping
import DaybookEntities
import DaybookMerging
import Testing

@Suite struct SplitTests {
  /// A split of an account's money by category, in that order.
  private func split(
    _ lines: [(category: UInt64, units: Int64)], from: UInt64 = 1
  ) -> Transaction {
    row(
      [Posting(.account(account(from)), eur(-lines.reduce(0) { $0 + $1.units }))]
        + lines.map { Posting(.category(category($0.category)), eur($0.units)) })
  }

  private func merged(
    _ begun: Transaction, phone: Transaction, laptop: Transaction
  ) throws -> (row: Transaction, findings: [Finding]) {
    var log = Log()
    log.place(1, base: 0, clock: 10, .change(nil, begun))
    log.place(2, base: 1, clock: 20, .change(begun, phone))
    log.place(3, base: 1, clock: 30, .change(begun, laptop))
    let folded = try log.folded()
    return (
      try #require(try folded.entity(begun)), folded.findings.values.sorted { $0.id < $1.id }
    )
  }

  private let begun: [(UInt64, Int64)] = [(1, 2_000), (2, 1_000)]

  @Test func oneLineHereAndAnotherThere() throws {
    let result = try merged(
      split(begun), phone: split([(1, 2_500), (2, 1_000)]),
      laptop: split([(1, 2_000), (2, 400)]))
    #expect(result.row == split([(1, 2_500), (2, 400)]))
    #expect(result.findings.isEmpty)
  }

  @Test func aLineMoreHereAndAnotherThere() throws {
    let result = try merged(
      split(begun), phone: split(begun + [(3, 300)]), laptop: split(begun + [(5, 200)]))
    #expect(result.row == split(begun + [(3, 300), (5, 200)]))
    #expect(result.findings.isEmpty)
  }

  @Test func anAccountHereAndALineThere() throws {
    let result = try merged(
      split(begun), phone: split(begun, from: 2), laptop: split([(1, 2_100), (2, 1_000)]))
    #expect(result.row == split([(1, 2_100), (2, 1_000)], from: 2))
    #expect(result.findings.isEmpty)
  }

  @Test func theOrderOfLinesStays() throws {
    let result = try merged(
      split([(2, 1_000), (1, 2_000)]), phone: split([(2, 1_000), (1, 2_500)]),
      laptop: split([(2, 400), (1, 2_000)]))
    #expect(result.row == split([(2, 400), (1, 2_500)]))
  }

  @Test func ofTwoAmountsOfOneLineTheLaterHolds() throws {
    let result = try merged(
      split(begun), phone: split([(1, 2_500), (2, 900)]), laptop: split([(1, 2_200), (2, 1_000)]))
    #expect(result.row == split([(1, 2_200), (2, 900)]))
    #expect(result.findings.map(\.id.rule) == [.valueLost])
    #expect(result.findings[0].values.map(\.register.rawValue) == [1_025])
  }

  /// The same money would be in both categories.
  @Test func aLineThatChangedItsCategoryOnBothIsTakenFromOneSide() throws {
    let result = try merged(
      split(begun), phone: split([(1, 2_000), (3, 1_000)]),
      laptop: split([(1, 2_000), (5, 1_000)]))
    #expect(result.row == split([(1, 2_000), (5, 1_000)]))
    #expect(result.findings.contains { $0.id.rule == .clash })
  }

  @Test func aLineThatChangedItsCategoryHereAndItsAmountThereIsTakenFromOneSide() throws {
    let phone = split([(1, 2_000), (3, 1_000)])
    let laptop = split([(1, 2_000), (2, 1_500)])
    #expect(try merged(split(begun), phone: phone, laptop: laptop).row == laptop)
    #expect(try merged(split(begun), phone: laptop, laptop: phone).row == phone)
  }

  @Test func whatBothDividedIsDividedOnce() throws {
    let laptop = split([(1, 2_000), (5, 1_000)])
    let result = try merged(
      expense(3_000), phone: split([(1, 1_000), (3, 2_000)]), laptop: laptop)
    #expect(result.row == laptop)
    #expect(result.findings.contains { $0.id.rule == .clash })
  }

  @Test func whatIsDividedHereAndOtherwiseChangedThereIsTakenFromOneSide() throws {
    let result = try merged(
      expense(3_000), phone: split(begun), laptop: expense(3_500))
    #expect(result.row == expense(3_500))
    let noted = try merged(
      expense(3_000), phone: expense(3_000, from: 2), laptop: split(begun))
    #expect(noted.row == split(begun, from: 2))
  }

  @Test func aCategoryThatIsThereTwiceIsTakenWhole() throws {
    let twice = split([(1, 2_000), (1, 1_000)])
    let result = try merged(split(begun), phone: twice, laptop: split([(1, 2_500), (2, 1_000)]))
    #expect(result.row == split([(1, 2_500), (2, 1_000)]))
    let first = try merged(twice, phone: split(begun), laptop: split([(1, 1), (1, 2)]))
    #expect(first.row == split([(1, 1), (1, 2)]))
  }
}
