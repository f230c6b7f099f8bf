/// Goal: every limit of the face holds at the limit, one below and one above. Method: each is tried
/// with harmless content; what is refused leaves no trace.
import Daybook
import Testing

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
      let points = LedgerLimits.seriesPointCountMax + excess
      let range = day("1900-01-01")..<day("1900-01-01").adding(days: points)
      #expect(code { _ = try $0.balanceSeries(of: a, over: range) } == expected)
      let first = Month(year: 1, month: 1)
      #expect(code { _ = try $0.months(first..<first.adding(points), today: today) } == expected)
      #expect(code { _ = try $0.netWorthSeries(over: first..<first.adding(points)) } == expected)
    }
    #expect(code { _ = try $0.transactions(limit: -1) } == .invalidQuery)
    #expect(code { _ = try $0.transactions(offset: -1, limit: 1) } == .invalidQuery)
    #expect(code { _ = try $0.sections(limit: -1) } == .invalidQuery)
    let nobody = AccountID(EntityID(high: 5, low: 5))
    #expect(code { _ = try $0.balance(of: nobody, on: today) } == .invalidQuery)
    #expect(code { _ = try $0.count(TransactionFilter(account: nobody)) } == .invalidQuery)
    try await house.end()
  }
}
