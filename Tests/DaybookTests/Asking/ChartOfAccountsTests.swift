// Goal: the chart of accounts is decoded again when an account or category has changed, and only then. Method:
// the same object is looked for after commits of every sort, of this process and another, after a rebuild, and
// beside a snapshot of the past; what is told is compared with what was recorded.

import Testing

@testable import Daybook

@Suite struct ChartOfAccountsTests {
  private func chart(_ ledger: Ledger) throws -> ChartOfAccounts {
    try ledger.read { try $0.chartOfAccounts() }
  }

  @Test func commitsThatChangeNoAccountLeaveIt() async throws {
    let house = try await House()
    let account = try await house.account("A")
    let food = try await house.category("Food")
    let kept = try chart(house.ledger)
    let row = try await house.expense(money("5"), from: account, food)
    #expect(try chart(house.ledger) === kept)
    try await house.append(.amend(row, Amendment(day: day("2026-01-01"))))
    try await house.append(.delete(row))
    try await house.append(.setSettings(SettingsChange(baseCurrency: .some(eur))))
    #expect(try chart(house.ledger) === kept)
    try await house.end()
  }

  @Test func commitsThatChangeOneAreSeen() async throws {
    let house = try await House()
    let account = try await house.account("A")
    let food = try await house.category("Food")
    var last = try chart(house.ledger)
    for change in [
      Command.amendAccount(account, AccountChange(name: "B")), .closeAccount(account),
      .amendCategory(food, CategoryChange(name: "Groceries")), .deleteCategory(food, nil),
      .openAccount(NewAccount(name: "C", kind: .asset, currency: kzt, opening: money("0"))),
    ] {
      try await house.append(change)
      let next = try chart(house.ledger)
      #expect(next !== last, "\(change)")
      #expect(try house.ledger.read { try $0.entities(Account.self) } == next.accounts)
      #expect(try house.ledger.read { try $0.entities(Category.self) } == next.categories)
      last = next
    }
    #expect(last.accounts.map(\.name) == ["B", "C"])
    try await house.end()
  }

  @Test func commitsOfAnotherProcessCountAlike() async throws {
    let house = try await House()
    let account = try await house.account("A")
    let kept = try chart(house.ledger)
    await #expect(processExitsWith: .success) { [path = house.path as String] in
      let ledger = try await Ledger.open(at: path, options: House.options())
      let account = try #require(try ledger.read { try $0.accounts() }.first).id
      _ = try await ledger.append(
        .record(.expense(money("5"), from: account, category: nil, on: today)))
      try await ledger.close()
    }
    let (same, balance) = try house.ledger.read {
      (try $0.chartOfAccounts(), try $0.balance(of: account, on: today).units)
    }
    #expect(same === kept && balance == -500)
    await #expect(processExitsWith: .success) { [path = house.path as String] in
      let ledger = try await Ledger.open(at: path, options: House.options())
      let account = try #require(try ledger.read { try $0.accounts() }.first).id
      _ = try await ledger.append(.amendAccount(account, AccountChange(name: "B")))
      try await ledger.close()
    }
    #expect(try house.ledger.read { try $0.account(account)?.name } == "B")
    try await house.end()
  }

  @Test func viewsBuiltAnewAreReadAnew() async throws {
    let house = try await House()
    let account = try await house.account("A")
    let kept = try chart(house.ledger)
    try await house.ledger.rebuild()
    let anew = try chart(house.ledger)
    #expect(anew !== kept && anew.accounts == kept.accounts)
    // What is built anew counts as changed by its last commit, and by no later one.
    try await house.expense(money("5"), from: account)
    #expect(try chart(house.ledger) === anew)
    try await house.end()
  }

  @Test func aSnapshotOfThePastTellsOfThen() async throws {
    let house = try await House()
    let account = try await house.account("A")
    let then = try house.ledger.token
    try await house.append(.amendAccount(account, AccountChange(name: "B")))
    let kept = try chart(house.ledger)
    #expect(try house.ledger.read(asOf: then) { try $0.account(account)?.name } == "A")
    #expect(try chart(house.ledger) === kept)
    #expect(try house.ledger.read { try $0.account(account)?.name } == "B")
    try await house.end()
  }

  /// Two commits apart that is told from the stamps of either, whichever is asked first.
  @Test func anOlderSnapshotIsToldApart() async throws {
    let house = try await House()
    let account = try await house.account("A")
    let ledger = house.ledger
    let old = try ledger.store.view()
    try await house.append(.amendAccount(account, AccountChange(name: "B")))
    let new = try chart(ledger)
    let before = Snapshot(old, cache: ledger.cache)
    #expect(try before.account(account)?.name == "A")
    // It has not taken the place of the newer one.
    #expect(try chart(ledger) === new)
    try await house.end()
  }
}
