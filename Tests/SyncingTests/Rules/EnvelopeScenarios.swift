// Goal: envelopes that two devices filled at the same time are what Docs/Sync.md says, and no money is lost or made. Method:
// as in `PropertyScenarios`; what is ready to assign and what is available add up to the money on the accounts.

import Daybook
import DaybookBookkeeping
import DaybookEntities
import Testing

@testable import DaybookSync

@Suite struct EnvelopeScenarios {
  private let month = Month(year: 2026, month: 2)
  private let day = Day(year: 2026, month: 2, day: 14) ?? .min

  private func pair() async throws -> SharedPair {
    try await SharedPair { pair in
      [
        .setSettings(SettingsChange(baseCurrency: .some(.eur))),
        .assign(Money(4_000, .eur), to: pair.food, in: month),
      ]
    }
  }

  /// What the envelopes have, by category, which with what is ready to assign has to be all there is.
  private func available(_ pair: SharedPair, in month: Month) throws -> [CategoryID: Int128] {
    let found = try #require(
      try pair.both { snapshot in
        var months = try snapshot.envelopes(over: month..<month.adding(1), today: day)
        // Recording numbers, and with them the order, are each device's own.
        for index in months.indices {
          for place in months[index].envelopes.indices {
            months[index].envelopes[place].category.number = 0
          }
          months[index].envelopes.sort { $0.category.id < $1.category.id }
        }
        return months
      }.first)
    let sum = found.envelopes.map(\.available.units).reduce(0, +)
    #expect(found.money.total.units == 10_000)
    #expect(sum + found.readyToAssign.units + found.assignedLater.units == 10_000)
    return Dictionary(
      uniqueKeysWithValues: found.envelopes.map { ($0.category.id, $0.available.units) })
  }

  @Test func twoMovesBothHold() async throws {
    let pair = try await pair()
    try await pair.record(
      phone: [.moveMoney(Money(3_000, .eur), from: pair.food, to: pair.fun, in: month)],
      laptop: [.moveMoney(Money(2_500, .eur), from: pair.food, to: pair.home, in: month)])
    let found = try available(pair, in: month)
    #expect(found == [pair.food: -1_500, pair.fun: 3_000, pair.home: 2_500])
    #expect(try await pair.findings() == [])
  }

  @Test func ofTwoAmountsOfAnEnvelopeTheLaterHolds() async throws {
    let pair = try await pair()
    try await pair.record(
      phone: [.assign(Money(5_000, .eur), to: pair.food, in: month)],
      laptop: [.assign(Money(6_000, .eur), to: pair.food, in: month)])
    #expect(try available(pair, in: month)[pair.food] == 6_000)
    #expect(Set(try await pair.devices[0].findings().map(\.rule)) == [.valueLost])
  }

  /// The first amount of an envelope has the same id on both devices.
  @Test func theFirstAmountIsOneOnBothDevices() async throws {
    let pair = try await pair()
    let next = month.adding(1)
    try await pair.record(
      phone: [.assign(Money(100, .eur), to: pair.fun, in: next)],
      laptop: [.assign(Money(100, .eur), to: pair.fun, in: next)])
    #expect(try available(pair, in: next)[pair.fun] == 100)
    #expect(try pair.both { try $0.allocations().count } == 2)
    #expect(try await pair.findings() == [])
  }

  /// A goal is one register; other properties of the category are merged with it.
  @Test func ofTwoGoalsTheLaterHolds() async throws {
    let pair = try await pair()
    var note = CategoryChange()
    note.note = "weekly"
    let later = EnvelopeGoal(.balance, Money(900, .eur))
    try await pair.record(
      phone: [
        .setGoal(EnvelopeGoal(.monthly, Money(500, .eur)), for: pair.food),
        .amendCategory(pair.food, note),
      ],
      laptop: [.setGoal(later, for: pair.food)])
    let found = try pair.both { try $0.category(pair.food)?.details }
    #expect(found?.goal == later)
    #expect(found?.note == "weekly")
    #expect(Set(try await pair.devices[0].findings().map(\.rule)) == [.valueLost])
  }

  /// A card's payment is one register in each month, as an envelope's amount is.
  @Test func ofTwoAmountsOfAPaymentTheLaterHolds() async throws {
    let card = AccountID(EntityID(high: 7, low: 7))
    let pair = try await SharedPair { _ in
      [
        .setSettings(SettingsChange(baseCurrency: .some(.eur))),
        .openAccount(NewAccount(id: card, name: "Visa", kind: .liability, currency: .eur)),
      ]
    }
    try await pair.record(
      phone: [.assignPayment(Money(500, .eur), to: card, in: month)],
      laptop: [.assignPayment(Money(600, .eur), to: card, in: month)])
    let months = try pair.both { snapshot in
      try snapshot.envelopes(over: month..<month.adding(1), today: day).map { found in
        [found.readyToAssign.units] + found.payments.map(\.available.units)
      }
    }
    #expect(months == [[9_400, 600]])
    #expect(Set(try await pair.devices[0].findings().map(\.rule)) == [.valueLost])
  }

  @Test func aCategoryMergedHereAndFilledThere() async throws {
    let pair = try await pair()
    try await pair.record(
      phone: [.mergeCategories(pair.food, into: pair.home)],
      laptop: [
        .assign(Money(500, .eur), to: pair.home, in: month.adding(1)),
        .moveMoney(Money(700, .eur), from: pair.food, to: pair.fun, in: month),
      ])
    let found = try available(pair, in: month)
    // The move still names the merged category, whose money went to the other one.
    #expect(found == [pair.food: -700, pair.fun: 700, pair.home: 4_000])
    #expect(try available(pair, in: month.adding(1))[pair.home] == 4_500)
  }

  @Test func aCategoryDeletedHereAndFilledThere() async throws {
    let pair = try await pair()
    try await pair.record(
      phone: [.deleteCategory(pair.fun, .withRows)],
      laptop: [.assign(Money(900, .eur), to: pair.fun, in: month)])
    #expect(try available(pair, in: month) == [pair.food: 4_000, pair.fun: 900, pair.home: 0])
  }
}
