/// Goal: transactions due on weekends and holidays move to a business day, and are recorded once whatever
/// changes. Method: days known by hand, most of them from bug reports about other programs, through the
/// public API, with the common ending.
import Daybook
import Testing

@Suite struct BusinessDayScenarios {
  private func rule(_ text: String) throws -> Schedule { try RecurrenceRule(text).schedule }

  /// The recorded transactions as `due→day`.
  private func rows(_ house: House, _ id: SeriesID) throws -> [String] {
    try house.ledger.read { snapshot throws in
      try snapshot.occurrences(of: id).map { row in
        let day = try #require(try snapshot.transaction(row.transaction)).day
        return row.due == day ? "\(day)" : "\(row.due)→\(day)"
      }
    }
  }

  @Test func weekendsMoveAcrossTheEndOfAMonth() async throws {
    let house = try await House()
    // 2026-01-31 is a Saturday, 2026-02-01 and 2026-03-01 are Sundays.
    let after = try await house.series(
      "1", from: nil, anchor: "2026-01-31", every: Schedule(.month), ahead: 1
    ) { $0.weekends = .after }
    let before = try await house.series(
      "2", from: nil, anchor: "2026-02-01", every: Schedule(.month), ahead: 1
    ) { $0.weekends = .before }
    try await house.generate()
    #expect(try rows(house, after) == ["2026-01-31→2026-02-02", "2026-02-28→2026-03-02"])
    #expect(try rows(house, before) == ["2026-02-01→2026-01-30", "2026-03-01→2026-02-27"])
    try await house.ends { snapshot throws in
      #expect(
        try snapshot.daysOfRows() == ["2026-01-30", "2026-02-02", "2026-02-27", "2026-03-02"])
    }
  }

  @Test func aDueDateIsRecordedOnItsBusinessDay() async throws {
    // Before: on the Friday, although the due date is still to come, and although it is before the
    // first due date (firefly-iii #5907, actualbudget/actual #2737).
    let house = try await House()
    let early = try await house.series(
      "1", from: nil, anchor: "2026-02-15", every: Schedule(.month), ahead: 0
    ) { $0.weekends = .before }
    let late = try await house.series(
      "2", from: nil, anchor: "2026-02-14", every: Schedule(.month), ahead: 0
    ) { $0.weekends = .after }
    try await house.generate("2026-02-12")
    #expect(try rows(house, early).isEmpty)
    try await house.generate("2026-02-13")
    #expect(try rows(house, early) == ["2026-02-15→2026-02-13"])
    // After: not before the Monday, but expected on it (firefly-iii #2043, #8616).
    try await house.generate("2026-02-15")
    #expect(try rows(house, late).isEmpty)
    let expected = try house.ledger.read { snapshot throws in
      try snapshot.upcoming(through: day("2026-02-28"), today: day("2026-02-15"))
    }
    #expect(
      expected.map { "\($0.due) \($0.day) \($0.isOverdue)" } == ["2026-02-14 2026-02-16 false"])
    try await house.generate("2026-02-16")
    #expect(try rows(house, late) == ["2026-02-14→2026-02-16"])
    try await house.end()
  }

  @Test func aMovedDueDateIsSkippedAndTheNextOneComes() async throws {
    // actualbudget/actual #4023, #6270: the moved day led back to the same due date.
    let house = try await House()
    let pay = try await house.series(
      "1", from: nil, anchor: "2026-01-31", every: try rule("FREQ=MONTHLY;BYMONTHDAY=-1"), ahead: 1
    ) { $0.weekends = .before }
    try await house.generate("2026-02-15")
    #expect(
      try rows(house, pay) == ["2026-01-31→2026-01-30", "2026-02-28→2026-02-27"])
    try await house.append(.skipOccurrence(SeriesLink(pay, due: day("2026-02-28"))))
    try await house.generate("2026-02-28")
    #expect(try rows(house, pay) == ["2026-01-31→2026-01-30", "2026-03-31"])
    try await house.append(.unskipOccurrence(SeriesLink(pay, due: day("2026-02-28"))))
    try await house.generate("2026-02-28")
    #expect(
      try rows(house, pay) == ["2026-01-31→2026-01-30", "2026-02-28→2026-02-27", "2026-03-31"])
    try await house.end()
  }

  @Test func holidaysNeitherDoubleNorLoseAnOccurrence() async throws {
    let house = try await House()
    let pay = try await house.series(
      "1", from: nil, anchor: "2026-01-01", every: Schedule(.month), ahead: 2
    ) { $0.weekends = .after }
    let holidays = ["2026-01-01", "2026-01-02", "2026-03-02"].map { day($0) }
    try await house.append(.setSettings(SettingsChange(addedHolidays: holidays)))
    let before = try house.ledger.read { snapshot throws in snapshot.token }
    try await house.generate("2026-01-10")
    let all = ["2026-01-01→2026-01-05", "2026-02-01→2026-02-02", "2026-03-01→2026-03-03"]
    #expect(try rows(house, pay) == all)
    // Recorded transactions stay; later ones follow the new holidays.
    try await house.append(
      .setSettings(
        SettingsChange(addedHolidays: [day("2026-04-01")], removedHolidays: holidays)))
    try await house.generate("2026-02-10")
    #expect(try rows(house, pay) == all + ["2026-04-01→2026-04-02"])
    let past = try house.ledger.read(asOf: before) { snapshot throws in
      try snapshot.settings().holidays
    }
    #expect(past == holidays)
    try await house.ends { snapshot throws in
      #expect(try snapshot.settings().holidays == [day("2026-04-01")])
      #expect(try snapshot.count() == 4)
    }
  }

  @Test func aRehearsalShowsTheMovedDay() async throws {
    let house = try await House()
    _ = try await house.series(
      "1", from: nil, anchor: "2026-02-14", every: Schedule(.month), ahead: 0
    ) { $0.weekends = .after }
    let rehearsal = try await house.ledger.rehearse([
      .setSettings(SettingsChange(addedHolidays: [day("2026-02-16")])),
      .generateDue(through: day("2026-02-16")),
    ])
    #expect(rehearsal.compactMap(\.generation).first?.recorded.isEmpty == true)
    let later = try await house.ledger.rehearse([
      .setSettings(SettingsChange(addedHolidays: [day("2026-02-16")])),
      .generateDue(through: day("2026-02-17")),
    ])
    #expect(later.compactMap(\.generation).first?.recorded.count == 1)
    #expect(try house.days().isEmpty)
    try await house.end()
  }

  @Test func aChangedPolicyMovesPlannedTransactionsInItsScope() async throws {
    let house = try await House()
    let id = try await house.series(
      "1", from: nil, anchor: "2026-02-01", every: Schedule(.month), ahead: 2)
    try await house.generate("2026-02-10")
    var changed = try house.stored(id)
    changed.weekends = .after
    let moved = try await house.append(.amendSeries(changed, .future(from: day("2026-02-10"))))
    #expect(try rows(house, id) == ["2026-02-01", "2026-03-01→2026-03-02", "2026-04-01"])
    try await house.ledger.undo(commit: moved.token.sequence)
    #expect(try rows(house, id) == ["2026-02-01", "2026-03-01", "2026-04-01"])
    #expect(try house.stored(id).weekends == .keep)
    try await house.end()
  }

  @Test func severalDueDatesInAMonthAreRecordedOnceEach() async throws {
    // actualbudget/actual #3892: the second due date of a month was lost.
    let house = try await House()
    let id = try await house.series(
      "1", from: nil, anchor: "2026-01-15", every: try rule("FREQ=MONTHLY;BYMONTHDAY=15,-1"),
      ahead: 1
    ) { $0.weekends = .before }
    for on in ["2026-01-31", "2026-02-15", "2026-02-15"] { try await house.generate(on) }
    let all = ["2026-01-15", "2026-01-31→2026-01-30", "2026-02-15→2026-02-13"]
    #expect(try rows(house, id) == all + ["2026-02-28→2026-02-27"])
    // From the 15th and last day to the last Friday: nothing before it is recorded again.
    var changed = try house.stored(id)
    changed.schedule = try rule("FREQ=MONTHLY;BYDAY=-1FR")
    try await house.append(.amendSeries(changed, .future(from: day("2026-02-16"))))
    try await house.generate("2026-03-01")
    #expect(try rows(house, id) == all + ["2026-02-27", "2026-03-27"])
    try await house.ends { snapshot throws in
      #expect(try snapshot.count() == 5)
      #expect(try snapshot.series(id)?.rrule == "FREQ=MONTHLY;BYDAY=-1FR")
    }
  }
}
