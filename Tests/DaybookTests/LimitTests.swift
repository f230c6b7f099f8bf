/// Goal: every limit of the face holds at the limit, one below and one above. Method: each is tried
/// with harmless content; what is refused leaves no trace.
import Testing

@testable import Daybook

@Suite struct LimitTests {
  @Test func appending() async throws {
    let house = try await House()
    let before = try house.ledger.token
    func code(_ commands: [Command], author: String? = nil, key: String? = nil) async
      -> DaybookError.Code?
    {
      do throws(DaybookError) {
        try await house.ledger.append(commands, author: author, key: key)
        return nil
      } catch {
        return error.code
      }
    }
    // Settings as they are: accepted, and nothing to record.
    let idle = Command.setSettings(SettingsChange())
    var keys: [(String, DaybookError.Code?)] = []
    for (excess, expected) in [(-1, nil), (0, nil), (1, .limitExceeded)]
      as [(Int, DaybookError.Code?)]
    {
      let commands = [Command](repeating: idle, count: Limits.commandCountMax + excess)
      #expect(await code(commands) == expected)
      let author = String(repeating: "a", count: LedgerLimits.authorByteCountMax + excess)
      #expect(await code([idle], author: author) == expected)
      let key = String(repeating: "k", count: LedgerLimits.keyByteCountMax + excess)
      #expect(await code([idle], author: author) == expected)
      #expect(try house.ledger.token == before)
      keys.append((key, expected))
    }
    #expect(await code([idle], key: "") == .limitExceeded)
    #expect(try house.ledger.token == before)
    for (key, expected) in keys { #expect(await code([idle], key: key) == expected) }
    try await house.end()
  }

  @Test func asking() async throws {
    let house = try await House()
    let a = try await house.account("A")
    try await house.expense(money("1"), from: a)
    let food = try await house.category("Food")
    let budget = try await house.budget("Food", money("200"), on: [food])
    func code(_ query: (borrowing Snapshot) throws -> Void) -> DaybookError.Code? {
      do {
        try house.ledger.read(query)
        return nil
      } catch {
        return (error as? DaybookError)?.code
      }
    }
    for (excess, expected) in [(-1, nil), (0, nil), (1, .invalidQuery)]
      as [(Int, DaybookError.Code?)]
    {
      let rows = LedgerLimits.pageRowCountMax + excess
      #expect(code { _ = try $0.transactions(limit: rows) } == expected)
      #expect(code { _ = try $0.transactions(offset: 0, limit: rows) } == expected)
      let days = LedgerLimits.sectionCountMax + excess
      #expect(code { _ = try $0.sections(limit: days) } == expected)
      let text = String(repeating: "x", count: LedgerLimits.searchTextByteCountMax + excess)
      #expect(code { _ = try $0.count(TransactionFilter(text: text)) } == expected)
      #expect(
        code { _ = try $0.payees(startingWith: text, today: today) } == expected)
      #expect(code { _ = try $0.payees(limit: rows, today: today) } == expected)
      let apart = LedgerLimits.duplicateDistanceMax + excess
      #expect(code { _ = try $0.duplicates(in: always, distance: apart) } == expected)
      #expect(code { _ = try $0.duplicates(in: always, limit: rows) } == expected)
      #expect(code { _ = try $0.rulePreview(limit: rows) } == expected)
      let points = LedgerLimits.seriesPointCountMax + excess
      let range = day("1900-01-01")..<day("1900-01-01").adding(days: points)
      #expect(code { _ = try $0.balanceSeries(of: a, over: range) } == expected)
      let first = Month(year: 1, month: 1)
      #expect(code { _ = try $0.months(first..<first.adding(points), today: today) } == expected)
      #expect(code { _ = try $0.netWorthSeries(over: first..<first.adding(points)) } == expected)
      #expect(
        code {
          _ = try $0.trend(of: food, over: first..<first.adding(points), today: today)
        } == expected)
      #expect(
        code { _ = try $0.budgetHistory(of: budget, limit: points, today: today) } == expected)
      // The first and the last day are points, too.
      let last = today.adding(days: points - 1)
      #expect(code { _ = try $0.forecast(of: a, through: last, today: today) } == expected)
    }
    #expect(code { _ = try $0.transactions(limit: -1) } == .invalidQuery)
    #expect(code { _ = try $0.transactions(offset: -1, limit: 1) } == .invalidQuery)
    #expect(code { _ = try $0.sections(limit: -1) } == .invalidQuery)
    let nobody = AccountID(EntityID(high: 5, low: 5))
    #expect(code { _ = try $0.balance(of: nobody, on: today) } == .invalidQuery)
    #expect(code { _ = try $0.count(TransactionFilter(account: nobody)) } == .invalidQuery)
    try await house.end()
  }

  @Test @MainActor func listsThatAreHeld() async throws {
    let house = try await House()
    for excess in [-1, 0, 1] {
      let rows = LedgerLimits.pagerRowCountMax + excess
      let pager = TransactionPager(house.ledger, pageSize: rows)
      #expect(pager.pageSize == min(rows, LedgerLimits.pagerRowCountMax))
      let months = LedgerLimits.windowMonthCountMax + excess
      let window = TransactionWindow(house.ledger, today: today)
      window.monthCount = months
      #expect(window.monthCount == min(months, LedgerLimits.windowMonthCountMax))
    }
    #expect(TransactionPager(house.ledger, pageSize: 0).pageSize == 1)
    try await house.end()
  }

  /// With more changes than a list is corrected by, it is read anew.
  @Test func changesOfAList() async throws {
    let house = try await House()
    let a = try await house.account("A")
    let most = LedgerLimits.listChangeCountMax
    for excess in [-1, 0, 1] {
      let before = try house.ledger.token
      try await house.ledger.append(
        (0..<most + excess).map { _ in .record(.expense(money("1"), from: a, on: today)) })
      let changes = try house.ledger.read { try $0.transactionChanges(since: before, .all) }
      #expect(changes?.count == (excess > 0 ? nil : most + excess))
    }
    try await house.end()
  }

  /// What is known already is a part of a window as if it had been read; only the last rows are.
  @Test func rowsOfAWindow() async throws {
    let house = try await House()
    let a = try await house.account("A")
    try await house.expense(money("1"), from: a, on: "2026-02-10")
    let days = day("2026-02-01")..<day("2026-03-01")
    var known = try house.ledger.read { try WindowRequest(filter: .all, days: days).answer($0) }
    let row = try #require(known.rows.first)
    let most = LedgerLimits.windowRowCountMax
    known.rows = Array(repeating: row, count: most - 2)
    for expected in [nil, nil, .limitExceeded] as [DaybookError.Code?] {
      try await house.expense(money("2"), from: a, on: "2026-02-12")
      do {
        known = try house.ledger.read {
          try WindowRequest(filter: .all, days: days, known: known).answer($0)
        }
        #expect(expected == nil)
      } catch { #expect((error as? DaybookError)?.code == expected) }
    }
    #expect(known.rows.count == most)
    try await house.end()
  }
}
