// Goal: what two devices make of the lines of one split, and of a row that one of them reconciles, is what
// Docs/Notes/Merging.md says, to the cent. Method: as in `PropertyScenarios`.

import Daybook
import DaybookBookkeeping
import DaybookEntities
import Testing

@testable import DaybookSync

@Suite struct RowScenarios {
  private let shop = TransactionID(EntityID(high: 5, low: 1))
  private let day = Day(year: 2026, month: 2, day: 14) ?? .min

  private func parts(_ parts: [(CategoryID, Int64)]) -> [Draft.Part] {
    parts.map { Draft.Part(Money($0.1, .eur), $0.0) }
  }

  /// 30.00 EUR from Cash: 20.00 for Food, 10.00 for Home.
  private func splitPair() async throws -> SharedPair {
    try await SharedPair { pair in
      [
        .record(
          .split(
            from: pair.cash, parts: parts([(pair.food, 2_000), (pair.home, 1_000)]), on: day,
            id: shop))
      ]
    }
  }

  private func divide(_ pair: SharedPair, _ lines: [(CategoryID, Int64)]) -> [Command] {
    let split = Draft.Split(account: pair.cash, kind: .expense, parts: parts(lines))
    return [.amend(shop, Amendment(shape: .split(split)))]
  }

  /// What the row says of each category, in minor units.
  private func lines(
    _ pair: SharedPair, _ row: TransactionID? = nil
  ) throws -> [CategoryID: Int64] {
    var lines: [CategoryID: Int64] = [:]
    for posting in try pair.row(row ?? shop).postings {
      if case .category(let category) = posting.account {
        lines[category, default: 0] += posting.amount.minorUnits
      }
    }
    return lines
  }

  // MARK: Splits

  @Test func aLineHereAndAnotherThereBothHold() async throws {
    let pair = try await splitPair()
    try await pair.record(
      phone: divide(pair, [(pair.food, 2_500), (pair.home, 1_000)]),
      laptop: divide(pair, [(pair.food, 2_000), (pair.home, 400)]))
    #expect(try lines(pair) == [pair.food: 2_500, pair.home: 400])
    #expect(try pair.balance(pair.cash) == 10_000 - 2_900)
    #expect(try await pair.findings() == [])
  }

  @Test func aLineMoreHereAndAnotherThereAreBothThere() async throws {
    let pair = try await splitPair()
    try await pair.record(
      phone: divide(pair, [(pair.food, 2_000), (pair.home, 1_000), (pair.fun, 300)]),
      laptop: divide(pair, [(pair.food, 2_200), (pair.home, 1_000)]))
    #expect(try lines(pair) == [pair.food: 2_200, pair.home: 1_000, pair.fun: 300])
    #expect(try pair.balance(pair.cash) == 10_000 - 3_500)
  }

  @Test func aLineThatBothPutElsewhereIsOneDevices() async throws {
    let pair = try await SharedPair { pair in
      [
        .createCategory(
          NewCategory(id: CategoryID(EntityID(high: 8, low: 1)), name: "Gifts", kind: .expense)),
        .record(
          .split(
            from: pair.cash, parts: parts([(pair.food, 2_000), (pair.home, 1_000)]), on: day,
            id: shop)),
      ]
    }
    let gifts = CategoryID(EntityID(high: 8, low: 1))
    try await pair.record(
      phone: divide(pair, [(pair.food, 2_000), (pair.fun, 1_000)]),
      laptop: divide(pair, [(pair.food, 2_000), (gifts, 1_000)]))
    #expect(try lines(pair) == [pair.food: 2_000, gifts: 1_000])
    #expect(try pair.balance(pair.cash) == 10_000 - 3_000)
    #expect(try await pair.findings().contains { $0.hasPrefix("clash") })
  }

  // MARK: Types

  /// One device changes what the transaction is, the other its amount.
  @Test(arguments: [
    (TransactionKind.refund, Int64(12_500)), (.income, 12_500), (.expense, 7_500),
  ])
  func anotherTypeHereAndAnotherAmountThereBothHold(
    type: TransactionKind, balance: Int64
  ) async throws {
    let pair = try await SharedPair { pair in
      [
        .record(
          .expense(
            Money(2_000, .eur), from: pair.cash, category: pair.food, on: day, id: shop))
      ]
    }
    try await pair.record(
      phone: [.amend(shop, Amendment(type: type))],
      laptop: [.amend(shop, Amendment(amount: Money(2_500, .eur)))])
    #expect(try pair.balance(pair.cash) == balance)
    #expect(try await pair.findings() == [])
  }

  /// 30.00 EUR that a bank says, in Food and Home.
  private func importedPair() async throws -> SharedPair {
    try await SharedPair { pair in
      [
        .importRows([
          ImportRow(
            .split(
              from: pair.cash, parts: parts([(pair.food, 2_000), (pair.home, 1_000)]), on: day,
              id: shop), reference: "ofx:17")
        ])
      ]
    }
  }

  /// Both divide the 30.00 of the bank again, and both give another part to Food.
  @Test func whatABankSaysStays() async throws {
    let pair = try await importedPair()
    let row = try #require(
      try pair.both { try $0.transactions(TransactionFilter(), limit: 1).first?.id })
    func divided(_ lines: [(CategoryID, Int64)]) -> [Command] {
      let split = Draft.Split(account: pair.cash, kind: .expense, parts: parts(lines))
      return [.amend(row, Amendment(shape: .split(split)))]
    }
    try await pair.record(
      phone: divided([(pair.food, 1_500), (pair.home, 1_000), (pair.fun, 500)]),
      laptop: divided([(pair.food, 2_500), (pair.home, 500)]))
    #expect(try pair.balance(pair.cash) == 10_000 - 3_000)
    let postings = try pair.row(row).postings
    #expect(postings.contains(Posting(.category(pair.food), Money(2_500, .eur))))
    #expect(postings.contains(Posting(.category(pair.home), Money(500, .eur))))
    #expect(postings.contains(Posting(.category(pair.fun), Money(500, .eur))))
    #expect(postings.contains(Posting(.category(.uncategorizedExpense), Money(-500, .eur))))
    for device in pair.devices {
      let findings = try await device.findings()
      #expect(findings.map(\.rule) == [.balanced])
      let amounts = findings.flatMap(\.values).filter { $0.property == "amount" }
      #expect(amounts.map(\.lost) == [.money(Money(1_500, .eur)), nil])
      #expect(amounts.map(\.holds) == [.money(Money(2_500, .eur)), .money(Money(-500, .eur))])
    }
  }

  /// One device says on purpose that the bank is wrong, the other divides what the bank said.
  @Test func aTotalThatWasChangedOnPurposeHolds() async throws {
    let pair = try await importedPair()
    let row = try #require(
      try pair.both { try $0.transactions(TransactionFilter(), limit: 1).first?.id })
    func divided(_ lines: [(CategoryID, Int64)], changesTotal: Bool = false) -> [Command] {
      let split = Draft.Split(account: pair.cash, kind: .expense, parts: parts(lines))
      var amendment = Amendment(shape: .split(split))
      amendment.changesImportedTotal = changesTotal
      return [.amend(row, amendment)]
    }
    try await pair.record(
      phone: divided([(pair.food, 2_500), (pair.home, 1_000)], changesTotal: true),
      laptop: divided([(pair.food, 2_000), (pair.home, 400), (pair.fun, 600)]))
    #expect(try pair.balance(pair.cash) == 10_000 - 3_500)
    #expect(try lines(pair, row) == [pair.food: 2_500, pair.home: 400, pair.fun: 600])
    for device in pair.devices { #expect(try await device.findings().isEmpty) }
  }

  // MARK: Reconciled rows

  /// A lunch of 12.00 EUR from Cash, in Food.
  private func lunchPair() async throws -> SharedPair {
    try await SharedPair { pair in
      [
        .record(
          .expense(Money(1_200, .eur), from: pair.cash, category: pair.food, on: day, id: shop))
      ]
    }
  }

  /// The one reconciles, the other one changes; which of the two reaches the relay first makes no difference.
  private func reconcile(
    _ pair: SharedPair, against other: [Command], isFirst: Bool
  ) async throws {
    let reconciling = [Command.reconcile([shop])]
    try await pair.record(
      phone: isFirst ? reconciling : other, laptop: isFirst ? other : reconciling)
  }

  @Test(arguments: [false, true]) func anAmountIsAsItWasReconciled(isFirst: Bool) async throws {
    let pair = try await lunchPair()
    try await reconcile(
      pair, against: [.amend(shop, Amendment(amount: Money(1_500, .eur)))], isFirst: isFirst)
    #expect(try pair.row(shop).status == .reconciled)
    #expect(try pair.balance(pair.cash) == 8_800)
    #expect(try await pair.findings() == ["locked amount"])
  }

  @Test(arguments: [false, true]) func aCategoryAndATextAreFree(isFirst: Bool) async throws {
    let pair = try await lunchPair()
    try await reconcile(
      pair, against: [.amend(shop, Amendment(category: pair.fun, note: "with Ada"))],
      isFirst: isFirst)
    #expect(try lines(pair) == [pair.fun: 1_200])
    #expect(try pair.row(shop).note == "with Ada")
    #expect(try pair.row(shop).status == .reconciled)
    #expect(try await pair.findings() == [])
  }

  @Test(arguments: [false, true]) func aDeletionDoesNotStand(isFirst: Bool) async throws {
    let pair = try await lunchPair()
    try await reconcile(pair, against: [.delete(shop)], isFirst: isFirst)
    #expect(try pair.row(shop).status == .reconciled)
    #expect(try pair.balance(pair.cash) == 8_800)
    let told = try await pair.devices[0].findings()
    #expect(told.map(\.rule) == [.locked])
  }
}
