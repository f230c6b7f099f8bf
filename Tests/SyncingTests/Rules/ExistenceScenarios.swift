// Goal: what is deleted, brought back and put under one another on two devices ends as Docs/Notes/Merging.md says, to
// the cent. Method: as in `PropertyScenarios`.

import Daybook
import DaybookBookkeeping
import DaybookEntities
import Testing

@testable import DaybookSync

@Suite struct ExistenceScenarios {
  private let lunch = TransactionID(EntityID(high: 5, low: 1))
  private let day = Day(year: 2026, month: 2, day: 14) ?? .min

  private func pair() async throws -> SharedPair {
    try await SharedPair { pair in
      [
        .record(
          .expense(
            Money(1_200, .eur), from: pair.cash, category: pair.food, on: day, id: lunch))
      ]
    }
  }

  @Test func aDeletionStandsAndTheChangeComesBackWithTheRow() async throws {
    let pair = try await pair()
    try await pair.record(
      phone: [.amend(lunch, Amendment(note: "with Ada"))], laptop: [.delete(lunch)])
    #expect(try pair.both { try $0.transaction(lunch) } == nil)
    #expect(try pair.balance(pair.cash) == 10_000)
    #expect(try await pair.findings() == ["deletionStands note"])
    try await pair.phone.restore(entity: lunch.rawValue)
    try await pair.share()
    #expect(try pair.row(lunch).note == "with Ada")
    #expect(try pair.balance(pair.cash) == 8_800)
  }

  /// The phone deletes and brings back, the laptop deletes, without one another: in either order it is gone, whoever
  /// brought it back is told, and may do so again.
  @Test(arguments: [false, true])
  func aDeletionStandsAgainstOneThatWasBroughtBack(isFirst: Bool) async throws {
    let pair = try await pair()
    let (one, other) = isFirst ? (pair.phone, pair.laptop) : (pair.laptop, pair.phone)
    try await one.append(.delete(lunch))
    try await one.restore(entity: lunch.rawValue)
    try await other.append(.delete(lunch))
    try await pair.share()
    #expect(try pair.both { try $0.transaction(lunch) } == nil)
    #expect(try pair.balance(pair.cash) == 10_000)
    #expect(Set(try await pair.devices[0].findings().map(\.rule)) == [.deletionStands])
    try await one.restore(entity: lunch.rawValue)
    try await pair.share()
    #expect(try pair.row(lunch).postings.count == 2)
    #expect(try pair.balance(pair.cash) == 8_800)
  }

  /// Both delete; the phone brings back what it deleted itself, and does not know of the laptop's deletion.
  @Test func whoBringsBackMustHaveSeenEachDeletion() async throws {
    let pair = try await pair()
    try await pair.laptop.append(.delete(lunch))
    try await pair.phone.append(.delete(lunch))
    try await pair.devices[0].exchange()
    try await pair.phone.restore(entity: lunch.rawValue)
    try await pair.devices[1].exchange()
    try await pair.share()
    #expect(try pair.both { try $0.transaction(lunch) } == nil)
    #expect(try pair.balance(pair.cash) == 10_000)
    #expect(Set(try await pair.devices[0].findings().map(\.rule)) == [.deletionStands])
  }

  /// Both bring back what both knew to be deleted: it is there once, and nobody is told.
  @Test func whatBothBringBackIsThereOnce() async throws {
    let pair = try await pair()
    try await pair.record(phone: [.delete(lunch)], laptop: [])
    #expect(try pair.balance(pair.cash) == 10_000)
    try await pair.phone.restore(entity: lunch.rawValue)
    try await pair.laptop.restore(entity: lunch.rawValue)
    try await pair.share()
    #expect(try pair.balance(pair.cash) == 8_800)
    #expect(try await pair.findings() == [])
  }

  @Test func aRowOfADeletedAccountStaysAndCounts() async throws {
    let pair = try await pair()
    try await pair.record(
      phone: [.deleteAccount(pair.cash, .move(to: pair.bank))],
      laptop: [
        .record(.expense(Money(300, .eur), from: pair.cash, category: pair.fun, on: day))
      ])
    // The opening and the lunch are the bank's; what came later is still the deleted account's.
    #expect(try pair.balance(pair.bank) == 8_800)
    #expect(try pair.balance(pair.cash) == -300)
    #expect(try pair.both { try $0.account(pair.cash)?.isDeleted } == true)
  }

  @Test func whatOpenedAnAccountTwiceIsMergedAndUndone() async throws {
    let pair = try await pair()
    let (first, second) = (
      AccountID(EntityID(high: 7, low: 1)), AccountID(EntityID(high: 7, low: 2))
    )
    func opened(_ id: AccountID, spent: Int64) -> [Command] {
      [
        .openAccount(
          NewAccount(id: id, name: "Purse", currency: .eur, opening: Money(1_000, .eur))),
        .record(.expense(Money(spent, .eur), from: id, category: pair.food, on: day)),
        .assertBalance(id, Money(1_000 - spent, .eur), on: day),
      ]
    }
    try await pair.record(phone: opened(first, spent: 100), laptop: opened(second, spent: 30))
    #expect(try pair.both { try $0.accounts().count { $0.name == "Purse" } } == 2)
    // One of the two goes: the other still has the name, and nobody else gets it.
    let spare = try await pair.laptop.rehearse([.deleteAccount(second, .withRows)])
    #expect(spare.count == 1)
    await #expect(throws: DaybookError.self) {
      try await pair.laptop.append([
        .deleteAccount(second, .withRows),
        .openAccount(NewAccount(name: "purse", currency: .eur)),
      ])
    }
    // Two stated balances are not that of the merged account.
    await #expect(throws: DaybookError.self) {
      try await pair.laptop.append(.mergeAccounts(second, into: first))
    }
    let stated = try pair.laptop.read { try $0.assertions().filter { $0.account == second } }
    try await pair.laptop.append(stated.map { .removeAssertion($0.id) })
    let merged = try await pair.laptop.append(.mergeAccounts(second, into: first))
    try await pair.share()
    #expect(try pair.balance(first) == 2_000 - 130)
    #expect(try pair.balance(second) == 0)
    #expect(try pair.both { try $0.accounts().count { $0.name == "Purse" } } == 1)
    #expect(try pair.both { try $0.assertions().map(\.account) } == [first])
    // No two get one name by hand, also where two had it.
    await #expect(throws: DaybookError.self) {
      try await pair.laptop.undo(commit: merged.token.sequence)
    }
    try await pair.laptop.append(.amendAccount(first, AccountChange(name: "Wallet")))
    try await pair.laptop.undo(commit: merged.token.sequence)
    try await pair.share()
    #expect(try pair.balance(first) == 900)
    #expect(try pair.balance(second) == 970)
  }

  @Test func whatIsMergedHereAndRecordedThereIsMergedAgain() async throws {
    let pair = try await pair()
    try await pair.record(
      phone: [.mergeCategories(pair.food, into: pair.home)],
      laptop: [
        .record(.expense(Money(300, .eur), from: pair.cash, category: pair.food, on: day))
      ])
    func spent(_ id: CategoryID) throws -> Int {
      try pair.both { try $0.count(TransactionFilter(category: id)) }
    }
    #expect(try spent(pair.food) == 1)
    try await pair.record(phone: [.mergeCategories(pair.food, into: pair.home)], laptop: [])
    #expect(try spent(pair.food) == 0)
    #expect(try spent(pair.home) == 2)
    #expect(try pair.balance(pair.cash) == 8_500)
  }

  @Test func twoCategoriesNeverGoBelowEachOther() async throws {
    let pair = try await pair()
    try await pair.record(
      phone: [.amendCategory(pair.food, CategoryChange(parent: .some(pair.fun)))],
      laptop: [.amendCategory(pair.fun, CategoryChange(parent: .some(pair.food)))])
    #expect(try pair.both { try $0.category(pair.food)?.parent } == pair.fun)
    #expect(try pair.both { try $0.category(pair.fun)?.parent } == nil)
    #expect(try await pair.findings() == ["cycle parent"])
  }

  @Test func whatIsBelowADeletedCategoryIsBelowTheNearestThatIsThere() async throws {
    let pair = try await pair()
    let lunches = CategoryID(EntityID(high: 8, low: 1))
    try await pair.record(
      phone: [.deleteCategory(pair.food, .move(to: pair.home))],
      laptop: [
        .createCategory(
          NewCategory(id: lunches, name: "Lunch", kind: .expense, parent: pair.food)),
        .record(.expense(Money(50, .eur), from: pair.cash, category: lunches, on: day)),
      ])
    #expect(try pair.both { try $0.category(lunches)?.parent } == nil)
    #expect(try pair.balance(pair.cash) == 8_750)
  }
}
