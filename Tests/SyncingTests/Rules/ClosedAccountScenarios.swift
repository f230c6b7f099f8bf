// Goal: what one device records on an account that another closes or deletes meanwhile is there, and told, on both.
// Method: as in `PropertyScenarios`.

import Daybook
import DaybookBookkeeping
import DaybookEntities
import Testing

@testable import DaybookSync

@Suite struct ClosedAccountScenarios {
  private let day = Day(year: 2026, month: 2, day: 14) ?? .min

  /// What both devices are told of closed accounts: it is the same, and there is nothing else.
  private func told(_ pair: SharedPair) async throws -> [SyncFinding] {
    let told = [try await pair.devices[0].findings(), try await pair.devices[1].findings()]
    #expect(told[0] == told[1])
    for device in pair.devices {
      #expect(try await device.refresh().findingCount == told[0].count)
    }
    #expect(told[0].allSatisfy { $0.rule == .closedAccount && $0.kind == .account && !$0.asks })
    return told[0]
  }

  private func lunch(_ pair: SharedPair, _ cents: Int64) -> Command {
    .record(.expense(Money(cents, .eur), from: pair.bank, category: pair.food, on: day))
  }

  @Test func whatIsRecordedOnAnAccountThatIsClosedMeanwhileIsTold() async throws {
    let pair = try await SharedPair()
    try await pair.record(phone: [.closeAccount(pair.bank)], laptop: [lunch(pair, 1_200)])
    #expect(try pair.balance(pair.bank) == -1_200)
    let found = try await told(pair)
    #expect(found.map(\.entity) == [pair.bank.rawValue])
    #expect(found[0].values.map(\.holds) == [.money(Money(-1_200, .eur))])
  }

  @Test func andSoOnOneThatIsDeleted() async throws {
    let pair = try await SharedPair()
    try await pair.record(
      phone: [.deleteAccount(pair.bank, .withRows)], laptop: [lunch(pair, 1_200)])
    #expect(try pair.balance(pair.bank) == -1_200)
    #expect(try await told(pair).map(\.entity) == [pair.bank.rawValue])
  }

  @Test func onceItIsOpenAgainOrComesToZeroNothingIsTold() async throws {
    let pair = try await SharedPair()
    try await pair.record(phone: [.closeAccount(pair.bank)], laptop: [lunch(pair, 1_200)])
    try await pair.record(phone: [.reopenAccount(pair.bank)], laptop: [])
    #expect(try await told(pair) == [])
    let back = Draft.transfer(Money(1_200, .eur), from: pair.cash, to: pair.bank, on: day)
    try await pair.record(phone: [.record(back), .closeAccount(pair.bank)], laptop: [])
    #expect(try await told(pair) == [])
  }

  @Test func itIsPutAsideOnBothAndToldAgainWhenAnotherRowComes() async throws {
    let pair = try await SharedPair()
    try await pair.record(
      phone: [.closeAccount(pair.bank)], laptop: [lunch(pair, 1_200)])
    let name = try #require(try await told(pair).first?.id)
    #expect(try await pair.devices[1].dismiss(name))
    try await pair.share()
    #expect(try await told(pair) == [])
    #expect(try await pair.phone.findings(includingDismissed: true)?.map(\.id) == [name])
    try await pair.record(phone: [.reopenAccount(pair.bank)], laptop: [])
    try await pair.record(phone: [.closeAccount(pair.bank)], laptop: [lunch(pair, 300)])
    #expect(try await told(pair).map(\.values.first?.holds) == [.money(Money(-1_500, .eur))])
  }

  @Test func anAccountAtZeroIsClosedWithoutAWord() async throws {
    let pair = try await SharedPair()
    try await pair.record(phone: [.closeAccount(pair.bank)], laptop: [])
    #expect(try await told(pair) == [])
  }
}
