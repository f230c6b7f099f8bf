// Goal: postings merge as amount, account, category and direction, balanced by construction. Method: two devices
// change one row without having seen each other; what holds is written out.

import DaybookBookkeeping
import DaybookMerging
import Testing

@Suite struct PostingTests {
  /// What two devices make of a row that both had seen: the phone first, the laptop later.
  private func merged(
    _ begun: Transaction, phone: Transaction, laptop: Transaction
  ) throws -> (row: Transaction, rules: [FindingRule]) {
    var log = Log()
    log.place(1, base: 0, clock: 10, .change(nil, begun))
    log.place(2, base: 1, clock: 20, .change(begun, phone))
    log.place(3, base: 1, clock: 30, .change(begun, laptop))
    let folded = try log.folded()
    return (try #require(try folded.entity(begun)), folded.rules)
  }

  @Test func amountHereCategoryThere() throws {
    let result = try merged(
      expense(1_000, 1), phone: expense(1_200, 1), laptop: expense(1_000, 2))
    #expect(result.row == expense(1_200, 2))
    #expect(result.rules.isEmpty)
  }

  @Test func amountHereAccountThere() throws {
    let result = try merged(
      expense(1_000, from: 1), phone: expense(1_000, from: 2), laptop: expense(900, from: 1))
    #expect(result.row == expense(900, from: 2))
    #expect(result.rules.isEmpty)
  }

  @Test func amountHereDirectionThere() throws {
    let result = try merged(expense(1_000), phone: expense(-1_000), laptop: expense(1_250))
    #expect(result.row == expense(-1_250))
  }

  @Test func noteHereCategoryThere() throws {
    let result = try merged(
      expense(1_000, 1), phone: expense(1_000, 1, note: "gift"), laptop: expense(1_000, 2))
    #expect(result.row == expense(1_000, 2, note: "gift"))
    #expect(result.rules.isEmpty)
  }

  @Test func ofTwoAmountsTheLaterHoldsAndTheOtherIsTold() throws {
    let result = try merged(expense(1_000), phone: expense(1_100), laptop: expense(1_200))
    #expect(result.row == expense(1_200))
    #expect(result.rules == [.valueLost])
  }

  @Test func theRuleGoesWithTheCategoryItChose() throws {
    let result = try merged(
      expense(1_000, 1, rule: rule(1)), phone: expense(1_100, 1, rule: rule(1)),
      laptop: expense(1_000, 2))
    #expect(result.row == expense(1_100, 2))
    #expect(result.row.categorizedBy == nil)
  }

  @Test func anAccountInAnotherCurrencyIsTakenWithItsAmountOrNotAtAll() throws {
    let dollars = row([
      Posting(.account(account(2)), Money(-1_080, .usd)),
      Posting(.category(category(1)), Money(1_080, .usd)),
    ])
    let dollarsLater = try merged(expense(1_000), phone: expense(1_200), laptop: dollars)
    #expect(dollarsLater.row == dollars)
    let amountLater = try merged(expense(1_000), phone: dollars, laptop: expense(1_200))
    #expect(amountLater.row == expense(1_200))
    #expect(amountLater.rules.contains(.clash))
  }

  @Test func aTransferNeverGoesOntoItself() throws {
    let result = try merged(
      transfer(500, from: 1, to: 2), phone: transfer(500, from: 3, to: 2),
      laptop: transfer(500, from: 1, to: 3))
    #expect(result.row == transfer(500, from: 1, to: 3))
    #expect(result.rules.contains(.clash))
  }

  @Test func sourceHereTargetThere() throws {
    let result = try merged(
      transfer(500, from: 1, to: 2), phone: transfer(500, from: 3, to: 2),
      laptop: transfer(500, from: 1, to: 4))
    #expect(result.row == transfer(500, from: 3, to: 4))
    #expect(result.rules.isEmpty)
  }

  @Test func aSplitIsTakenWhole() throws {
    let split = row([
      Posting(.account(account(1)), eur(-1_000)), Posting(.category(category(1)), eur(600)),
      Posting(.category(category(2)), eur(400)),
    ])
    let splitLater = try merged(expense(1_000), phone: expense(1_200), laptop: split)
    #expect(splitLater.row == split)
    let amountLater = try merged(expense(1_000), phone: split, laptop: expense(1_200))
    #expect(amountLater.row == expense(1_200))
  }

  @Test func whoWritesItsPartAgainKeepsTheOthers() throws {
    var log = Log()
    log.place(1, base: 0, clock: 10, .change(nil, expense(1_000, 1)))
    log.place(2, base: 1, clock: 20, .change(expense(1_000, 1), expense(1_000, 2)))
    log.place(3, base: 1, clock: 30, .change(expense(1_000, 1), expense(1_100, 1)))
    log.place(3, base: 1, clock: 40, .change(expense(1_100, 1), expense(1_300, 1)))
    let folded = try log.folded()
    #expect(try folded.entity(expense(0)) == expense(1_300, 2))
    #expect(folded.findings.isEmpty)
  }
}
