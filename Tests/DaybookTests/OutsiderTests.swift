/// Goal: what outsiders found wrong stays right. Method: each is asked for what was accepted, or told
/// badly, before.
import Daybook
import Foundation
import Testing

@Suite struct OutsiderTests {
  private func code(_ body: () async throws -> Void) async -> DaybookError.Code? {
    do { try await body() } catch { return (error as? DaybookError)?.code }
    return nil
  }

  @Test func lessThanNothingIsNoRetention() async throws {
    let house = try await House()
    let ledger = house.ledger
    let before = try ledger.retention()
    for policy in [RetentionPolicy.count(-1), .age(seconds: -1), .bytes(.min)] {
      #expect(await code { try await ledger.setRetention(policy) } == .invalidQuery)
      var options = PurgeOptions()
      options.policy = policy
      #expect(await code { try await ledger.purge(options) } == .invalidQuery)
    }
    #expect(try ledger.retention() == before)
    try await ledger.setRetention(.count(0))
    try await house.end()
  }

  @Test func thereIsNoCommitZeroToTakeBack() async throws {
    let house = try await House()
    let error = await #expect(throws: DaybookError.self) {
      try await house.ledger.undo(commit: 0)
    }
    #expect(error?.code == .invalidToken && error?.message.contains("commit 0") == true)
    try await house.end()
  }

  @Test func whatNeverWasCannotBeErased() async throws {
    let house = try await House()
    let a = try await house.account("A")
    let before = try house.ledger.token
    for (kind, id) in [
      (EntityKind.transaction, EntityID(high: 9, low: 9)), (.category, a.rawValue),
      (.account, AccountID.outside.rawValue),
    ] {
      let error = await #expect(throws: DaybookError.self) {
        try await house.ledger.erase(kind, id)
      }
      #expect(error?.code == .refused && error?.refusal?.code == .missing)
    }
    #expect(try house.ledger.token == before)
    // What was there and has been deleted can.
    let row = try #require(
      try await house.append(.record(.expense(money("1"), from: a, on: today, payee: "p")))
        .transactions.first)
    try await house.append(.delete(row))
    let receipt = try await house.ledger.erase(.transaction, row.rawValue)
    #expect(receipt.changeCount > 0)
    try await house.end()
  }

  @Test func aLedgerInMemoryIsRemovedWhenItIsClosed() async throws {
    let ledger = try await Ledger.inMemory()
    let path = ledger.path
    #expect(FileManager.default.fileExists(atPath: path))
    try await ledger.append(.openAccount(NewAccount(name: "A", currency: kzt)))
    try await ledger.close()
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func theIndexAndTheMessageSayTheSameCommand() async throws {
    let house = try await House()
    let error = await #expect(throws: DaybookError.self) {
      try await house.append(
        .openAccount(NewAccount(name: "A", currency: kzt)),
        .openAccount(NewAccount(name: "", currency: kzt)),
        .openAccount(NewAccount(name: "B", currency: kzt)))
    }
    #expect(error?.commandIndex == 1 && error?.message.hasPrefix("Command 2 of 3: ") == true)
    try await house.end()
  }

  @Test func negativeCountsAreRefusedEverywhere() async throws {
    let house = try await House()
    let days = today.monthOf.days
    try await house.ends { snapshot throws in
      func code(_ body: () throws -> Void) -> DaybookError.Code? {
        do { try body() } catch { return (error as? DaybookError)?.code }
        return nil
      }
      let asked = [
        code { _ = try snapshot.topCategories(in: days, currency: kzt, limit: -1, today: today) },
        code {
          _ = try snapshot.growthStreak(
            through: today.monthOf, currency: kzt, limit: -1, today: today)
        },
        code { _ = try snapshot.runway(in: kzt, averagedOver: -1, today: today) },
        code { _ = try snapshot.runway(in: kzt, averagedOver: 0, today: today) },
        code { _ = try snapshot.dormantAccounts(days: -1, today: today) },
        code {
          _ = try snapshot.baseInsights(today.monthOf, topCategoryLimit: -1, today: today)
        },
        code { _ = try snapshot.payees(limit: -1, today: today) },
        code { _ = try snapshot.duplicates(in: days, limit: -1) },
      ]
      #expect(asked.allSatisfy { $0 == .invalidQuery }, "\(asked)")
    }
  }
}
