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

  /// The child is killed at a named point of the writer's work.
  ///
  /// Before the journal's commit nothing is there, after it everything is, wherever the views were
  /// left.
  @Test(arguments: [
    ("before journal commit", 0), ("after journal commit", 1), ("before views commit", 1),
    ("after views commit", 1),
  ])
  func killedBetweenJournalAndViews(point: String, count: Int) async throws {
    let house = try await House()
    let a = try await house.account("A", opening: "100")
    try await house.expense(money("1"), from: a, on: "2026-02-01")
    try await house.ledger.close()
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = house.path as String, point = point as String, text = a.description as String] in
      var options = Ledger.Options()
      options.adjustsEngine = { engine in
        engine.trace = { if $0 == point { kill(getpid(), SIGKILL) } }
      }
      let ledger = try await Ledger.open(at: path, options: options)
      guard let account = AccountID(text) else { return }
      try await ledger.append(.record(.expense(money("20"), from: account, on: today)))
      // Waits for the views.
      _ = try ledger.read { try $0.count() }
    }
    house.ledger = try await Ledger.open(at: house.path, options: House.options())
    try await house.ends { snapshot throws in
      #expect(try snapshot.count() == 1 + count)
      let left = total(count == 0 ? "99" : "79")
      #expect(try snapshot.balance(of: a, on: today) == left)
      let february = try snapshot.totals(in: month("2026-02").days, today: today)
      #expect(february.first?.count == 1 + count)
      #expect(february.first?.expense == total(count == 0 ? "1" : "21"))
    }
  }
}
