/// Goal: goals need in each month what their definitions and reports of other programs' mistakes say.
/// Method: small households with figures by hand; each ends as the scenarios do.
import Daybook
import Testing

@Suite struct EnvelopeGoalTests {
  typealias Home = EnvelopeTests.Home

  /// What the goal of Food needs, in minor units.
  private func needed(
    _ home: Home, _ texts: String..., today: Day = today
  ) throws -> [Int128?] {
    try home.house.ledger.read { snapshot in
      try texts.map { text in
        let found = try snapshot.envelopes(
          over: month(text)..<month(text).adding(1), today: today)[0]
        return found.envelopes.first { $0.category.id == home.food }?.needed?.units
      }
    }
  }

  private func goal(
    _ home: Home, _ kind: EnvelopeGoal.Kind, _ amount: String
  ) async throws {
    try await home.house.append(.setGoal(EnvelopeGoal(kind, money(amount)), for: home.food))
  }

  @Test func withoutAGoalNothingIsNeeded() async throws {
    let home = try await Home()
    #expect(try needed(home, "2026-02") == [nil])
    try await goal(home, .monthly, "10")
    #expect(try needed(home, "2026-02") == [1_000])
    try await home.house.append(.removeGoal(of: home.food))
    #expect(try needed(home, "2026-02") == [nil])
    try await home.house.end()
  }

  /// 100.00 by April from February on: 33.34, 33.33 and 33.33, and nothing later.
  @Test func anAmountByADayIsSpreadEvenly() async throws {
    let home = try await Home()
    try await goal(home, .byDay(day("2026-04-15")), "100")
    // Without any assignment, the remaining months have to make up for it.
    #expect(
      try needed(home, "2026-02", "2026-03", "2026-04", "2026-05") == [3_334, 5_000, 10_000, 0])
    try await home.assign("33.34", home.food, "2026-02")
    #expect(try needed(home, "2026-02", "2026-03", "2026-04") == [0, 3_333, 6_666])
    try await home.assign("33.33", home.food, "2026-03")
    #expect(try needed(home, "2026-03", "2026-04") == [0, 3_333])
    try await home.assign("33.33", home.food, "2026-04")
    #expect(try needed(home, "2026-04", "2026-05") == [0, 0])
    try await home.house.end()
  }

  /// actual #1771: 50 by January from October on; 12.50 and 60 are assigned, so December needs nothing.
  @Test func anEnvelopeWithEnoughNeedsNothing() async throws {
    let home = try await Home()
    try await goal(home, .byDay(day("2026-01-01")), "50")
    #expect(try needed(home, "2025-10") == [1_250])
    try await home.assign("12.50", home.food, "2025-10")
    try await home.assign("60", home.food, "2025-11")
    #expect(try needed(home, "2025-11", "2025-12", "2026-01") == [0, 0, 0])
    try await home.house.end()
  }

  /// What is spent on the way has to be given again.
  @Test func spendingBeforeTheDayIsMissingAgain() async throws {
    let home = try await Home()
    try await goal(home, .byDay(day("2026-03-31")), "100")
    try await home.assign("50", home.food, "2026-02")
    #expect(try needed(home, "2026-02", "2026-03") == [0, 5_000])
    try await home.house.expense(money("20"), from: home.checking, home.food, on: "2026-02-03")
    // 120 in two months are 60 a month, of which 50 are there.
    #expect(try needed(home, "2026-02", "2026-03") == [1_000, 7_000])
    try await home.house.end()
  }

  /// An amount each month is needed whatever is left; moves count like assignments.
  @Test func anAmountEachMonth() async throws {
    let home = try await Home()
    try await goal(home, .monthly, "100")
    try await home.assign("130", home.food, "2026-01")
    try await home.assign("60", home.food, "2026-02")
    #expect(try needed(home, "2026-01", "2026-02", "2026-03") == [0, 4_000, 10_000])
    try await home.house.append(
      .moveMoney(money("15"), from: home.food, to: home.rent, in: month("2026-02")))
    #expect(try needed(home, "2026-02") == [5_500])
    try await home.house.end()
  }

  /// actual #6032 and #2742: an envelope that carried the balance over needs nothing; what is spent this
  /// month, even too much, is needed again.
  @Test func aBalanceToKeep() async throws {
    let home = try await Home()
    try await goal(home, .balance, "100")
    try await home.assign("100", home.food, "2026-01")
    #expect(try needed(home, "2026-01", "2026-02") == [0, 0])
    try await home.house.expense(money("90"), from: home.checking, home.food, on: "2026-01-20")
    #expect(try needed(home, "2026-01", "2026-02") == [9_000, 9_000])
    try await home.house.expense(money("20"), from: home.checking, home.food, on: "2026-02-03")
    #expect(try needed(home, "2026-02") == [11_000])
    // Uncovered overspending isn't carried, so the next month starts from nothing.
    #expect(try needed(home, "2026-03") == [10_000])
    try await home.carry(home.food)
    #expect(try needed(home, "2026-03") == [11_000])
    try await home.house.end()
  }

  @Test func goalsAreInTheHistoryAndUndone() async throws {
    let home = try await Home()
    try await goal(home, .monthly, "100")
    let later = EnvelopeGoal(.byDay(day("2026-12-01")), money("900"))
    let receipt = try await home.house.append(.setGoal(later, for: home.food))
    var cursor = try home.house.ledger.history(before: nil).cursor()
    let difference = try #require(try cursor.next()?.changes.first?.differences.first)
    #expect(difference.name == "goal")
    #expect(difference.before == .goal(EnvelopeGoal(.monthly, money("100"))))
    #expect(difference.after == .goal(later))
    try await home.house.ledger.undo(commit: receipt.token.sequence)
    try await home.house.ends { snapshot throws in
      #expect(try snapshot.category(home.food)?.goal == EnvelopeGoal(.monthly, money("100")))
    }
  }

  @Test func aDryRunShowsWhatIsNeeded() async throws {
    let home = try await Home()
    let february = month("2026-02")
    try await goal(home, .monthly, "100")
    let assign = Command.assign(money("40"), to: home.food, in: february)
    let changes = try await home.house.ledger.figures(changedBy: [assign], today: today).figures
    #expect(
      changes.first { $0.figure == .needed }
        == FigureChange(
          figure: .needed, subject: home.food.rawValue, month: february,
          before: total("100"), after: total("60")))
    try await home.house.end()
  }

  @Test func whatIsRefused() async throws {
    let home = try await Home()
    let salary = try await home.house.category("Salary", .income)
    let far = Day(rawValue: .max)
    let cases: [(EnvelopeGoal, CategoryID, Refusal.Code)] = [
      (EnvelopeGoal(.monthly, money("1")), salary, .kind),
      (EnvelopeGoal(.monthly, Money(0, kzt)), home.food, .value),
      (EnvelopeGoal(.balance, Money(-1, kzt)), home.food, .negative),
      (EnvelopeGoal(.balance, money("1", usd)), home.food, .currencyMismatch),
      (EnvelopeGoal(.byDay(far), money("1")), home.food, .day),
      (EnvelopeGoal(.monthly, money("1")), .uncategorizedExpense, .builtin),
    ]
    for (goal, category, code) in cases {
      let error = await #expect(throws: DaybookError.self) {
        try await home.house.append(.setGoal(goal, for: category))
      }
      #expect(error?.refusal?.code == code, "\(goal)")
    }
    try await home.house.end()
  }
}
