// Goal: of a commit with many changes the first can be read without the rest, from history and as commits come.
// Method: what is read of commits of seven hundred changes and of one is held against the whole.
import Daybook
import Testing

@Suite struct HistoryBeginningTests {
  private func entries(_ history: LedgerHistory) throws -> [HistoryEntry] {
    var found: [HistoryEntry] = []
    var cursor = history.cursor()
    while let entry = try cursor.next() { found.append(entry) }
    return found
  }

  @Test func ofLargeCommitsTheBeginningCanBeRead() async throws {
    let house = try await House(rates: false)
    let a = try await house.account("A")
    let start = try house.ledger.token
    try await house.ledger.append(
      (0..<700).map { _ in .record(.expense(money("1"), from: a, on: today)) })
    try await house.ledger.append(.openAccount(NewAccount(name: "B", currency: kzt)))
    let whole = try entries(try house.ledger.history(after: start))
    var filter = HistoryFilter()
    filter.changeCountMax = 3
    let begun = try entries(try house.ledger.history(after: start, matching: filter))
    #expect(begun.map(\.header) == whole.map(\.header))
    #expect(begun.map(\.changes) == whole.map { Array($0.changes.prefix(3)) })
    let newest = try entries(try house.ledger.history(before: nil, matching: filter))
    #expect(newest.prefix(2).map(\.changes) == begun.reversed().map(\.changes))
    filter.changeCountMax = 0
    #expect(try entries(try house.ledger.history(matching: filter)).allSatisfy(\.changes.isEmpty))
    filter.changeCountMax = 2
    filter.kinds = [.transaction]
    #expect(
      try entries(try house.ledger.history(after: start, matching: filter)).map(\.changes.count)
        == [2])
    filter.kinds = nil
    filter.authors = ["nobody"]
    #expect(try entries(try house.ledger.history(matching: filter)).isEmpty)
    var live = house.ledger.changes(after: start, changeCountMax: 3).makeAsyncIterator()
    #expect(try await live.next() == begun[0])
    // Undoing is decided by what commits say of themselves, and told with all they did.
    #expect(try house.ledger.nextUndo() == whole[1])
    try await house.ledger.undo(commit: whole[1].sequence)
    #expect(try house.ledger.nextUndo() == whole[0])
    try await house.end()
  }
}
