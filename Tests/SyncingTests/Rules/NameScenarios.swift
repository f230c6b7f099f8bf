// Goal: what two devices gave one name is told, on both, until it is one or has another name, or somebody puts it aside.
// Method: as in `PropertyScenarios`.

import Daybook
import DaybookBookkeeping
import DaybookEntities
import Testing

@testable import DaybookSync

@Suite struct NameScenarios {
  private let first = AccountID(EntityID(high: 7, low: 1))
  private let second = AccountID(EntityID(high: 7, low: 2))

  /// What both devices are told, which is the same.
  private func told(_ pair: SharedPair) async throws -> [SyncFinding] {
    let told = [try await pair.devices[0].findings(), try await pair.devices[1].findings()]
    #expect(told[0] == told[1])
    for device in pair.devices {
      #expect(try await device.refresh().findingCount == told[0].count)
    }
    return told[0]
  }

  /// Both open a purse, and spell it in their own way.
  private func purses() async throws -> SharedPair {
    let pair = try await SharedPair()
    try await pair.record(
      phone: [.openAccount(NewAccount(id: first, name: "Purse", currency: .eur))],
      laptop: [.openAccount(NewAccount(id: second, name: "purse", currency: .eur))])
    return pair
  }

  @Test func twoAccountsOfOneNameAreTold() async throws {
    let pair = try await purses()
    let found = try await told(pair)
    #expect(found.map(\.rule) == [.sameName])
    #expect(found[0].kind == .account && found[0].entity == first.rawValue)
    #expect(found[0].unseen.map(\.entity) == [second.rawValue])
    #expect(!found[0].asks && found[0].values.isEmpty)
  }

  @Test func onceOneHasAnotherNameOrTheyAreOneNothingIsTold() async throws {
    let pair = try await purses()
    try await pair.record(
      phone: [.amendAccount(second, AccountChange(name: "Wallet"))], laptop: [])
    #expect(try await told(pair) == [])
    let other = try await purses()
    try await other.record(phone: [.mergeAccounts(second, into: first)], laptop: [])
    #expect(try await told(other) == [])
  }

  @Test func itIsPutAsideOnBothAndToldAgainWhenAThirdComes() async throws {
    let pair = try await purses()
    let name = try #require(try await told(pair).first?.id)
    #expect(try await pair.devices[1].dismiss(name))
    try await pair.share()
    #expect(try await told(pair) == [])
    #expect(try await pair.phone.findings(includingDismissed: true)?.map(\.id) == [name])
    let third = AccountID(EntityID(high: 7, low: 3))
    try await pair.phone.append(.amendAccount(second, AccountChange(name: "Wallet")))
    try await pair.share()
    try await pair.record(
      phone: [.amendAccount(second, AccountChange(name: "Purse 2"))],
      laptop: [.openAccount(NewAccount(id: third, name: "Purse 2", currency: .eur))])
    #expect(try await told(pair).map(\.entity) == [second.rawValue])
  }

  /// Names of categories are compared beside each other only.
  @Test func twoCategoriesOfOneNameAreToldWhereTheyAreBesideEachOther() async throws {
    let pair = try await SharedPair()
    func create(_ low: UInt64, below parent: CategoryID?) -> Command {
      .createCategory(
        NewCategory(
          id: CategoryID(EntityID(high: 8, low: low)), name: "Lunch", kind: .expense,
          parent: parent))
    }
    try await pair.record(
      phone: [create(1, below: pair.food), create(2, below: nil)],
      laptop: [create(3, below: pair.food), create(4, below: pair.home)])
    let found = try await told(pair)
    #expect(found.map(\.entity) == [EntityID(high: 8, low: 1)])
    #expect(found.first?.kind == .category)
    #expect(found.first?.unseen.map(\.entity) == [EntityID(high: 8, low: 3)])
  }

  @Test func aLedgerThatIsNotSharedHasNone() async throws {
    let ledger = try await Ledger.inMemory()
    #expect(try await ledger.findingsOfState() == [])
  }
}
