/// Goal: "Two at once" and "Killed between journal and views" of the scenarios hold. Method: tasks
/// append in parallel; a child process is killed between its two commits.
import Daybook
import Foundation
import Testing

@Suite struct ConcurrencyScenarios {
  @Test func twoAtOnce() async throws {
    let house = try await House()
    let a = try await house.account("A", opening: "1000")
    let food = try await house.category("Food")
    let ledger = house.ledger
    async let first = ledger.append(
      .record(.expense(money("100"), from: a, category: food, on: today)))
    async let second = ledger.append(
      .record(.expense(money("50"), from: a, category: food, on: day("2026-02-03"))))
    let hundred = try #require(try await first.transactions.first)
    _ = try await second
    try house.ledger.read { snapshot throws in
      let found = try snapshot.total(of: food, in: month("2026-02").days, today: today)
      #expect(found.total(in: kzt) == total("150"))
      #expect(found.amounts.first?.count == 2)
    }
    try await house.append(.delete(hundred))
    try await house.ends { snapshot throws in
      let found = try snapshot.total(of: food, in: month("2026-02").days, today: today)
      #expect(found.total(in: kzt) == total("50"))
      #expect(found.amounts.first?.count == 1)
    }
  }

  @Test func manyAtOnce() async throws {
    let house = try await House()
    let a = try await house.account("A")
    let food = try await house.category("Food")
    let ledger = house.ledger
    try await withThrowingTaskGroup(of: Void.self) { group in
      for position in 0..<64 {
        group.addTask {
          try await ledger.append(
            .record(
              .expense(
                money("1.00"), from: a, category: food, on: today,
                description: "row \(position)")))
        }
      }
      try await group.waitForAll()
    }
    try await house.ends { snapshot throws in
      #expect(try snapshot.count() == 64)
      #expect(try snapshot.balance(of: a, on: today) == total("-64.00"))
    }
  }
}
