// Goal: what two devices make of one thing is what Docs/Sync.md and Docs/Notes/Merging.md say, to the cent. Method:
// each rule once, by commands on two ledgers that share by `ledger.sync`; both are asked, and verified.

import Daybook
import DaybookBookkeeping
import DaybookEntities
import Testing

@testable import DaybookSync

@Suite struct PropertyScenarios {
  private let lunch = TransactionID(EntityID(high: 5, low: 1))
  private let day = Day(year: 2026, month: 2, day: 14) ?? .min

  /// A lunch of 12.00 EUR from Cash, in Food.
  private func pair(_ more: [Command] = []) async throws -> SharedPair {
    try await SharedPair { pair in
      [
        .record(
          .expense(
            Money(1_200, .eur), from: pair.cash, category: pair.food, on: day, id: lunch,
            payee: "Rewe"))
      ] + more
    }
  }

  private func amend(_ amendment: Amendment) -> [Command] { [.amend(lunch, amendment)] }

  @Test func differentPropertiesBothHold() async throws {
    let pair = try await pair()
    try await pair.record(
      phone: amend(Amendment(payee: "Edeka")), laptop: amend(Amendment(note: "with Ada")))
    let row = try pair.row(lunch)
    #expect(row.payee == "Edeka" && row.note == "with Ada")
    #expect(try await pair.findings() == [])
  }

  @Test func ofOnePropertyTheLaterHoldsAndTheOtherIsTold() async throws {
    let pair = try await pair()
    try await pair.record(
      phone: amend(Amendment(payee: "Edeka")), laptop: amend(Amendment(payee: "Lidl")))
    #expect(try pair.row(lunch).payee == "Lidl")
    #expect(try await pair.findings() == ["valueLost payee"])
    // Chosen again, it holds: whoever chooses has seen both.
    try await pair.record(phone: amend(Amendment(payee: "Edeka")), laptop: [])
    #expect(try pair.row(lunch).payee == "Edeka")
  }

  /// Clocks of today are years ahead of the relay's here, and count as when the relay took what they say.
  @Test func aClockAheadCountsAsWhenTheRelayTookIt() async throws {
    let pair = try await pair()
    try await pair.laptop.append(amend(Amendment(payee: "Lidl")))
    try await pair.phone.append(amend(Amendment(payee: "Edeka")))
    try await pair.share()
    #expect(try pair.row(lunch).payee == "Lidl", "it came a minute later, and was recorded before")
  }

  @Test func theLedgersPolicyMayLetTheFirstHold() async throws {
    let pair = try await pair([.setSettings(SettingsChange(mergePolicy: .firstWriter))])
    try await pair.record(
      phone: amend(Amendment(payee: "Edeka")), laptop: amend(Amendment(payee: "Lidl")))
    #expect(try pair.row(lunch).payee == "Edeka")
    #expect(try await pair.findings() == ["valueLost payee"])
  }

  @Test func amountHereAndCategoryThereBothHold() async throws {
    let pair = try await pair()
    try await pair.record(
      phone: amend(Amendment(amount: Money(1_550, .eur))),
      laptop: amend(Amendment(category: pair.fun)))
    #expect(
      Array(try pair.row(lunch).postings) == [
        Posting(.account(pair.cash), Money(-1_550, .eur)),
        Posting(.category(pair.fun), Money(1_550, .eur)),
      ])
    #expect(try pair.balance(pair.cash) == 8_450)
    #expect(try await pair.findings() == [])
  }

  @Test func amountHereAndAccountThereBothHold() async throws {
    let pair = try await pair()
    try await pair.record(
      phone: amend(Amendment(amount: Money(900, .eur))),
      laptop: amend(Amendment(account: pair.bank)))
    #expect(try pair.balance(pair.cash) == 10_000)
    #expect(try pair.balance(pair.bank) == -900)
  }

  @Test func aTransferNeverGoesOntoItself() async throws {
    let moved = TransactionID(EntityID(high: 5, low: 2))
    let third = AccountID(EntityID(high: 5, low: 3))
    let pair = try await SharedPair { pair in
      [
        .openAccount(NewAccount(id: third, name: "Savings", currency: .eur)),
        .record(
          .transfer(Money(500, .eur), from: pair.cash, to: pair.bank, on: day, id: moved)),
      ]
    }
    try await pair.record(
      phone: [.amend(moved, Amendment(account: third))],
      laptop: [.amend(moved, Amendment(otherAccount: third))])
    #expect(try pair.balance(pair.cash) == 9_500)
    #expect(try pair.balance(third) == 500)
    #expect(try pair.balance(pair.bank) == 0)
    #expect(try await pair.findings().contains { $0.hasPrefix("clash") })
  }

  @Test func aBudgetsDatesAreOneDevicesWhereTheyDoNotGoTogether() async throws {
    let id = BudgetID(EntityID(high: 6, low: 1))
    func budget(_ pair: SharedPair, from start: Int, until end: Int) -> Command {
      var budget = Budget(
        id: id, name: "Food", categories: [pair.food], amount: Money(100, .eur), period: .yearly)
      budget.start = Day(year: 2026, month: start, day: 1)
      budget.end = Day(year: 2026, month: end, day: 1)
      return .putBudget(budget)
    }
    let pair = try await SharedPair { [budget($0, from: 2, until: 9)] }
    try await pair.record(
      phone: [budget(pair, from: 2, until: 3)], laptop: [budget(pair, from: 4, until: 9)])
    let found = try #require(try pair.both { try $0.budget(id) })
    #expect(found.start == Day(year: 2026, month: 4, day: 1))
    #expect(found.end == Day(year: 2026, month: 9, day: 1))
    #expect(try await pair.findings().contains { $0.hasPrefix("clash") })
  }

  @Test func whatEachRecordedIsThere() async throws {
    let pair = try await pair()
    try await pair.record(
      phone: [.record(.expense(Money(300, .eur), from: pair.cash, category: pair.food, on: day))],
      laptop: [.record(.income(Money(5_000, .eur), into: pair.cash, on: day))])
    #expect(try pair.balance(pair.cash) == 10_000 - 1_200 - 300 + 5_000)
    #expect(try pair.both { try $0.count(TransactionFilter()) } == 3)
  }

  /// A bank's reference makes one row of what two devices import.
  @Test func aRowOfABankThatBothImportIsThereOnce() async throws {
    let pair = try await pair()
    let row = ImportRow(
      .expense(Money(700, .eur), from: pair.bank, on: day, description: "Card"),
      reference: "ofx:17")
    try await pair.record(phone: [.importRows([row])], laptop: [.importRows([row])])
    #expect(try pair.balance(pair.bank) == -700)
    #expect(try await pair.findings() == [])
  }
}
