// Goal: series, rules, rates and stated balances that two devices changed are what Docs/Notes/Bookkeeping.md says of their
// registers; a commit of which something has changed since is taken back as a whole, or not. Method: as in
// `PropertyScenarios`.

import Daybook
import DaybookBookkeeping
import DaybookEntities
import Testing

@testable import DaybookSync

@Suite struct PlanScenarios {
  private let rent = SeriesID(EntityID(high: 6, low: 1))
  private let shops = RuleID(EntityID(high: 6, low: 2))
  private let stated = AssertionID(EntityID(high: 6, low: 3))
  private let lunch = TransactionID(EntityID(high: 5, low: 1))
  private let day = Day(year: 2026, month: 2, day: 14) ?? .min

  private func rent(
    _ pair: SharedPair, units: Int64 = 90_000, _ change: (inout Series) -> Void = { _ in }
  )
    -> Command
  {
    var series = Series(
      id: rent, name: "Rent",
      template: SeriesTemplate(
        type: .expense, amount: Money(units, .eur), account: pair.bank, category: pair.home),
      schedule: Schedule(.month), anchor: day)
    change(&series)
    return .putSeries(series)
  }

  @Test func theAmountOfASeriesHereAndItsEndThereBothHold() async throws {
    let pair = try await SharedPair { [rent($0)] }
    let end = Day(year: 2026, month: 12, day: 31)
    try await pair.record(
      phone: [rent(pair, units: 95_000)], laptop: [rent(pair) { $0.end = end }])
    let found = try #require(try pair.both { try $0.series(rent) })
    #expect(found.template.amount == Money(95_000, .eur))
    #expect(found.end == end)
    #expect(try await pair.findings() == [])
  }

  @Test func theScheduleOfASeriesIsOneDevices() async throws {
    let pair = try await SharedPair { [rent($0)] }
    let anchor = Day(year: 2026, month: 2, day: 20) ?? .min
    try await pair.record(
      phone: [rent(pair) { $0.anchor = anchor }],
      laptop: [rent(pair) { $0.schedule = Schedule(.year) }])
    let found = try #require(try pair.both { try $0.series(rent) })
    #expect(found.anchor == day)
    #expect(found.schedule == Schedule(.year))
    #expect(Set(try await pair.devices[0].findings().map(\.rule)) == [.valueLost])
  }

  /// Whatever wins, the parts make up the amount.
  @Test func theAmountAndThePartsOfASeriesAreOneDevices() async throws {
    func split(_ pair: SharedPair, _ units: Int64...) -> Command {
      rent(pair, units: units.reduce(0, +)) { series in
        series.template.category = nil
        series.template.parts = units.enumerated().map {
          Draft.Part(Money($1, .eur), $0 == 0 ? pair.home : pair.food)
        }
      }
    }
    let pair = try await SharedPair { [split($0, 60_000, 30_000)] }
    try await pair.record(
      phone: [split(pair, 60_000, 35_000)], laptop: [rent(pair, units: 80_000)])
    let found = try #require(try pair.both { try $0.series(rent) })
    #expect(found.template.amount == Money(80_000, .eur))
    #expect(found.template.parts.isEmpty && found.template.category == pair.home)
    #expect(Set(try await pair.devices[0].findings().map(\.rule)) == [.valueLost])
  }

  @Test func theRuleOfAScheduleIsOneDevices() async throws {
    let pair = try await SharedPair { [rent($0)] }
    let phone = try RecurrenceRule("FREQ=MONTHLY;BYDAY=-1FR;COUNT=5")
    let laptop = try RecurrenceRule("FREQ=MONTHLY;BYMONTHDAY=1,15")
    try await pair.record(
      phone: [
        rent(pair) {
          $0.schedule = phone.schedule
          $0.countMax = phone.countMax
        }
      ],
      laptop: [
        rent(pair) {
          $0.schedule = laptop.schedule
          $0.weekends = .before
        }
      ])
    let found = try #require(try pair.both { try $0.series(rent) })
    // The number of times belongs to the schedule, the policy for weekends doesn't.
    #expect(found.schedule == laptop.schedule && found.countMax == 0)
    #expect(found.weekends == .before)
    #expect(Set(try await pair.devices[0].findings().map(\.rule)) == [.valueLost])
  }

  /// Each day is on its own.
  @Test func holidaysThatTwoDevicesAddAndRemoveAllHold() async throws {
    func days(_ numbers: Int...) -> [Day] { numbers.map { day.adding(days: $0) } }
    let pair = try await SharedPair { _ in
      [.setSettings(SettingsChange(addedHolidays: days(0, 1, 2)))]
    }
    try await pair.record(
      phone: [.setSettings(SettingsChange(addedHolidays: days(3), removedHolidays: days(0)))],
      laptop: [.setSettings(SettingsChange(addedHolidays: days(3, 4), removedHolidays: days(1)))])
    #expect(try pair.both { try $0.settings().holidays } == days(2, 3, 4))
    #expect(try await pair.findings() == [])
    try await pair.record(
      phone: [.setSettings(SettingsChange(removedHolidays: days(2, 3, 4)))],
      laptop: [.setSettings(SettingsChange(removedHolidays: days(2)))])
    #expect(try pair.both { try $0.settings().holidays } == [])
    #expect(try await pair.findings() == [])
  }

  @Test func theCategoryAndTheTransfersOfARuleAreOneDevices() async throws {
    func rule(_ category: CategoryID?, _ account: AccountID?, payee: String = "") -> Command {
      var rule = CategoryRule(name: "Shops", conditions: [.text(.any, .contains, "x")])
      rule.id = shops
      (rule.category, rule.transferAccount, rule.payee) = (category, account, payee)
      return .putRule(rule)
    }
    let pair = try await SharedPair { [rule($0.food, nil)] }
    try await pair.record(
      phone: [rule(nil, pair.cash)], laptop: [rule(pair.home, nil, payee: "Shop")])
    let found = try #require(try pair.both { try $0.rules().first })
    #expect(found.category == pair.home && found.transferAccount == nil && found.payee == "Shop")
    #expect(Set(try await pair.devices[0].findings().map(\.rule)) == [.valueLost])
  }

  @Test func theConditionsOfARuleHereAndItsCategoryThereBothHold() async throws {
    func rule(_ text: String, _ category: CategoryID) -> Command {
      var rule = CategoryRule(
        name: "Shops", conditions: [.text(.any, .contains, text)], category: category)
      rule.id = shops
      return .putRule(rule)
    }
    let pair = try await SharedPair { [rule("market", $0.food)] }
    try await pair.record(phone: [rule("shop", pair.food)], laptop: [rule("market", pair.home)])
    let found = try #require(try pair.both { try $0.rules().first })
    #expect(found.conditions == [.text(.any, .contains, "shop")])
    #expect(found.category == pair.home)
    #expect(try await pair.findings() == [])
  }

  /// Account, day and balance are one register; the note is another.
  @Test func aStatedBalanceIsOneDevices() async throws {
    func state(_ pair: SharedPair, _ units: Int64, on day: Day, note: String = "") -> Command {
      .assertBalance(pair.cash, Money(units, .eur), on: day, note: note, id: stated)
    }
    let pair = try await SharedPair { [state($0, 10_000, on: day)] }
    let later = day.adding(days: 1)
    try await pair.record(
      phone: [state(pair, 9_000, on: day, note: "statement")],
      laptop: [state(pair, 10_000, on: later)])
    let found = try #require(try pair.both { try $0.assertions().first })
    #expect(found.day == later && found.balance == Money(10_000, .eur))
    #expect(found.note == "statement")
    #expect(Set(try await pair.devices[0].findings().map(\.rule)) == [.valueLost])
  }

  @Test func ofTwoRatesOfADayTheLaterHoldsAndEqualOnesTellNothing() async throws {
    func rate(_ text: String, on day: Day) throws -> Command {
      .setRate(ExchangeRate(base: .usd, quoted: .eur, day: day, quote: try Quote(text)))
    }
    let pair = try await SharedPair()
    let next = day.adding(days: 1)
    try await pair.record(
      phone: [rate("0.91", on: day), rate("0.95", on: next)],
      laptop: [rate("0.92", on: day), rate("0.95", on: next)])
    let found = try pair.both { try $0.rates().map { "\($0.day) \($0.quote)" }.sorted() }
    #expect(found == ["2026-02-14 0.92", "2026-02-15 0.95"])
    #expect(
      try await pair.devices[0].findings().map(\.entity) == [
        ExchangeRate.id(base: .usd, quoted: .eur, day: day).rawValue
      ])
  }

  @Test func thePolicyMayAskWhoeverLost() async throws {
    let pair = try await SharedPair { pair in
      [
        .setSettings(SettingsChange(mergePolicy: .error)),
        .record(.expense(Money(1_200, .eur), from: pair.cash, on: day, id: lunch)),
      ]
    }
    try await pair.record(
      phone: [.amend(lunch, Amendment(payee: "Edeka"))],
      laptop: [.amend(lunch, Amendment(payee: "Lidl"))])
    #expect(try pair.row(lunch).payee == "Edeka")
    let found = try await pair.devices[1].findings()
    #expect(found.map(\.rule) == [.valueLost])
    #expect(found.first?.asks == true)
    #expect(found.first?.values.first?.lost == .text("Lidl"))
  }

  /// Of what the phone did at once, the laptop has changed a part since: nothing of it is taken back.
  @Test func aCommitIsTakenBackAsAWholeOrNot() async throws {
    let pair = try await SharedPair { pair in
      [.record(.expense(Money(1_200, .eur), from: pair.cash, on: day, id: lunch))]
    }
    let done = try await pair.phone.append(
      .amend(lunch, Amendment(payee: "Edeka", note: "with Ada")),
      .record(.expense(Money(300, .eur), from: pair.cash, on: day)))
    try await pair.share()
    try await pair.laptop.append(.amend(lunch, Amendment(payee: "Lidl")))
    try await pair.share()
    await #expect(throws: DaybookError.self) {
      try await pair.phone.undo(commit: done.token.sequence)
    }
    #expect(try pair.row(lunch).note == "with Ada")
    #expect(try pair.balance(pair.cash) == 10_000 - 1_500)
    // The payee as it was, it is taken back whole, on both.
    try await pair.laptop.append(.amend(lunch, Amendment(payee: "Edeka")))
    try await pair.share()
    try await pair.phone.undo(commit: done.token.sequence)
    try await pair.share()
    #expect(try pair.row(lunch).payee == "")
    #expect(try pair.balance(pair.cash) == 10_000 - 1_200)
  }
}
