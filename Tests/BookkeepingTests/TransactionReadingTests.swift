// Goal: a row says what it is without its postings being walked. Method: rows of every shape, as decided,
// are asked for account, category, amount and the rest.

import DaybookBookkeeping
import DaybookEntities
import Testing

@Suite struct TransactionReadingTests {
  private func row(_ draft: Draft, in ledger: inout Fixture) throws -> Transaction {
    let id = try #require(ledger.state.run(.record(draft)).transaction)
    return try ledger.stored(id)
  }

  @Test func entries() throws {
    var ledger = try Fixture()
    let spent = try row(
      .expense(money("5", "KZT"), from: ledger.cash, category: ledger.food, on: ledger.today),
      in: &ledger)
    #expect(spent.account == ledger.cash && spent.category == ledger.food)
    #expect(spent.otherAccount == nil && !spent.isSplit)
    #expect(try spent.amount == money("-5", "KZT"))
    let earned = try row(.income(money("5", "KZT"), on: ledger.today), in: &ledger)
    #expect(earned.account == nil && earned.category == .uncategorizedIncome)
    #expect(try earned.amount == money("5", "KZT"))
    // In another currency than the account's, it is what the account loses.
    let abroad = try row(
      .expense(
        money("2", "USD"), from: ledger.cash, category: ledger.food, on: ledger.today,
        accountAmount: money("900", "KZT")), in: &ledger)
    #expect(try abroad.amount == money("-900", "KZT") && abroad.account == ledger.cash)
  }

  @Test func transfers() throws {
    var ledger = try Fixture()
    let moved = try row(
      .transfer(money("5", "KZT"), from: ledger.cash, to: ledger.bank, on: ledger.today),
      in: &ledger)
    #expect(moved.account == ledger.cash && moved.otherAccount == ledger.bank)
    #expect(moved.category == nil && !moved.isSplit)
    #expect(try moved.amount == money("-5", "KZT"))
    #expect(try moved.amount(on: ledger.bank) == money("5", "KZT"))
    #expect(moved.amount(on: ledger.dollars) == nil)
    let bought = try row(
      .exchange(
        money("900", "KZT"), from: ledger.cash, for: money("2", "USD"), into: ledger.dollars,
        on: ledger.today), in: &ledger)
    #expect(bought.account == ledger.cash && bought.otherAccount == ledger.dollars)
    #expect(try bought.amount == money("-900", "KZT"))
    #expect(try bought.amount(on: ledger.dollars) == money("2", "USD"))
    let came = try row(
      .transfer(money("5", "KZT"), from: nil, to: ledger.bank, on: ledger.today), in: &ledger)
    #expect(came.account == nil && came.otherAccount == ledger.bank)
  }

  @Test func splits() throws {
    var ledger = try Fixture()
    let split = try row(
      .split(
        from: ledger.cash,
        parts: [
          .init(money("3", "KZT"), ledger.food), .init(money("2", "KZT"), ledger.travel),
        ], on: ledger.today), in: &ledger)
    #expect(split.account == ledger.cash && split.category == nil && split.isSplit)
    #expect(try split.amount == money("-5", "KZT"))
    let same = try row(
      .split(
        from: ledger.cash,
        parts: [.init(money("3", "KZT"), ledger.food), .init(money("2", "KZT"), ledger.food)],
        on: ledger.today), in: &ledger)
    #expect(same.category == ledger.food && same.isSplit)
  }

  @Test func whatHasSeveralAccountsHasNone() {
    let (a, b) = (AccountID(EntityID(high: 1, low: 1)), AccountID(EntityID(high: 1, low: 2)))
    let day = Day(rawValue: 1)
    let row = Transaction(
      id: .random(), day: day, type: .expense,
      postings: [
        Posting(.account(a), Money(.max, .eur)), Posting(.account(a), Money(1, .eur)),
        Posting(.account(b), Money(1, .eur)),
        Posting(.category(.uncategorizedExpense), Money(.min, .eur)),
      ])
    #expect(row.account == nil && row.amount == nil && row.otherAccount == nil)
    #expect(row.amount(on: a) == nil && row.amount(on: b) == Money(1, .eur))
  }
}
