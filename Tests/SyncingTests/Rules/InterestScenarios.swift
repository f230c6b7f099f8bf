// Goal: interest that two devices post at the same time is posted once, and terms merge as Docs/Notes/Bookkeeping.md says.
// Method: as in `PropertyScenarios`.

import Daybook
import DaybookBookkeeping
import DaybookEntities
import Testing

@testable import DaybookSync

@Suite struct InterestScenarios {
  private let from = Day(year: 2026, month: 1, day: 1) ?? .min
  private let today = Day(year: 2026, month: 3, day: 1) ?? .min

  private func terms(
    _ account: AccountID, _ percent: String = "12",
    _ change: (inout AccountTerms) -> Void = { _ in }
  ) throws -> AccountTerms {
    var terms = AccountTerms(
      of: account, rate: try #require(InterestRate(percent)), from: from)
    change(&terms)
    return terms
  }

  private func pair() async throws -> SharedPair {
    try await SharedPair { pair in [.setTerms(try terms(pair.cash))] }
  }

  @Test func interestIsPostedOnce() async throws {
    let pair = try await pair()
    try await pair.record(
      phone: [.postInterest(through: today)], laptop: [.postInterest(through: today)])
    // 100.00 at 12 % for 31 and 28 days.
    #expect(
      try pair.both { try $0.transactions(limit: 9).map(\.amount?.minorUnits) } == [92, 102])
    #expect(try pair.both { try $0.accruedInterest(of: pair.cash, on: today)?.due } == [])
    #expect(try await pair.findings() == [])
  }

  /// The phone posts what the laptop's deposit, which it doesn't know yet, would have made more.
  @Test func interestOfDifferentBalancesIsPostedOnce() async throws {
    let pair = try await pair()
    try await pair.record(
      phone: [.postInterest(through: today)],
      laptop: [
        .record(
          .income(Money(10_000, .eur), into: pair.cash, on: from.adding(days: 1))),
        .postInterest(through: today),
      ])
    let rows = try pair.both { snapshot in
      try snapshot.transactions(limit: 9).filter { $0.description == "Interest" }.map(\.day)
    }
    #expect(rows == [today, from.adding(months: 1)])
  }

  @Test func aRateAndADueDayBothChange() async throws {
    let pair = try await pair()
    try await pair.record(
      phone: [.setTerms(try terms(pair.cash, "6"))],
      laptop: [
        .setTerms(
          try terms(pair.cash) { terms in
            (terms.firstDue, terms.dueDay) = (from.adding(days: 14), 15)
          })
      ])
    let merged = try #require(try pair.both { try $0.terms(of: pair.cash) })
    #expect(merged.rates.map(\.rate.millionths) == [6_000_000])
    #expect(merged.dueDay == 15 && merged.firstDue == from.adding(days: 14))
    #expect(try await pair.findings() == [])
  }

  /// What makes a loan is taken from one device.
  @Test func theDueDaysOfOneDeviceHold() async throws {
    let pair = try await pair()
    try await pair.record(
      phone: [
        .setTerms(
          try terms(pair.cash) { ($0.dayCount, $0.dueDay, $0.firstDue) = (.actual360, 5, fifth) })
      ],
      laptop: [.setTerms(try terms(pair.cash) { $0.interval = .quarter })])
    let merged = try #require(try pair.both { try $0.terms(of: pair.cash) })
    #expect(merged.interval == .quarter && merged.dayCount == .actual365 && merged.dueDay == 1)
    #expect(Set(try await pair.devices[0].findings().map(\.rule)) == [.valueLost])
  }

  private var fifth: Day { from.adding(days: 4) }

  @Test func termsRemovedHereAndPostedThere() async throws {
    let pair = try await pair()
    try await pair.record(
      phone: [.removeTerms(pair.cash)], laptop: [.postInterest(through: today)])
    #expect(try pair.both { try $0.terms() } == [])
    #expect(try pair.both { try $0.transactions(limit: 9).count } == 2)
  }
}
