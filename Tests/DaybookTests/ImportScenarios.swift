/// Goal: "Import" of the scenarios holds for rows that are already read (files are Interchange's).
/// Method: each is told through `importRows` with the counts of the text, and has the common
/// ending.
import Daybook
import Testing

@Suite struct ImportScenarios {
  private func rows(_ range: Range<Int>, on account: AccountID) -> [ImportRow] {
    range.map { position in
      spending(
        "\(10 + position).25", from: account,
        on: day("2025-10-01").adding(days: position % 100).description, note: "note \(position)")
    }
  }

  @Test func theSameFileAgain() async throws {
    let house = try await House()
    let a = try await house.account("A", opening: "1000")
    let file = rows(0..<100, on: a)
    for expected in [100, 0, 0] {
      let counts = try await house.importRows(file)
      #expect(counts.recorded.count == expected)
      #expect(counts.duplicates.count == 100 - expected)
    }
    let longer = try await house.importRows(rows(0..<150, on: a))
    #expect(longer.recorded.count == 50)
    #expect(longer.duplicates.count == 100)
    try await house.ends { snapshot throws in #expect(try snapshot.count() == 150) }
  }

  @Test func paddingAndCaseDoNotMakeAnotherRow() async throws {
    let house = try await House()
    let a = try await house.account("A")
    #expect(
      try await house.importRows([spending("5", from: a, note: "Coffee")]).recorded.count == 1)
    let again = try await house.importRows([spending("5", from: a, note: "  coffee ")])
    #expect(again.recorded.count == 0)
    #expect(again.duplicates.count == 1)
    let both = try await house.importRows([
      spending("500", from: a, note: "x"), earning("500", into: a, note: "x"),
    ])
    #expect(both.recorded.count == 2)
    try await house.ends { snapshot throws in #expect(try snapshot.count() == 3) }
  }

  @Test func aFingerprintIsCounted() async throws {
    let house = try await House()
    let a = try await house.account("A")
    let twice = [spending("3", from: a, note: "bus"), spending("3", from: a, note: "bus")]
    #expect(try await house.importRows(twice).recorded.count == 2)
    #expect(try await house.importRows(twice).recorded.count == 0)
    #expect(try await house.importRows(twice + [twice[0]]).recorded.count == 1)
    try await house.ends { snapshot throws in #expect(try snapshot.count() == 3) }
  }

  @Test func amendedAndDeletedRowsStayKnown() async throws {
    let house = try await House()
    let a = try await house.account("A")
    let file = [spending("3", from: a, note: "bus"), spending("4", from: a, note: "tram")]
    #expect(try await house.importRows(file).recorded.count == 2)
    let stored = try house.ledger.read { try $0.transactions(limit: 10) }
    try await house.append(.amend(stored[0].id, Amendment(amount: money("9"))))
    try await house.append(.delete(stored[1].id))
    #expect(try await house.importRows(file).recorded.count == 0)
    try await house.ends { snapshot throws in
      #expect(try snapshot.count(TransactionFilter(account: a)) == 1)
    }
  }

  @Test func rowsEnteredByHandCountToo() async throws {
    let house = try await House()
    let a = try await house.account("A")
    let imported = spending("7", from: a, note: "by hand")
    try await house.append(
      .record(
        .expense(
          money("7"), from: a, on: day("2026-02-03"), note: "by hand")))
    let counts = try await house.importRows([imported])
    #expect(counts.recorded.count == 0)
    #expect(counts.duplicates.count == 1)
    try await house.ends { snapshot throws in #expect(try snapshot.count() == 1) }
  }

  @Test func visibleNowDurableLater() async throws {
    let house = try await House()
    var accounts: [AccountID] = []
    for position in 0..<8 { accounts.append(try await house.account("Account \(position)")) }
    var categories: [CategoryID] = []
    var leaves: [CategoryID] = []
    for position in 0..<22 {
      categories.append(try await house.category("Category \(position)"))
    }
    for position in 0..<60 {
      leaves.append(
        try await house.category("Sub \(position)", in: categories[position % 22]))
    }
    var commands: [Command] = []
    for position in 0..<921 {
      commands.append(
        .record(
          .expense(
            money("\(position + 1).50"), from: accounts[position % 8],
            category: leaves[position % 60],
            on: day("2023-08-01").adding(days: position))))
    }
    try await house.ledger.append(commands)
    // 1.50 + 2.50 + … + 921.50
    let sum = total("425041.50")
    try await house.ends { snapshot throws in
      #expect(try snapshot.count() == 921)
      #expect(try snapshot.accounts().count == 8)
      #expect(try snapshot.categories().count == 82)
      #expect(try snapshot.totals(in: always, today: today).first?.expense == sum)
      let whole = try snapshot.breakdown(in: always, kind: .expense, rollUp: true, today: today)
      #expect(whole.count == 22)
      #expect(whole.reduce(0) { $0 + $1.total(in: kzt).units } == sum.units)
      let worth = try snapshot.netWorth(on: today)
      #expect(worth == [Total(units: -sum.units, currency: kzt)])
    }
  }
}
