// Goal: a commit with very many changes, such as an import, makes no page long or slow: pages say how many there are,
// and work out what taking it back would change when they are asked to. Method: three thousand rows are recorded at
// once, and the pages that tell of it are read.
import Daybook
import Pages
import Testing

@Suite struct LargeCommitTests {
  @Test func pagesTellOfIt() async throws {
    let (ledger, account, category) = try await household()
    let receipt = try await ledger.append(
      (0..<3_000).map { _ in
        .record(.expense(Money(1_00, .eur), from: account, category: category, on: today))
      })
    let asked = Asked(ledger)
    let sequence = receipt.token.sequence
    for path in ["/", "/history", "/history/\(sequence)"] {
      let page = await asked.get(path).text
      #expect(page.contains("3,000 changes"), "\(path)")
      #expect(page.utf8.count < 80_000, "\(path)")
    }
    let commit = await asked.get("/history/\(sequence)").text
    #expect(commit.contains("+ 2,900"))
    #expect(!commit.contains("action=\"/history/\(sequence)/undo\""))
    #expect(commit.contains("/history/\(sequence)?preview=undo"))
    let preview = await asked.get("/history/\(sequence)", [("preview", "undo")]).text
    #expect(preview.contains("action=\"/history/\(sequence)/undo\""))
    // A row says what happened to it, and nothing of the others.
    let row = try #require(receipt.transactions.last)
    let why = await asked.get("/transactions/\(row)").text
    #expect(why.contains("/history/\(sequence)\"") && !why.contains("+ 2,9"))
    try await ledger.close()
  }
}
