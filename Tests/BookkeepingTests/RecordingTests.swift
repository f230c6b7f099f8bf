// Goal: what the scenarios say about recording, amending and deleting holds for the postings that
// decisions make.
// Method: the scenarios' fixture; every test names its scenario or rule and compares postings or sums.

import DaybookBookkeeping
import DaybookEntities
import Testing

@Suite struct RecordingTests {
  @Test func anExpenseMovesTheBalance() throws {
    var ledger = try Fixture()
    try ledger.state.run(.setOpening(ledger.cash, Money(5_000_000, .kzt)))
    let id = try ledger.record(
      .expense(money("5000", "KZT"), from: ledger.cash, category: ledger.food, on: ledger.today))
    #expect(try ledger.state.balance(ledger.cash) == 4_500_000)
    #expect(try ledger.stored(id).type == .expense)
    #expect(try ledger.stored(id).number == 1)
    try ledger.state.run(.delete(id))
    #expect(try ledger.state.balance(ledger.cash) == 5_000_000)
    #expect(try ledger.state.transactions().isEmpty)
  }

  @Test func lifeOfATransfer() throws {
    var ledger = try Fixture()
    try ledger.state.run(.setOpening(ledger.cash, Money(100_000, .kzt)))
    try ledger.state.run(.setOpening(ledger.bank, Money(50_000, .kzt)))
    let id = try ledger.record(
      .transfer(money("100", "KZT"), from: ledger.cash, to: ledger.bank, on: ledger.today))
    #expect(try ledger.state.balance(ledger.cash) == 90_000)
    try ledger.state.run(.amend(id, Amendment(amount: money("200", "KZT"))))
    #expect(try ledger.state.balance(ledger.cash) == 80_000)
    #expect(try ledger.state.balance(ledger.bank) == 70_000)
    #expect(try ledger.stored(id).type == .transfer)
    try ledger.state.run(.delete(id))
    #expect(try ledger.state.balance(ledger.bank) == 50_000)
  }

  @Test func acrossCurrenciesTheTargetAmountIsKept() throws {
    var ledger = try Fixture()
    let id = try ledger.record(
      .transfer(money("1000", "USD"), from: ledger.dollars, to: ledger.cash, on: ledger.today))
    let before = try ledger.postings(id)
    #expect(try before.last?.amount == money("450000", "KZT"))
    // A better rate arrives; only amending amount, currency, account or day may use it.
    try ledger.state.run(
      .setRate(
        ExchangeRate(
          base: ledger.usd, quoted: ledger.kzt, day: ledger.today, quote: Quote("500"))))
    try ledger.state.run(
      .amend(id, Amendment(description: "d", payee: "p", note: "n", tags: ["t"])))
    #expect(try ledger.postings(id) == before)
    try ledger.state.run(.amend(id, Amendment(amount: money("1000", "USD"), status: .pending)))
    #expect(try ledger.postings(id) == before)
    try ledger.state.run(.amend(id, Amendment(day: ledger.today.adding(days: 1))))
    #expect(try ledger.postings(id).last?.amount == money("500000", "KZT"))
    try ledger.state.run(
      .amend(
        id, Amendment(amount: money("10", "USD"), targetAmount: money("4600", "KZT"))))
    #expect(try ledger.postings(id).last?.amount == money("4600", "KZT"))
  }

  @Test func threeAmountsThreeMeanings() throws {
    var ledger = try Fixture()
    let id = try ledger.record(
      .expense(money("100", "EUR"), from: ledger.dollars, category: ledger.food, on: ledger.today))
    #expect(
      try ledger.postings(id) == [
        Posting(.account(ledger.dollars), money("-111.11", "USD")),
        Posting(.account(.exchange), money("111.11", "USD")),
        Posting(.account(.exchange), money("-100", "EUR")),
        Posting(.category(ledger.food), money("100", "EUR")),
      ])
    try ledger.state.run(.amend(id, Amendment(category: ledger.travel)))
    #expect(try ledger.postings(id)[0].amount == money("-111.11", "USD"))
    try ledger.state.run(.amend(id, Amendment(account: ledger.cash)))
    #expect(try ledger.postings(id)[0].amount == money("-50000", "KZT"))
    try ledger.state.run(.amend(id, Amendment(amount: money("5", "KZT"))))
    #expect(
      try ledger.postings(id) == [
        Posting(.account(ledger.cash), money("-5", "KZT")),
        Posting(.category(ledger.travel), money("5", "KZT")),
      ])
    try ledger.state.run(
      .amend(id, Amendment(amount: money("2", "USD"), accountAmount: money("901", "KZT"))))
    #expect(try ledger.postings(id)[0].amount == money("-901", "KZT"))
  }

  @Test func aMissingRateIsNotOneToOne() throws {
    var ledger = try Fixture(rates: false)
    let draft = try Draft.expense(
      money("100", "USD"), from: ledger.dollars, category: ledger.travel, on: ledger.today)
    let id = try ledger.record(draft)
    #expect(try ledger.postings(id).map(\.amount.currency) == [ledger.usd, ledger.usd])
    let other = try Draft.expense(
      money("100", "USD"), from: ledger.cash, category: ledger.travel, on: ledger.today)
    #expect(ledger.state.refusal(.record(other))?.code == .noRate)
  }

  @Test func refundsReduceWhatWasSpent() throws {
    var ledger = try Fixture()
    let spent = try money("300", "KZT")
    let back = try money("100", "KZT")
    try ledger.record(.expense(spent, from: ledger.cash, category: ledger.food, on: ledger.today))
    let id = try ledger.record(
      .refund(back, into: ledger.cash, category: ledger.food, on: ledger.today))
    #expect(try ledger.state.spent(ledger.food, ledger.kzt) == 20_000)
    #expect(try ledger.stored(id).type == .expense)
    try ledger.state.run(.amend(id, Amendment(amount: money("50", "KZT"))))
    #expect(try ledger.state.spent(ledger.food, ledger.kzt) == 25_000)
    let given = try ledger.record(
      .incomeReversal(back, from: ledger.cash, category: ledger.salary, on: ledger.today))
    #expect(try ledger.state.spent(ledger.salary, ledger.kzt) == 10_000)
    #expect(try ledger.stored(given).type == .income)
    try ledger.state.run(.amend(given, Amendment(account: ledger.bank)))
    #expect(try ledger.state.balance(ledger.bank) == -10_000)
  }

  @Test func aSalarySplitWithTaxIsBoth() throws {
    var ledger = try Fixture()
    let id = try ledger.record(
      .split(
        into: ledger.bank,
        parts: [
          Draft.Part(money("1000", "KZT"), ledger.salary),
          Draft.Part(money("200", "KZT"), ledger.food, note: "tax"),
        ], on: ledger.today))
    #expect(try ledger.stored(id).type == .income)
    #expect(try ledger.state.balance(ledger.bank) == 80_000)
    #expect(try ledger.postings(id)[2].note == "tax")
    try ledger.state.run(.amend(id, Amendment(account: ledger.cash)))
    #expect(try ledger.state.balance(ledger.cash) == 80_000)
    #expect(try ledger.postings(id)[2].note == "tax")
  }

  @Test func splitsTakeSeveralCurrencies() throws {
    var ledger = try Fixture()
    let id = try ledger.record(
      .split(
        from: ledger.cash,
        parts: [
          Draft.Part(money("100", "KZT"), ledger.food),
          Draft.Part(money("2", "USD"), ledger.travel),
          Draft.Part(money("1", "EUR"), nil),
        ], on: ledger.today))
    #expect(try ledger.state.balance(ledger.cash) == -(10_000 + 90_000 + 50_000))
    #expect(try ledger.postings(id).count == 7)
    let draft = try Draft.split(
      from: ledger.cash, parts: [Draft.Part(money("2", "USD"), ledger.travel)], on: ledger.today,
      accountAmount: money("-950", "KZT"))
    let given = try ledger.record(draft)
    #expect(try ledger.postings(given)[0].amount == money("-950", "KZT"))
  }

  @Test func everythingMayChangeInOne() throws {
    var ledger = try Fixture()
    let id = try ledger.record(
      .expense(money("10", "KZT"), from: ledger.cash, category: ledger.food, on: ledger.today))
    let change = Amendment(
      day: ledger.today.adding(days: -40), amount: try money("7", "USD"), account: ledger.dollars,
      category: ledger.travel, description: "d", payee: "p", note: "n", tags: ["t"],
      status: .pending)
    try ledger.state.run(.amend(id, change))
    let stored = try ledger.stored(id)
    #expect(
      try stored.postings == [
        Posting(.account(ledger.dollars), money("-7", "USD")),
        Posting(.category(ledger.travel), money("7", "USD")),
      ])
    #expect(stored.day == ledger.today.adding(days: -40) && stored.number == 1)
    #expect(stored.status == .pending && stored.tags == ["t"])
    try ledger.state.run(
      .amend(
        id,
        Amendment(
          shape: .transfer(
            Draft.Transfer(money("3", "USD"), from: ledger.dollars, to: ledger.cash)))))
    #expect(try ledger.stored(id).type == .transfer)
  }

  @Test func withoutAccountOrCategory() throws {
    var ledger = try Fixture()
    let id = try ledger.record(.income(money("10", "EUR"), on: ledger.today))
    #expect(
      try ledger.postings(id) == [
        Posting(.account(.outside), money("10", "EUR")),
        Posting(.category(.uncategorizedIncome), money("-10", "EUR")),
      ])
    try ledger.state.run(.amend(id, Amendment(account: ledger.cash, category: ledger.salary)))
    #expect(try ledger.state.balance(ledger.cash) == 500_000)
    try ledger.record(.expense(.zero(ledger.kzt), from: ledger.cash, on: ledger.today))
  }

  @Test func anAmendmentOfNothingChangesNothing() throws {
    var ledger = try Fixture()
    let id = try ledger.record(.income(money("10", "EUR"), on: ledger.today))
    ledger.state.changes = []
    try ledger.state.run(.amend(id, Amendment(amount: money("10", "EUR"), note: "")))
    #expect(ledger.state.changes.isEmpty)
  }
}
