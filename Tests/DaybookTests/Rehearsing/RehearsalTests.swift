// Goal: a rehearsal tells exactly the figures that the write then changes, and leaves no trace. Method: seeded
// random commands are rehearsed and then recorded; the figures are compared with sums over all rows before and
// after, which know nothing of projections.
import Daybook
import DaybookRandom
import Foundation
import Testing

@Suite struct RehearsalTests {
  private static let compared: Set<FigureChange.Figure> = [
    .balance, .plannedBalance, .netWorth, .income, .expense, .category,
  ]

  /// A ledger with accounts, categories and some rows, and random commands on it.
  private struct World {
    let house: House
    var random: SeededGenerator
    var accounts: [AccountID] = []
    var expenses: [CategoryID] = []
    var incomes: [CategoryID] = []

    init(seed: UInt64) async throws {
      house = try await House()
      random = SeededGenerator(seed: seed)
      accounts = [
        try await house.account("A", opening: "100"), try await house.account("B"),
        try await house.account("C", in: usd, kind: .liability),
      ]
      expenses = [try await house.category("Food"), try await house.category("Rent")]
      incomes = [try await house.category("Pay", .income)]
    }

    mutating func command() throws -> Command {
      let rows = try house.ledger.read { try $0.transactions(limit: 1_000) }
      let account = accounts[random.number(0...1)]
      let amount = Money(Int64(random.number(1...90_000)), kzt)
      let on = today.adding(days: random.number(-70...20))
      switch random.number(1...10) {
      case 1...3:
        return .record(
          .expense(amount, from: account, category: expenses.randomElement(using: &random), on: on))
      case 4: return .record(.income(amount, into: account, category: incomes[0], on: on))
      case 5: return .record(.transfer(amount, from: accounts[0], to: accounts[1], on: on))
      case 6: return .record(.refund(amount, into: account, category: expenses[0], on: on))
      case 7:
        guard let row = rows.randomElement(using: &random) else { fallthrough }
        return .amend(row.id, Amendment(day: on))
      case 8:
        guard let row = rows.randomElement(using: &random) else { fallthrough }
        return .delete(row.id)
      case 9: return .setOpening(account, amount, random.chance(50) ? on : nil)
      default:
        return .openAccount(NewAccount(name: "N\(random.next())", currency: kzt, opening: amount))
      }
    }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func tellsWhatThenChanges(seed: UInt64) async throws {
    var world = try await World(seed: seed)
    let ledger = world.house.ledger
    for step in 1...40 {
      var commands = [try world.command()]
      // Ids of what is new differ, so an account is opened with an id that is known.
      if case .openAccount(var new) = commands[0] {
        new.id = .random()
        commands = [.openAccount(new)]
      }
      let before = try NaiveFigures(ledger, today: today)
      let token = try ledger.token
      let rehearsal = try await ledger.figures(changedBy: commands, today: today)
      #expect(rehearsal.token == token)
      #expect(try ledger.token == token, "a rehearsal is no commit")
      #expect(try NaiveFigures(ledger, today: today).sums == before.sums)
      try await ledger.append(commands)
      let expected = before.changes(to: try NaiveFigures(ledger, today: today))
      var told: [NaiveFigures.Key: (Int128?, Int128?)] = [:]
      for change in rehearsal.figures where Self.compared.contains(change.figure) {
        let key = NaiveFigures.Key(
          figure: change.figure.rawValue, subject: change.subject.map { "\($0)" } ?? "",
          month: change.month.map { "\($0)" } ?? "",
          currency: try #require(change.before ?? change.after).currency)
        told[key] = (change.before?.units, change.after?.units)
      }
      #expect(
        Self.text(told) == Self.text(expected), "seed \(seed), step \(step): \(commands)")
    }
    #expect(try await ledger.verify().findings.isEmpty)
    try await world.house.end()
  }

  private static func text(_ changes: [NaiveFigures.Key: (Int128?, Int128?)]) -> [String] {
    changes.sorted { $0.key < $1.key }.map { key, sides in
      func text(_ side: Int128?) -> String { side.map { "\($0)" } ?? "none" }
      return
        "\(key.figure) \(key.subject) \(key.month) \(key.currency): \(text(sides.0)) → \(text(sides.1))"
    }
  }

  @Test func anUndoIsRehearsedAsItIsDone() async throws {
    let house = try await House()
    let account = try await house.account("A", opening: "50")
    let food = try await house.category("Food")
    let id = try await house.expense(money("20"), from: account, food)
    let commit = try house.ledger.token.sequence
    let rehearsal = try await house.ledger.figures(changedByUndoing: commit, today: today)
    #expect(
      rehearsal.figures.first
        == FigureChange(
          figure: .balance, subject: account.rawValue, before: total("30"), after: total("50")))
    #expect(try house.ledger.read { try $0.transaction(id) } != nil)
    try await house.ledger.undo(commit: commit)
    #expect(try house.ledger.read { try $0.balance(of: account, on: today) } == total("50"))
    try await house.end()
  }

  @Test func aChangeOfABudgetNamesTheFiguresOfThatBudget() async throws {
    let house = try await House()
    let account = try await house.account("A")
    let (food, fuel) = (try await house.category("Food"), try await house.category("Fuel"))
    try await house.expense(money("30"), from: account, food)
    try await house.expense(money("20"), from: account, fuel)
    let budget = Budget(
      name: "Food", categories: [food], amount: money("100"), period: .monthly(resetDay: 1))
    let other = Budget(
      name: "Fuel", categories: [fuel], amount: money("50"), period: .monthly(resetDay: 1))
    try await house.append(.putBudget(budget), .putBudget(other))
    func changes(_ command: Command) async throws -> [FigureChange] {
      try await house.ledger.figures(changedBy: [command], today: today).figures
    }
    func change(
      _ figure: FigureChange.Figure, _ before: String, _ after: String?
    ) -> FigureChange {
      FigureChange(
        figure: figure, subject: budget.entityID, before: total(before),
        after: after.map { total($0) })
    }
    var wider = budget
    wider.categories = [food, fuel]
    #expect(
      try await changes(.putBudget(wider)) == [
        change(.budgetSpent, "30", "50"), change(.budgetRemaining, "70", "50"),
      ])
    var larger = budget
    larger.amount = money("150")
    #expect(try await changes(.putBudget(larger)) == [change(.budgetRemaining, "70", "120")])
    #expect(
      try await changes(.removeBudget(budget.id)) == [
        change(.budgetSpent, "30", nil), change(.budgetRemaining, "70", nil),
      ])
    var renamed = budget
    renamed.name = "Meals"
    #expect(try await changes(.putBudget(renamed)).isEmpty)
    try await house.end()
  }

  @Test func whatIsRefusedOrLateIsToldAsAppendDoes() async throws {
    let house = try await House()
    let account = try await house.account("A")
    let old = try house.ledger.token
    try await house.expense(money("1"), from: account)
    let commands = [Command.record(.expense(money("2"), from: account, on: today))]
    await #expect {
      try await house.ledger.figures(changedBy: commands, expecting: old, today: today)
    } throws: { ($0 as? DaybookError)?.code == .conflict }
    await #expect {
      try await house.ledger.figures(changedBy: [.delete(.random())], today: today)
    } throws: { ($0 as? DaybookError)?.refusal?.code == .missing }
    // The writer goes on as before.
    try await house.ledger.append(commands)
    #expect(try house.ledger.read { try $0.balance(of: account, on: today) } == total("-3"))
    try await house.end()
  }

  @Test func appendsAndRehearsalsTakeTurns() async throws {
    let house = try await House()
    let account = try await house.account("A")
    let ledger = house.ledger
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 1...60 {
        group.addTask {
          let command = Command.record(.income(money("1"), into: account, on: today))
          if number % 2 == 0 {
            try await ledger.append(command)
          } else {
            let rehearsal = try await ledger.figures(changedBy: [command], today: today)
            let change = rehearsal.figures.first { $0.figure == .balance }
            let (before, after) = (change?.before?.units ?? 0, change?.after?.units ?? 0)
            #expect(after - before == 100)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try ledger.read { try $0.balance(of: account, on: today) } == total("30"))
    #expect(try await ledger.verify().findings.isEmpty)
    try await house.end()
  }
}
