/// Goal: a pager does what a list view relies on: one fetch for one change of mind, the place kept, no
/// answer to a question that is not asked any more, and errors that pass.
/// Method: small ledgers whose rows are known, a gate in front of fetches where they have to be slow, and
/// the counts of fetches. Conditions are waited for; time decides nothing.
import Daybook
import Observation
import Testing

@Suite(.timeLimit(.minutes(5))) @MainActor struct PagerTests {
  @Test func pagesComeAsTheReaderNearsTheEnd() async throws {
    let (house, _, pager) = try await shelf(45)
    #expect(pager.sections.isEmpty && !pager.isLoading && pager.fetchCount == 0)
    await pager.refresh()
    #expect(pager.rows.count == 10 && pager.hasMore && !pager.hasNewer && pager.count == 45)
    pager.reached(pager.rows[2])
    #expect(!pager.isLoadingMore)
    pager.reached(pager.rows[5])
    #expect(pager.isLoadingMore && !pager.isLoading)
    await pager.settled()
    #expect(!pager.isLoadingMore && pager.rows.count > 10)
    var seen: [String] = pager.rows.map(\.transaction.description)
    while pager.hasMore {
      pager.reached(try #require(pager.rows.last))
      await pager.settled()
      #expect(pager.rows.count <= 40)
      for row in pager.rows where !seen.contains(row.transaction.description) {
        seen.append(row.transaction.description)
      }
    }
    #expect(seen == (0..<45).map { "row \($0)" })
    #expect(pager.hasNewer)
    while pager.hasNewer {
      pager.reached(try #require(pager.rows.first))
      await pager.settled()
    }
    #expect(pager.rows.first?.transaction.description == "row 0")
    try await house.end()
  }

  @Test func severalFiltersAtOnceAreOneFetch() async throws {
    let (house, account, pager) = try await shelf(20)
    await pager.refresh()
    #expect(pager.fetchCount == 1)
    pager.account = account
    pager.text = "row 1"
    pager.type = .expense
    pager.days = today.adding(days: -15)..<today
    pager.currency = kzt
    #expect(pager.isLoading && pager.rows.count == 10)
    await pager.settled()
    #expect(pager.fetchCount == 2 && !pager.isLoading)
    #expect(
      pager.rows.map(\.transaction.description) == [1, 10, 11, 12, 13, 14, 15].map { "row \($0)" })
    #expect(pager.count == 7)
    pager.text = pager.text
    await pager.settled()
    #expect(pager.fetchCount == 2)
    try await house.end()
  }

  @Test func whatIsSupersededIsNeverShown() async throws {
    let (house, _, pager) = try await shelf(20)
    var shown: [[String]] = []
    pager.onChange = { [unowned pager] _ in
      shown.append(pager.rows.map(\.transaction.description))
    }
    let (gate, arrived) = (Gateway(), Tally())
    pager.hold {
      arrived.add()
      await gate.pass()
    }
    pager.text = "row 3"
    while arrived.count < 1 { await Task.yield() }
    pager.text = "row 4"
    while arrived.count < 2 { await Task.yield() }
    pager.text = "row 5"
    // The main actor was never held up; everything goes on at once now.
    gate.open()
    await pager.settled()
    #expect(shown == [["row 5"]])
    #expect(pager.fetchCount == 3 && pager.count == 1)
    try await house.end()
  }

  @Test func observersHearOfWhatTheyRead() async throws {
    let (house, _, pager) = try await shelf(5)
    let changes = Tally()
    withObservationTracking {
      _ = pager.sections
    } onChange: {
      changes.add()
    }
    await pager.refresh()
    #expect(changes.count == 1)
    // What comes out the same is not told.
    withObservationTracking {
      _ = (pager.sections, pager.count, pager.hasMore, pager.error)
    } onChange: {
      changes.add()
    }
    await pager.refresh()
    #expect(changes.count == 1)
    try await house.end()
  }

  @Test func whoRefreshesDoesNotWaitForCommitsToCease() async throws {
    let (house, account, pager) = try await shelf(5)
    let following = Task { await pager.run() }
    try await pager.rest()
    let ledger = house.ledger
    let writing = Task.detached {
      let command = Command.record(.expense(money("1"), from: account, on: today))
      while !Task.isCancelled { try await ledger.append(command) }
    }
    for _ in 0..<20 { await pager.refresh() }
    #expect(!pager.isLoading)
    writing.cancel()
    try? await writing.value
    following.cancel()
    await following.value
    try await house.end()
  }

  @Test func anEmptyLedgerIsAnEmptyList() async throws {
    let house = try await House()
    let pager = TransactionPager(house.ledger)
    #expect(await pager.jump(to: today) == nil)
    #expect(pager.sections.isEmpty && pager.count == 0 && !pager.hasMore && !pager.hasNewer)
    #expect(pager.error == nil && !pager.isLoading)
    let following = Task { await pager.run() }
    let account = try await house.account("A")
    try await house.expense(money("1"), from: account)
    try await pager.rest()
    #expect(pager.rows.count == 1 && pager.count == 1)
    following.cancel()
    await following.value
    try await house.end()
  }

  @Test func thePlaceIsKept() async throws {
    let (house, account, pager) = try await shelf(60)
    let following = Task { await pager.run() }
    try await pager.rest()
    let target = await pager.jump(to: today.adding(days: -30))
    #expect(pager.rows.first { $0.id == target }?.transaction.description == "row 30")
    // As many rows either side as there are in a page.
    #expect(pager.rows.map(\.transaction.description) == (20..<40).map { "row \($0)" })
    pager.showing(from: pager.rows[10], to: pager.rows[14])
    await pager.refresh()
    #expect(pager.rows.map(\.transaction.description) == (20..<45).map { "row \($0)" })
    var told: [TransactionListDifference] = []
    pager.onChange = { told.append($0) }
    // Far above and far below: nothing here has changed.
    try await house.append(
      .record(.expense(money("2"), from: account, on: today)),
      .record(.expense(money("2"), from: account, on: today.adding(days: -58))))
    try await pager.rest()
    #expect(told.isEmpty && pager.count == 62)
    // Right above the rows in view.
    let above = try await house.expense(money("3"), from: account, on: "\(today.adding(days: -29))")
    try await pager.rest()
    #expect(pager.rows[9].transaction.description == "row 29" && pager.rows[8].id == above)
    #expect(pager.rows[10].transaction.description == "row 30")
    #expect(told.count == 1 && told[0].insertedRows.count == 1 && told[0].removedRows.isEmpty)
    // The first row in view goes: the reader stays where it was.
    let first = pager.rows[10].id
    try await house.append(.delete(first))
    try await pager.rest()
    #expect(pager.rows.firstIndex { $0.transaction.description == "row 31" } == 10)
    // One in view moves to another day that is held.
    told = []
    let moved = try #require(pager.rows.first { $0.transaction.description == "row 33" })
    try await house.append(.amend(moved.id, Amendment(day: today.adding(days: -35))))
    try await pager.rest()
    let row = try #require(pager.rows.first { $0.id == moved.id })
    #expect(row.transaction.day == today.adding(days: -35))
    #expect(pager.sections.first { $0.day == row.transaction.day }?.count == 2)
    #expect(told.count == 1)
    following.cancel()
    await following.value
    try await house.end()
  }

  @Test func aJumpFindsTheDayOrTheNextOlder() async throws {
    let (house, account, pager) = try await shelf(30)
    let old = try await house.expense(money("1"), from: account, on: "2020-01-01")
    #expect(await pager.jump(to: day("2022-06-01")) == old)
    #expect(await pager.jump(to: day("2019-01-01")) == old)
    #expect(pager.hasNewer && !pager.hasMore)
    let newest = await pager.jump(to: day("2050-01-01"))
    #expect(newest == pager.rows.first?.id && !pager.hasNewer)
    // A jump that another overtakes is not shown.
    let (gate, arrived) = (Gateway(), Tally())
    pager.hold {
      arrived.add()
      await gate.pass()
    }
    let overtaken = Task { await pager.jump(to: day("2020-01-01")) }
    while arrived.count < 1 { await Task.yield() }
    let last = Task { await pager.jump(to: today) }
    while arrived.count < 2 { await Task.yield() }
    gate.open()
    #expect(await last.value == newest)
    #expect(await overtaken.value == newest)
    try await house.end()
  }
}
