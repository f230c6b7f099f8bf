/// Goal: what the scenarios leave to the rules: nothing is made twice, links, forecasts, and what can't be
/// made. Method: as in `RecurringScenarios`.
import Daybook
import Testing

extension RecurringScenarios {
  @Test func whatWasMadeOnceIsNeverMadeAgain() async throws {
    let house = try await House()
    let a = try await house.account("A")
    let id = try await house.series(
      "1", from: a, anchor: "2025-09-10", every: Schedule(.month), ahead: 0)
    try await house.generate()
    // Deleted, moved, unlinked, and skipped.
    try await house.append(.delete(try house.row(due: "2025-09-10", of: id)))
    try await house.append(
      .amend(try house.row(due: "2025-10-10", of: id), Amendment(day: day("2026-02-12"))))
    try await house.append(.unlink(try house.row(due: "2025-11-10", of: id)))
    try await house.append(.skipOccurrence(SeriesLink(id, due: day("2025-12-10"))))
    let left = ["2025-11-10", "2026-01-10", "2026-02-10", "2026-02-12"]
    #expect(try house.days() == left)
    #expect(try await house.generate().recorded.isEmpty)
    // Whoever puts an old copy back does not bring them back either.
    var series = try house.stored(id)
    series.skipped = []
    series.name = "Rent again"
    try await house.append(.putSeries(series))
    #expect(try await house.generate().recorded.isEmpty)
    try await house.ends { snapshot throws in
      #expect(try snapshot.daysOfRows() == left)
      #expect(
        try snapshot.occurrences(of: id).map { "\($0.due)" } == [
          "2025-10-10", "2026-01-10", "2026-02-10",
        ])
    }
  }

  @Test func aLinkedTransactionTakesItsDueDay() async throws {
    let house = try await House()
    let a = try await house.account("A")
    let row = try await house.expense(money("98"), from: a, on: "2026-02-12")
    let other = try await house.expense(money("99"), from: a, on: "2026-02-13")
    let id = try await house.series(
      "100", from: a, anchor: "2026-02-10", every: Schedule(.month), ahead: 0)
    let link = SeriesLink(id, due: day("2026-02-10"))
    try await house.append(.link(row, link))
    #expect(try await house.generate().recorded.isEmpty)
    // One row a due day.
    await #expect(throws: DaybookError.self) { try await house.append(.link(other, link)) }
    try await house.append(.unlink(row))
    try await house.append(.unskipOccurrence(link))
    try await house.append(.link(other, link))
    #expect(try await house.generate().recorded.isEmpty)
    try await house.ends { snapshot throws in
      #expect(
        try snapshot.occurrences(of: id) == [Occurrence(due: link.occurrence, transaction: other)])
      #expect(try snapshot.transaction(row)?.series == nil)
    }
  }

  @Test func upcomingAndForecast() async throws {
    let house = try await House()
    let a = try await house.account("A", opening: "1000")
    let d = try await house.account("D", opening: "50", in: usd)
    let rent = try await house.series("100", from: a, anchor: "2026-02-20", every: Schedule(.month))
    try await house.generate()
    let late = try await house.series(
      "7", from: a, anchor: "2026-02-14", every: Schedule(every: 2, .week), ahead: 0)
    var pay = Series(
      id: .unassigned, name: "Dollars",
      template: SeriesTemplate(
        type: .transfer, amount: money("450"), account: a, otherAccount: d),
      schedule: Schedule(.month), anchor: day("2026-03-01"))
    pay.skipped = [day("2026-04-01")..<day("2026-04-02")]
    try await house.append(.putSeries(pay))
    try await house.ends { snapshot throws in
      let next = try snapshot.upcoming(through: day("2026-04-02"), today: today, account: a)
      #expect(
        next.map { "\($0.day) \($0.series.name)\($0.isOverdue ? " overdue" : "")" } == [
          "2026-02-14 Rent overdue", "2026-02-20 Rent", "2026-02-28 Rent", "2026-03-01 Dollars",
          "2026-03-14 Rent", "2026-03-20 Rent", "2026-03-28 Rent",
        ])
      #expect(next.map(\.series.id).prefix(2) == [late, rent])
      #expect(next.map { $0.transaction != nil }.prefix(3) == [false, true, false])
      let forecast = try snapshot.forecast(of: a, through: day("2026-03-02"), today: today)
      let changes = forecast.balances.enumerated().filter { index, point in
        index == 0 || forecast.balances[index - 1].total != point.total
      }
      #expect(
        changes.map { "\($0.element.day) \($0.element.total.units)" } == [
          "2026-02-15 100000", "2026-02-16 99300", "2026-02-20 89300", "2026-02-28 88600",
          "2026-03-01 43600",
        ])
      let dollars = try snapshot.forecast(of: d, through: day("2026-03-02"), today: today)
      #expect(dollars.balances.last?.total == total("51", usd))
      #expect(dollars.unconverted.isEmpty)
    }
  }

  @Test func whatCannotBeGeneratedIsNamedAndTheOthersGoOn() async throws {
    let house = try await House(rates: false)
    let d = try await house.account("D", in: usd)
    let first = try await house.series("1", from: d, anchor: "2026-02-10", every: Schedule(.month))
    _ = try await house.series("2", from: nil, anchor: "2026-02-11", every: Schedule(.month))
    let report = try await house.generate()
    #expect(report.recorded.count == 2)
    #expect(report.faults.map(\.occurrence) == [SeriesLink(first, due: day("2026-02-10"))])
    #expect(report.faults.first?.code == .noRate)
    try await house.append(.closePeriod(through: day("2026-02-10")))
    try await house.append(try house.rate(usd, kzt, "450", "2000-01-01"))
    try await house.generate()
    try await house.ends { snapshot throws in
      #expect(
        try snapshot.daysOfRows() == ["2026-02-11", "2026-03-10", "2026-03-11"])
    }
  }

  @Test func aRepeatedAppendTellsWhatWasGenerated() async throws {
    let house = try await House()
    _ = try await house.series("1", from: nil, anchor: "2026-01-10", every: Schedule(.month))
    let commands: [Command] = [
      .generateDue(through: today), .record(.expense(money("5"), on: today)),
    ]
    let first = try await house.ledger.append(commands, key: "once")
    let second = try await house.ledger.append(commands, key: "once")
    #expect(second.isRepeat)
    #expect(first.generations.first?.recorded.count == 3)
    #expect(second.generations == first.generations)
    #expect(second.transactions == first.transactions)
    try await house.end()
  }

  @Test func oneCommandGeneratesSoManyRowsAndSaysThatThereAreMore() async throws {
    let house = try await House()
    let most = Limits.generatedCountMax
    let anchor = today.adding(days: -most)
    _ = try await house.series("1", from: nil, anchor: "\(anchor)", every: Schedule(.day), ahead: 0)
    for day in [today.adding(days: -2), today.adding(days: -1), today] {
      let distance = anchor.distance(to: day) + 1
      let ledger = try await Ledger.inMemory(options: House.options())
      let series = try house.ledger.read { snapshot throws in try snapshot.series() }
      try await ledger.append(.putSeries(series[0]))
      let report = try #require(
        try await ledger.append(.generateDue(through: day)).generations.first)
      #expect(report.recorded.count == min(distance, most))
      #expect(report.hasMore == (distance > most))
      if report.hasMore {
        let rest = try await ledger.append(.generateDue(through: day)).generations.first
        #expect(rest?.recorded.count == distance - most)
        #expect(rest?.hasMore == false)
      }
      try await ledger.close()
    }
    try await house.end()
  }

  @Test func paymentsWithoutAnAccountAreThoseOfOutside() async throws {
    let house = try await House()
    let a = try await house.account("A")
    _ = try await house.series("1", from: nil, anchor: "2026-02-10", every: Schedule(.month))
    try await house.generate()
    try await house.ends { snapshot throws in
      // One is recorded ahead, one is not recorded yet.
      let last = day("2026-04-10")
      let outside = try snapshot.upcoming(through: last, today: today, account: .outside)
      #expect(outside == (try snapshot.upcoming(through: last, today: today)))
      #expect(outside.map { $0.transaction != nil } == [true, false])
      #expect(try snapshot.upcoming(through: last, today: today, account: a).isEmpty)
    }
  }

  @Test func undoingAGenerationLetsItBeMadeAgain() async throws {
    let house = try await House()
    _ = try await house.series("1", from: nil, anchor: "2026-01-10", every: Schedule(.month))
    try await house.generate()
    let days = try house.days()
    try await house.ledger.undo(commit: try house.ledger.token.sequence)
    #expect(try house.days().isEmpty)
    // A series whose rows are there can't be taken back.
    try await house.generate()
    await #expect(throws: DaybookError.self) { try await house.ledger.undo(commit: 2) }
    try await house.ends { snapshot throws in #expect(try snapshot.daysOfRows() == days) }
  }

  @Test(arguments: [false, true])
  func bringingARowBackTakesBackOnlyWhatItsDeletionSkipped(isSkipped: Bool) async throws {
    let house = try await House()
    let a = try await house.account("A", opening: "100")
    let id = try await house.series("1", from: a, anchor: "2026-01-10", every: Schedule(.month))
    let due = SeriesLink(id, due: day("2026-01-10"))
    if isSkipped { try await house.append(.skipOccurrence(due)) }
    let row = try await house.expense(money("1"), from: a, on: "2026-01-11")
    try await house.append(.link(row, due))
    try await house.append(.delete(row))
    #expect(try house.ledger.read { try $0.isSkipped(due) })
    try await house.ledger.restore(entity: row.rawValue)
    try await house.ends { snapshot throws in
      #expect(try snapshot.isSkipped(due) == isSkipped)
      #expect(try snapshot.series(id)?.skipped == [])
    }
  }

  @Test(arguments: [false, true]) func aGeneratedRowComesBackWithItsDueDay(isUndone: Bool)
    async throws
  {
    let house = try await House()
    let a = try await house.account("A", opening: "100")
    let id = try await house.series(
      "1", from: a, anchor: "2026-01-10", every: Schedule(.month), ahead: 0)
    try await house.generate()
    let row = try house.row(due: "2026-01-10", of: id)
    let due = SeriesLink(id, due: day("2026-01-10"))
    let days = try house.days()
    try await house.append(.delete(row))
    #expect(try house.ledger.read { try $0.isSkipped(due) })
    if isUndone {
      try await house.ledger.undo(commit: try house.ledger.token.sequence)
    } else {
      try await house.ledger.restore(entity: row.rawValue)
    }
    #expect(try await house.generate().recorded.isEmpty)
    try await house.ends { snapshot throws in
      #expect(try !snapshot.isSkipped(due))
      #expect(try snapshot.daysOfRows() == days)
    }
  }
}
