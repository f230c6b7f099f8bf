/// Goal: the code in the README and in Docs/GettingStarted.md compiles and does what they say. Method: they show each
/// function between the marks word for word, and a test runs it.
import Daybook
import Foundation
import Testing

// snippet: quick-start
func quickStart(at path: String, today: Day) async throws -> String {
  let ledger = try await Ledger.open(at: path)
  let opened = try await ledger.append(
    .openAccount(NewAccount(name: "Checking", currency: .eur)),
    .createCategory(NewCategory(name: "Food", kind: .expense)))
  let (checking, food) = (opened.accounts[0], opened.categories[0])
  // Amounts are in minor units: this is 12.50 EUR. `append` returns when the commit is on disk.
  try await ledger.append(
    .record(.expense(Money(12_50, .eur), from: checking, category: food, on: today)))
  let balance = try ledger.read { try $0.balance(of: checking, on: today) }
  try await ledger.close()
  return balance.description
}
// end

// snippet: lists
func newestPage(of ledger: Ledger, account: AccountID) throws -> [Transaction] {
  try ledger.read { snapshot throws in
    let filter = TransactionFilter(account: account)
    let first = try snapshot.transactions(filter, limit: 50)
    // Pass the last row's key to get the next page. Deep pages take no longer than the first.
    return try snapshot.transactions(filter, after: first.last?.key, limit: 50)
  }
}
// end

// snippet: months
func lastTwelveMonths(of ledger: Ledger, today: Day) throws -> [MonthTotals] {
  try ledger.read { snapshot throws in
    let this = today.monthOf
    return try snapshot.months(this.adding(-11)..<this.adding(1), today: today)
  }
}
// end

// snippet: concurrency
func raise(_ id: TransactionID, to amount: Money, in ledger: Ledger) async throws {
  let seen = try ledger.read { ($0.token, try $0.transaction(id)) }
  guard seen.1 != nil else { return }
  do {
    try await ledger.append([.amend(id, Amendment(amount: amount))], expecting: seen.0)
  } catch {
    // Another writer was faster: read again, then decide again.
    guard error.code == .conflict else { throw error }
  }
}
// end

// snippet: history
func worthThen(_ ledger: Ledger, today: Day) throws -> [Total] {
  // The newest change of all: who made it, and what it was before and after.
  var history = try ledger.history(before: nil).cursor()
  guard let newest = try history.next() else { return [] }
  for change in newest.changes { print(change.kind.name, change.differences) }
  // Any query can be asked of the past, as of any commit.
  return try ledger.read(asOf: ledger.token(at: newest.sequence - 1)) { snapshot in
    try snapshot.netWorth(on: today)
  }
}
// end

// snippet: live
func showNetWorth(of ledger: Ledger, on day: Day, _ show: ([Total]) -> Void) async throws {
  for try await worth in ledger.observe({ try $0.netWorth(on: day) }) { show(worth) }
}

func follow(
  _ ledger: Ledger, after start: Token?, deal: (HistoryEntry) -> Void
) async throws -> Token? {
  var token = start
  for try await entry in ledger.changes(after: token) {
    deal(entry)
    token = entry.token
  }
  return token
}
// end

// snippet: pager
@MainActor func browse(_ ledger: Ledger, account: AccountID) async -> TransactionPager {
  let pager = TransactionPager(ledger)
  // Filters that change together fetch the list once.
  pager.account = account
  pager.type = .expense
  await pager.refresh()
  for section in pager.sections {
    print(section.day, section.count, section.sums)
    for row in section.rows {
      print(row.transaction.description, row.balance?.description ?? "")
      // In SwiftUI this is `.onAppear`: near either end it fetches the next page.
      pager.reached(row)
    }
  }
  await pager.jump(to: Day(year: 2026, month: 1, day: 1) ?? .min)
  return pager
}
// end

@Suite struct ReadmeSnippets {
  @Test func quickStartSaysTheBalance() async throws {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("daybook-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(try await quickStart(at: path, today: today) == "-12.50 EUR")
  }

  @Test func listsAndMonths() async throws {
    let house = try await House()
    let a = try await house.account("A")
    let drafts = (0..<120).map { step in
      Command.record(
        .expense(money("1.00"), from: a, category: nil, on: today.adding(days: -step)))
    }
    try await house.ledger.append(drafts)
    let page = try newestPage(of: house.ledger, account: a)
    #expect(page.count == 50)
    #expect(page.first?.day == today.adding(days: -50))
    let months = try lastTwelveMonths(of: house.ledger, today: today)
    #expect(months.count == 12)
    #expect(months.last?.totals(in: kzt).expense == total("15.00"))
    try await raise(page[0].id, to: money("2.00"), in: house.ledger)
    #expect(try house.balance(a) == total("-121.00"))
    #expect(try worthThen(house.ledger, today: today) == [total("-120.00")])
    try await house.ledger.undo(commit: try house.ledger.token.sequence)
    #expect(try house.balance(a) == total("-120.00"))
    try await house.end()
  }

  @Test @MainActor func aListIsBrowsed() async throws {
    let house = try await House()
    let a = try await house.account("A")
    try await house.ledger.append(
      (0..<120).map { .record(.expense(money("1"), from: a, on: today.adding(days: -$0))) })
    let pager = await browse(house.ledger, account: a)
    await pager.settled()
    #expect(pager.count == 120 && !pager.hasNewer && pager.hasMore)
    #expect(pager.sections.contains { $0.day == day("2026-01-01") })
    try await house.end()
  }

  @Test(.timeLimit(.minutes(5))) func liveGoesOnUntilItIsClosed() async throws {
    let house = try await House()
    let ledger = house.ledger
    let worth = Task {
      var shown: [[Total]] = []
      try await showNetWorth(of: ledger, on: today) { shown.append($0) }
      return shown
    }
    let followed = Task {
      var count = 0
      let token = try await follow(ledger, after: nil) { _ in count += 1 }
      return (token, count)
    }
    try await house.settled(2)
    _ = try await house.account("A", opening: "5")
    try await house.settled(2)
    let last = try ledger.token
    try await ledger.close()
    #expect(try await worth.value.last == [total("5")])
    #expect(try await followed.value.0 == last)
    #expect(try await followed.value.1 == Int(last.sequence))
    try await house.end()
  }

  @Test func theDocumentsShowTheseSnippets() throws {
    try expectSnippets(of: #filePath, in: "Docs/GettingStarted.md", count: 7)
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let readme = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
    let source = try String(contentsOf: URL(fileURLWithPath: #filePath), encoding: .utf8)
    let quickStart = try #require(
      source.components(separatedBy: "// snippet: quick-start\n").last?
        .components(separatedBy: "\n// end").first)
    #expect(readme.contains(quickStart))
  }
}

/// Checks that a document shows the snippets of a source, word for word.
func expectSnippets(of source: String, in document: String, count: Int) throws {
  let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  let shown = try String(contentsOf: root.appendingPathComponent(document), encoding: .utf8)
  let text = try String(contentsOf: URL(fileURLWithPath: source), encoding: .utf8)
  let pieces = text.components(separatedBy: "\n// snippet: ").dropFirst()
  #expect(pieces.count == count)
  for piece in pieces {
    let body = piece.components(separatedBy: "\n// end").first ?? ""
    let lines = body.split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
    let snippet = lines.joined(separator: "\n")
    #expect(shown.contains(snippet), "\(document) lacks: \(snippet.prefix(60))")
  }
}
