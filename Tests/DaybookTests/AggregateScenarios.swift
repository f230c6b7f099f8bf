/// Goal: "Aggregates and filters" of the scenarios hold. Method: each is told through the public
/// API with the amounts of the text, and has the common ending.
import Daybook
import Testing

@Suite struct AggregateScenarios {
  @Test func theFilterIsPartOfTheQuestion() async throws {
    let house = try await House()
    let a = try await house.account("A", opening: "5000")
    let food = try await house.category("Food")
    try await house.expense(money("1000"), from: a, food, on: "2026-01-10")
    try await house.expense(money("200"), from: a, food, on: "2026-02-03")
    try await house.expense(money("30"), from: a, food, on: "2026-02-14")
    let asked = [
      (always, total("1230")), (month("2026-02").days, total("230")),
      (month("2026-01").days, total("1000")),
    ]
    for (days, answer) in asked + asked.reversed() + asked {
      #expect(try house.spent(food, in: days) == answer)
    }
    try await house.ends { snapshot throws in
      for (days, answer) in asked.reversed() {
        let found = try snapshot.total(of: food, in: days, today: today)
        #expect(found.total(in: kzt) == answer)
      }
    }
  }

  @Test func neverAnAnswerFromHalfBuiltViews() async throws {
    let house = try await House()
    let food = try await house.category("Food")
    let a = try await house.account("A")
    let row = Command.record(.expense(money("1.00"), from: a, category: food, on: today))
    try await house.ledger.append([Command](repeating: row, count: 1_000))
    let ledger = house.ledger
    let rebuilding = Task {
      for _ in 0..<3 { try await ledger.rebuild() }
      try await ledger.invalidateBudgets()
    }
    let asking = Task {
      var count = 0
      while !Task.isCancelled {
        do {
          let found = try ledger.read {
            try $0.total(of: food, in: month("2026-02").days, today: today)
          }
          #expect(found.total(in: kzt) == total("1000.00") && found.amounts.first?.count == 1_000)
        } catch let error as DaybookError {
          #expect(error.code == .notReady)
        }
        count += 1
        await Task.yield()
      }
      return count
    }
    try await rebuilding.value
    asking.cancel()
    #expect(try await asking.value > 0)
    try await house.ledger.append(row)
    try await house.ends { snapshot throws in
      let found = try snapshot.total(of: food, in: month("2026-02").days, today: today)
      #expect(found.total(in: kzt) == total("1001.00"))
    }
  }

  @Test @MainActor func allTimeDoesNotDependOnTheWindow() async throws {
    let house = try await House()
    let a = try await house.account("A", opening: "50000")
    try await house.expense(money("10000"), from: a, on: "2024-03-10")
    try await house.expense(money("5000"), from: a, on: "2025-08-01")
    try await house.expense(money("700"), from: a, on: "2026-02-01")
    let loaded = TransactionWindow(house.ledger, today: today)
    await loaded.refresh()
    #expect(loaded.count == 1 && loaded.monthCount == 3)
    let window = loaded.days
    try await house.ends { snapshot throws in
      #expect(try snapshot.transactions(TransactionFilter(days: window), limit: 50).count == 1)
      let asked = [
        (always, "15700"), (day("2025-01-01")..<day("2026-01-01"), "5000"),
        (month("2026-02").days, "700"),
      ]
      for (days, answer) in asked {
        #expect(try snapshot.totals(in: days, today: today).first?.expense == total(answer))
      }
    }
  }

  @Test func aLongRange() async throws {
    let house = try await House()
    let a = try await house.account("A", opening: "500")
    let first = month("2016-03")
    let drafts = (0..<120).map { step in
      Command.record(
        .expense(
          money("1.00"), from: a, category: nil, on: first.adding(step).first.adding(days: 4)))
    }
    try await house.ledger.append(drafts)
    try await house.ends { snapshot throws in
      let days = first.first..<month("2026-03").first
      #expect(try snapshot.totals(in: days, today: today).first?.expense == total("120.00"))
      let months = try snapshot.months(first..<month("2026-03"), today: today)
      #expect(months.count == 120)
      #expect(months.allSatisfy { $0.totals(in: kzt).expense == total("1.00") })
    }
  }

  @Test func seriesOfMonths() async throws {
    let house = try await House()
    let a = try await house.account("A")
    for (on, income, expense) in [
      ("2025-12-05", "10", "4"), ("2026-01-05", "20", "8"), ("2026-02-05", "30", "9"),
    ] {
      try await house.income(money(income), into: a, on: on)
      try await house.expense(money(expense), from: a, on: on)
    }
    try await house.ends { snapshot throws in
      let points = try snapshot.months(month("2025-12")..<month("2026-03"), today: today)
        .map { $0.totals(in: kzt) }
      #expect(points.map(\.income) == [total("10"), total("20"), total("30")])
      #expect(points.map(\.expense) == [total("4"), total("8"), total("9")])
    }
  }

  @Test("an expense that also moves money counts as a transfer for that part")
  func partsThatAreMoved() async throws {
    let house = try await House()
    let (a, b) = (try await house.account("A", opening: "1000"), try await house.account("B"))
    let food = try await house.category("Food")
    func row(_ parts: [(PostingAccount, String)]) -> Command {
      .record(.postings(parts.map { Posting($0.0, money($0.1)) }, on: today))
    }
    try await house.append(
      // 60 spent and 40 moved; 30 spent from both; 5 returned to the account that pays.
      row([(.account(a), "-100"), (.category(food), "60"), (.account(b), "40")]),
      row([(.account(a), "-20"), (.account(b), "-10"), (.category(food), "30")]),
      row([(.account(a), "-15"), (.account(a), "5"), (.category(food), "10")]),
      row([(.account(a), "-7"), (.account(b), "7")]))
    try await house.ends { snapshot throws in
      let found = try snapshot.totals(in: month("2026-02").days, today: today)
      #expect(found.map(\.transfers) == [total("47")])
      #expect(found.map(\.expense) == [total("100")])
      #expect(found.map(\.count) == [4])
      let base = try snapshot.baseMonths(month("2026-02")..<month("2026-03"), today: today)
      #expect(base.map(\.totals.transfers.total) == [total("47")])
    }
  }

  @Test func futureRowsArePlanned() async throws {
    let house = try await House()
    let a = try await house.account("A", opening: "1000")
    let food = try await house.category("Food")
    try await house.expense(money("10"), from: a, food, on: "2026-02-15")
    try await house.expense(money("70"), from: a, food, on: "2026-02-20")
    try await house.ends { snapshot throws in
      let february = month("2026-02").days
      #expect(try snapshot.totals(in: february, today: today).first?.expense == total("10"))
      #expect(try snapshot.planned(in: february, today: today).first?.expense == total("70"))
      let inFood = try snapshot.total(of: food, in: february, today: today)
      #expect(inFood.total(in: kzt) == total("10"))
      let later = try snapshot.months(month("2026-02")..<month("2026-03"), today: day("2026-02-20"))
      #expect(later.first?.totals(in: kzt).expense == total("80"))
      #expect(try snapshot.balance(of: a, on: today) == total("990"))
      #expect(try snapshot.balance(of: a, on: day("2026-02-20")) == total("920"))
    }
  }
}
