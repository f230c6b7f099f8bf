// Goal: what was there before a closing stays and is listed, and of two days through which the books were closed the later
// one stands. Method: as in `HoldingScenarios`, which has what comes after a closing.

import Daybook
import DaybookBookkeeping
import DaybookEntities
import Testing

@testable import DaybookSync

@Suite struct ClosingScenarios {
  private let lunch = TransactionID(EntityID(high: 5, low: 1))
  private let march = Day(year: 2026, month: 3, day: 14) ?? .min

  private func end(_ month: Int) -> Day {
    Day(year: 2026, month: month, day: month == 4 ? 30 : 31) ?? .min
  }

  private func closedThrough(_ pair: SharedPair) throws -> Day? {
    try pair.both { try $0.settings().closedThrough }
  }

  @Test func whatReachedTheRelayBeforeStaysAndIsListed() async throws {
    let pair = try await SharedPair()
    try await pair.record(
      phone: [
        .record(
          .expense(
            Money(1_200, .eur), from: pair.cash, category: pair.food, on: march, id: lunch))
      ], laptop: [.closePeriod(through: end(3))])
    #expect(try closedThrough(pair) == end(3))
    #expect(try pair.row(lunch).day == march)
    #expect(try pair.balance(pair.cash) == 8_800)
    for device in pair.devices {
      let found = try await device.findings()
      #expect(found.map(\.rule) == [.closedUnseen])
      #expect(found.first?.unseen.map(\.entity) == [lunch.rawValue])
      #expect(found.first?.values == [])
    }
    // It is part of what is closed now.
    await #expect(throws: DaybookError.self) { try await pair.phone.append(.delete(lunch)) }
  }

  @Test(arguments: [false, true]) func ofTwoClosingsTheLaterDayStands(isFirst: Bool) async throws {
    let pair = try await SharedPair()
    let (early, late) = (Command.closePeriod(through: end(3)), Command.closePeriod(through: end(4)))
    try await pair.record(phone: [isFirst ? late : early], laptop: [isFirst ? early : late])
    #expect(try closedThrough(pair) == end(4))
    #expect(try await pair.findings() == ["valueLost closedThrough"])
  }

  @Test(arguments: [false, true])
  func ofAClosingAndAReopeningTheLaterDayStands(isFirst: Bool) async throws {
    let pair = try await SharedPair { _ in [.closePeriod(through: end(1))] }
    let (reopen, close) = (Command.reopenPeriod(after: nil), Command.closePeriod(through: end(3)))
    try await pair.record(phone: [isFirst ? close : reopen], laptop: [isFirst ? reopen : close])
    #expect(try closedThrough(pair) == end(3))
    #expect(try await pair.findings() == ["valueLost closedThrough"])
  }
}
