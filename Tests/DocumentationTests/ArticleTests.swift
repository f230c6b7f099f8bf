/// Goal: the code in the articles of Sources/Daybook/Daybook.docc is what is compiled and tested, and the lines to write
/// in Docs/GettingStarted.md are counted, not claimed. Method: each block is looked for in the sources, word for word; the
/// snippets that are functions are run.
import Daybook
import Foundation
import Testing

@Suite struct ArticleTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  /// The lines of a text without their indentation, one after the other.
  private static func flat(_ text: some StringProtocol) -> String {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }.joined(separator: "\n")
  }

  @Test func articlesShowWhatIsCompiled() throws {
    let sources = try [
      "Tests/DocumentationTests/ArticleSnippets.swift",
      "Tests/DocumentationTests/ArticleViews.swift", "Tests/DaybookTests/ReadmeSnippets.swift",
      "Tests/DaybookTests/AppSnippets.swift", "Tests/DaybookTestingTests/TestingSnippets.swift",
      "Docs/Examples/PayeeTotals/PayeeTotals.swift",
      "Docs/Examples/PayeeTotals/PayeeTotals+Queries.swift",
    ].map { "\n" + Self.flat(try Self.text($0)) + "\n" }
    let catalogue = "Sources/Daybook/Daybook.docc"
    let articles = try FileManager.default.contentsOfDirectory(
      atPath: Self.root.appendingPathComponent(catalogue).path
    ).filter { $0.hasSuffix(".md") }.sorted()
    #expect(articles.count == 10)
    var count = 0
    for article in articles.map({ "\(catalogue)/\($0)" }) + ["Docs/GettingStarted.md"] {
      let pieces = try Self.text(article).components(separatedBy: "```swift\n")
      for piece in pieces.dropFirst() {
        count += 1
        let code = Self.flat(piece.components(separatedBy: "```")[0])
        #expect(
          sources.contains { $0.contains("\n\(code)\n") },
          "\(article) shows what is compiled nowhere: \(code.prefix(80))")
      }
    }
    #expect(count > 12)
  }

  @Test func linesToWriteAreAsTold() throws {
    let table = try Self.text("Docs/GettingStarted.md")
    var count = 0
    for file in ["ArticleSnippets", "ArticleViews"] {
      let source = try Self.text("Tests/DocumentationTests/\(file).swift")
      for piece in source.components(separatedBy: "\n// lines: ").dropFirst() {
        count += 1
        let name = piece.prefix { $0 != "\n" }
        let inside = piece.components(separatedBy: "// begin\n").dropFirst().first?
          .components(separatedBy: "// end").first
        let lines = Self.flat(try #require(inside)).split(separator: "\n")
          .count { !$0.hasPrefix("//") }
        #expect(table.contains("| \(name) | \(lines) |"), "\(name) takes \(lines) lines")
      }
    }
    #expect(count == 3)
  }

  private static func euro() throws -> Currency { try #require(Currency.iso("EUR")) }
  private static func today() throws -> Day { try #require(Day("2026-02-15")) }

  @Test func whatIsRecordedIsAnswered() async throws {
    let (euro, today) = (try Self.euro(), try Self.today())
    let dollar = try #require(Currency.iso("USD"))
    let ledger = try await Ledger.inMemory()
    let receipt = try await record(ledger, euro: euro, dollar: dollar, today: today)
    #expect(receipt.transactions.count == 3)
    let first = try await correct(receipt.transactions[1], in: ledger, by: "request 1")
    let again = try await correct(receipt.transactions[1], in: ledger, by: "request 1")
    #expect(!first.isRepeat && again.isRepeat && first.token == again.token)
    let shown = try overview(of: ledger, in: euro, today: today)
    #expect(shown.balances.map(\.balance.units) == [2_356_60, 108_00])
    #expect(shown.month.expense.units == 43_40 && shown.month.income.units == 2_500_00)
    #expect(shown.top.map(\.category.name) == ["Food", "House"])
    #expect(shown.newest.count == 3 && shown.newest.contains { $0.payee == "The market" })
    try await ledger.close()
  }

  @Test func plansAreMade() async throws {
    let (euro, today) = (try Self.euro(), try Self.today())
    let ledger = try await Ledger.inMemory()
    let made = try await ledger.append(.openAccount(NewAccount(name: "A", currency: euro)))
    let upcoming = try await planMonth(
      ledger, rentFrom: made.accounts[0], euro: euro, today: today)
    #expect(upcoming.allSatisfy { $0.series.name == "Rent" && $0.day == $0.day.monthOf.last })
    #expect(upcoming.count == 3)
    try await ledger.close()
  }

  @Test func errorsAreTold() async throws {
    let (euro, today) = (try Self.euro(), try Self.today())
    let ledger = try await Ledger.inMemory()
    let unknown = AccountID(EntityID(high: 1, low: 1))
    let refused = await addedRow(.expense(Money(1, euro), from: unknown, on: today), to: ledger)
    #expect(!refused.isEmpty && !refused.hasPrefix("Recorded"))
    let recorded = await addedRow(.expense(Money(1, euro), on: today), to: ledger)
    #expect(recorded == "Recorded as commit 1.")
    try await ledger.close()
    let closed = await addedRow(.expense(Money(1, euro), on: today), to: ledger)
    #expect(closed.contains("closed"))
  }

  @Test func theFewLinesDoWhatTheySay() async throws {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("daybook-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    var shown: [Total] = []
    let euro = try Self.euro()
    try await openAddListObserve(at: path, euro, today: try Self.today()) { rows, balance in
      #expect(rows.count == 1)
      shown.append(balance)
      return false
    }
    #expect(shown == [Total(units: -12_50, currency: euro)])
  }
}
