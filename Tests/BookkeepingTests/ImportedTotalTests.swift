// Goal: parts that do not add up to the total of an imported transaction are refused, unless the amendment says that it
// changes the total; nothing else about an imported transaction is refused for that. Method: cases that users of other
// programs reported, each on an imported row of 30.00 KZT (MyExpenses 1349: editing a part changed the total;
// Money Manager Ex 2176: adding a part changed what the bank had booked, 6735: the rest of the total; its Android
// edition 775: a part of the opposite sign; Actual releases 134: parts that leave a remainder were saved;
// Lunch Money 75: amount and parts changed in one request).

import DaybookBookkeeping
import DaybookEntities
import Testing

@Suite struct ImportedTotalTests {
  private var ledger: Fixture
  private let row: TransactionID

  init() throws {
    ledger = try Fixture()
    let draft = try Draft.expense(
      money("30", "KZT"), from: ledger.cash, category: ledger.food, on: ledger.today,
      payee: "Market")
    let rows = [ImportRow(draft, reference: "ofx:1")]
    let report = try ledger.state.run(.importRows(rows)).report
    row = try #require(report?.recorded.first)
  }

  /// The imported row in parts; the amounts are those of Food, Travel, and no category.
  private func parts(
    _ amounts: String?..., account: AccountID? = nil, changesTotal: Bool = false
  ) throws -> Amendment {
    let categories = [ledger.food, ledger.travel, nil]
    var parts: [Draft.Part] = []
    for (amount, category) in zip(amounts, categories) {
      guard let amount else { continue }
      let isReversed = amount.hasPrefix("-")
      let money = try money(isReversed ? String(amount.dropFirst()) : amount, "KZT")
      parts.append(Draft.Part(money, category, isReversed: isReversed))
    }
    var amendment = Amendment(
      shape: .split(
        Draft.Split(account: account ?? ledger.cash, kind: .expense, parts: parts)))
    amendment.changesImportedTotal = changesTotal
    return amendment
  }

  private func refused(_ amendment: Amendment) -> String? {
    guard let refusal = ledger.state.refusal(.amend(row, amendment)) else { return nil }
    #expect(refusal.code == .importedTotal && refusal.subjects == [row.rawValue])
    return refusal.message
  }

  @Test func partsThatAddUpAreTaken() throws {
    #expect(try refused(parts("20", "10")) == nil)
    #expect(try refused(parts("1", "3", "26")) == nil)
    #expect(try refused(parts("20", nil, "10")) == nil)
    #expect(try refused(parts("30", "0", nil)) == nil)
  }

  @Test mutating func aPartThatChangesTheTotalIsRefused() throws {
    _ = try ledger.state.run(.amend(row, parts("20", "10")))
    let more = try #require(try refused(parts("25", "10")))
    #expect(more.contains("add up to 35.00 KZT") && more.contains("is 30.00 KZT"), "\(more)")
    #expect(more.contains("uncategorised") && more.contains("Market"), "\(more)")
    // One part more, one less, a remainder, and nothing divided at all.
    #expect(try refused(parts("20", "10", "1")) != nil)
    #expect(try refused(parts("20", nil, nil)) != nil)
    #expect(try refused(parts("20", "9.99")) != nil)
    #expect(try refused(parts("0", "0")) != nil)
  }

  @Test func aPartOfTheOtherSignCountsAgainstTheTotal() throws {
    #expect(try refused(parts("35", "-5")) == nil)
    #expect(try refused(parts("30", "-5")) != nil)
    #expect(try refused(parts("-20", "-10")) != nil)
  }

  @Test mutating func theTotalChangesWhereTheAmendmentSaysSo() throws {
    _ = try ledger.state.run(.amend(row, parts("25", "10", changesTotal: true)))
    #expect(try ledger.postings(row)[0] == Posting(.account(ledger.cash), money("-35", "KZT")))
    // From now on that is the total.
    #expect(try refused(parts("30", "5")) == nil)
    #expect(try refused(parts("20", "10")) != nil)
    #expect(try ledger.stored(row).importIdentity?.original != nil)
  }

  @Test func anAmountThatIsGivenAloneIsTaken() throws {
    #expect(try refused(Amendment(amount: money("35", "KZT"))) == nil)
    #expect(refused(Amendment(category: ledger.travel)) == nil)
    #expect(refused(Amendment(day: ledger.today.adding(days: 1), payee: "Shop")) == nil)
  }

  @Test func anotherShapeKeepsTheTotalOfTheAccount() throws {
    let (cash, bank) = (ledger.cash, ledger.bank)
    func shape(_ shape: Draft.Shape) -> Amendment { Amendment(shape: shape) }
    func entry(_ direction: Draft.Direction, _ amount: String) throws -> Amendment {
      try shape(
        .entry(Draft.Entry(direction, money(amount, "KZT"), account: cash, category: nil)))
    }
    func transfer(_ amount: String, from: AccountID, to: AccountID) throws -> Amendment {
      try shape(.transfer(Draft.Transfer(money(amount, "KZT"), from: from, to: to)))
    }
    #expect(try refused(entry(.expense, "30")) == nil)
    #expect(try refused(entry(.incomeReversal, "30")) == nil)
    #expect(try refused(entry(.expense, "35")) != nil)
    #expect(try refused(entry(.income, "30")) != nil)
    #expect(try refused(transfer("30", from: cash, to: bank)) == nil)
    #expect(try refused(transfer("30", from: bank, to: cash)) != nil)
    #expect(try refused(transfer("31", from: cash, to: bank)) != nil)
    // On another account it moves that one.
    #expect(try refused(parts("20", "10", account: bank)) == nil)
    #expect(try refused(parts("20", "11", account: bank)) != nil)
    let without = try Amendment(postings: [
      Posting(.category(ledger.food), money("30", "KZT")),
      Posting(.category(ledger.travel), money("-30", "KZT")),
    ])
    #expect(refused(without)?.contains("don't affect the account") == true)
  }

  @Test mutating func aTransactionThatWasNotImportedHasTheTotalOfItsParts() throws {
    let own = try ledger.record(
      .expense(money("30", "KZT"), from: ledger.cash, category: ledger.food, on: ledger.today))
    #expect(try ledger.state.refusal(.amend(own, parts("25", "10"))) == nil)
  }

  @Test mutating func partsThatLoseToAnotherChangeAreNotLookedAt() throws {
    _ = try ledger.state.run(.setSettings(SettingsChange(mergePolicy: .firstWriter)))
    let seen = try ledger.stored(row)
    _ = try ledger.state.run(.amend(row, parts("20", "10")))
    var late = try parts("25", "10")
    late.seen = seen
    #expect(refused(late) == nil)
  }

  @Test mutating func aSeriesChangesItsRowsImportedOrNot() throws {
    let template = try SeriesTemplate(
      type: .expense, amount: money("30", "KZT"), account: ledger.cash, category: ledger.food)
    let schedule = Schedule(every: 1, .month)
    var series = Series(
      name: "Market", template: template, schedule: schedule, anchor: ledger.today)
    series.id = SeriesID(EntityID(high: 3, low: 1))
    _ = try ledger.state.run(.putSeries(series))
    _ = try ledger.state.run(.link(row, SeriesLink(series.id, due: ledger.today)))
    series.template.type = .transfer
    series.template.category = nil
    series.template.otherAccount = ledger.bank
    series.template.amount = try money("40", "KZT")
    _ = try ledger.state.run(.amendSeries(series, .all(from: ledger.today)))
    #expect(try ledger.postings(row)[0].amount == money("-40", "KZT"))
  }
}
