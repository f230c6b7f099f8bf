/// Goal: "Recurring" of the scenarios holds, and what a series made once it never makes again. Method:
/// each is told through the public API with the amounts of the text, and has the common ending.
import Daybook
import Testing

extension House {
  /// A monthly expense.
  func series(
    _ amount: String, from account: AccountID?, anchor: String, every schedule: Schedule,
    ahead: Int64 = 1, _ adjust: (inout Series) -> Void = { _ in }
  ) async throws -> SeriesID {
    var series = Series(
      id: .unassigned, name: "Rent",
      template: SeriesTemplate(type: .expense, amount: money(amount), account: account),
      schedule: schedule, anchor: day(anchor))
    series.ahead = ahead
    adjust(&series)
    let receipt = try await append(.putSeries(series))
    guard case .entity(.series, let id) = try #require(receipt.outcomes.first) else {
      preconditionFailure("no series: \(receipt)")
    }
    return SeriesID(id)
  }

  @discardableResult
  func generate(_ on: String = "2026-02-15") async throws -> GenerationReport {
    try #require(try await append(.generateDue(through: day(on))).generations.first)
  }

  /// The days of all rows, oldest first.
  func days() throws -> [String] {
    try ledger.read { snapshot throws in try snapshot.daysOfRows() }
  }

  func stored(_ id: SeriesID) throws -> Series {
    try #require(try ledger.read { snapshot throws in try snapshot.series(id) })
  }

  func row(due: String, of id: SeriesID) throws -> TransactionID {
    let rows = try ledger.read { snapshot throws in try snapshot.occurrences(of: id) }
    return try #require(rows.first { $0.due == day(due) }).transaction
  }
}

extension Snapshot {
  borrowing func daysOfRows() throws -> [String] {
    try transactions(limit: 1_000).map { "\($0.day)" }.reversed()
  }

  /// What all rows move out of Outside, an account or wherever: the sum of the expenses.
  borrowing func spentEver() throws -> Total {
    try totals(in: always, today: day("2200-01-01")).first?.expense
      ?? Total(units: 0, currency: kzt)
  }
}

@Suite struct RecurringScenarios {
  @Test func futureOccurrencesAreNotSpending() async throws {
    let house = try await House()
    let a = try await house.account("A")
    _ = try await house.series(
      "6000", from: a, anchor: "2026-02-15", every: Schedule(.month), ahead: 35)
    #expect(try await house.generate().recorded.count == 36)
    try await house.ends { snapshot throws in
      #expect(try snapshot.totals(in: always, today: today).first?.expense == total("6000"))
      #expect(try snapshot.balance(of: a, on: today) == total("-6000"))
      let past = TransactionFilter(days: always.lowerBound..<today.adding(days: 1))
      #expect(try snapshot.count(past) == 1)
      #expect(try snapshot.planned(in: always, today: today).first?.expense == total("210000"))
      let march = day("2026-03-15")
      #expect(try snapshot.totals(in: always, today: march).first?.expense == total("12000"))
      let next = try snapshot.upcoming(through: day("2026-04-15"), today: today)
      #expect(next.map(\.day) == [march, day("2026-04-15")])
      #expect(next.allSatisfy { $0.transaction != nil })
    }
  }

  @Test func generationIsIdempotent() async throws {
    let house = try await House()
    let a = try await house.account("A")
    _ = try await house.series("100", from: a, anchor: "2025-12-10", every: Schedule(.month))
    let wanted = ["2025-12-10", "2026-01-10", "2026-02-10", "2026-03-10"]
    try await house.generate()
    #expect(try house.days() == wanted)
    try await house.generate()
    // Twice at once.
    let ledger = house.ledger
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      for _ in 0..<8 { tasks.addTask { try await ledger.append(.generateDue(through: today)) } }
      try await tasks.waitForAll()
    }
    #expect(try house.days() == wanted)
    try await house.reopen()
    #expect(try await house.generate().recorded.isEmpty)
    try await house.importRows([spending("5", from: a, on: "2026-02-03")])
    #expect(try await house.generate().recorded.isEmpty)
    try await house.ends { snapshot throws in
      #expect(try snapshot.daysOfRows().filter { $0 != "2026-02-03" } == wanted)
    }
  }

  @Test func yearly() async throws {
    let house = try await House()
    _ = try await house.series("100", from: nil, anchor: "2025-06-01", every: Schedule(.year))
    try await house.generate()
    try await house.ends { snapshot throws in
      #expect(try snapshot.daysOfRows() == ["2025-06-01", "2026-06-01"])
    }
  }

  @Test func changeOfTheStart() async throws {
    let house = try await House()
    let id = try await house.series(
      "15", from: nil, anchor: "2026-01-15", every: Schedule(.month))
    let now = day("2026-01-25")
    try await house.generate("2026-01-25")
    #expect(try house.days() == ["2026-01-15", "2026-02-15"])
    var series = try house.stored(id)
    series.anchor = day("2026-02-20")
    try await house.append(.amendSeries(series, .future(from: now)), .generateDue(through: now))
    try await house.ends { snapshot throws in
      #expect(try snapshot.daysOfRows() == ["2026-01-15", "2026-02-20"])
    }
  }

  @Test func anEarlierStartDoesNotBillThePastTwice() async throws {
    let house = try await House()
    let id = try await house.series(
      "15", from: nil, anchor: "2025-12-15", every: Schedule(.month))
    try await house.generate("2026-01-25")
    var series = try house.stored(id)
    series.anchor = day("2025-12-10")
    try await house.append(
      .amendSeries(series, .future(from: day("2026-01-26"))),
      .generateDue(through: day("2026-01-25")))
    try await house.ends { snapshot throws in
      #expect(try snapshot.daysOfRows() == ["2025-12-15", "2026-01-15", "2026-02-10"])
    }
  }

  @Test(arguments: [true, false]) func deleteASeries(withRows: Bool) async throws {
    let house = try await House()
    let a = try await house.account("A", opening: "10000")
    let id = try await house.series(
      "1000", from: a, anchor: "2025-12-10", every: Schedule(.month), ahead: 0)
    try await house.generate()
    #expect(try house.balance(a) == total("7000"))
    try await house.append(.removeSeries(id, withRows: withRows))
    try await house.generate()
    try await house.ends { snapshot throws in
      #expect(try snapshot.balance(of: a, on: today) == total(withRows ? "10000" : "7000"))
      let rows = try snapshot.transactions(limit: 10)
      #expect(rows.count == (withRows ? 0 : 3))
      #expect(rows.allSatisfy { $0.series == nil && $0.occurrence == nil })
      #expect(try snapshot.spentEver() == total(withRows ? "0" : "3000"))
      #expect(try snapshot.upcoming(through: day("2027-01-01"), today: today).isEmpty)
    }
  }

  @Test func monthEnds() async throws {
    let house = try await House()
    _ = try await house.series("1", from: nil, anchor: "2026-01-31", every: Schedule(.month))
    try await house.generate("2026-06-29")
    try await house.ends { snapshot throws in
      #expect(
        try snapshot.daysOfRows() == [
          "2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31", "2026-06-30",
        ])
    }
  }

  @Test(arguments: [0, 1, 2]) func raisingAnAmount(which: Int) async throws {
    let house = try await House()
    let a = try await house.account("A")
    let id = try await house.series("1000", from: a, anchor: "2025-12-10", every: Schedule(.month))
    try await house.generate()
    var series = try house.stored(id)
    series.template.amount = money("1500")
    let scopes: [SeriesScope] = [.seriesOnly, .future(from: today), .all(from: today)]
    try await house.append(.amendSeries(series, scopes[which]), .generateDue(through: today))
    let expected = ["4000", "4500", "6000"][which]
    try await house.ends { snapshot throws in
      #expect(try snapshot.count() == 4)
      #expect(try snapshot.spentEver() == total(expected))
      #expect(try snapshot.series(id)?.template.amount == money("1500"))
    }
  }

  @Test func pausingRemovesTheFutureRowAndResumingDoesNotBillTheGap() async throws {
    let house = try await House()
    let id = try await house.series("1", from: nil, anchor: "2026-01-10", every: Schedule(.month))
    try await house.generate()
    #expect(try house.days() == ["2026-01-10", "2026-02-10", "2026-03-10"])
    try await house.append(.pauseSeries(id, after: today))
    #expect(try house.days() == ["2026-01-10", "2026-02-10"])
    try await house.generate("2026-04-20")
    #expect(try house.days() == ["2026-01-10", "2026-02-10"])
    let resumed = try await house.append(.resumeSeries(id, on: day("2026-05-01")))
    #expect(resumed.generations.first?.recorded.count == 1)
    try await house.generate("2026-05-01")
    try await house.ends { snapshot throws in
      #expect(try snapshot.daysOfRows() == ["2026-01-10", "2026-02-10", "2026-05-10"])
    }
  }

  @Test func stoppingKeepsThatDaysRow() async throws {
    let house = try await House()
    let id = try await house.series(
      "1", from: nil, anchor: "2026-01-15", every: Schedule(.month), ahead: 3)
    try await house.generate()
    #expect(try house.days().count == 5)
    try await house.append(.stopSeries(id, after: day("2026-03-15")))
    try await house.generate("2027-01-01")
    try await house.ends { snapshot throws in
      #expect(try snapshot.daysOfRows() == ["2026-01-15", "2026-02-15", "2026-03-15"])
    }
  }
}
