// Goal: whatever an import says of a file is in sentences, each of which ends before the next begins.
// Method: files that are wrong in every way that reaches another layer's words, and what is said of each.

import Daybook
import DaybookInterchange
import Foundation
import Testing

@Suite struct SentenceTests {
  /// Words that are no sentences on their own.
  private func openEnds(_ texts: [String]) -> [String] {
    texts.filter { text in
      guard let first = text.first, let last = text.last else { return false }
      return first.isLowercase || !".!?".contains(last) || text.hasSuffix("..")
    }
  }

  private func check(
    _ error: InterchangeError, _ codes: Set<BadLine.Code>,
    at place: SourceLocation = #_sourceLocation
  ) {
    #expect(Set(error.badLines.map(\.code)).isSuperset(of: codes), sourceLocation: place)
    let said = [error.message, error.remedy] + error.badLines.flatMap { [$0.reason, $0.remedy] }
    #expect(openEnds(said) == [], sourceLocation: place)
    for bad in error.badLines {
      #expect("\(bad)".hasSuffix("\(bad.reason) \(bad.remedy)"), sourceLocation: place)
    }
    if let cause = error.cause as? DaybookError {
      #expect(openEnds([cause.message, cause.remedy]) == [], sourceLocation: place)
    }
  }

  @Test func ofRowsThatTheLedgerRefuses() async throws {
    let home = try await Home()
    try await home.ledger.append(
      .openAccount(NewAccount(name: "Tenge", currency: kzt)),
      .closePeriod(through: day("2025-12-31")))
    let text =
      ImportTests.header + """
        2025-12-31,Tenge,-1,Food,,closed
        2026-01-01,Tenge,-1,Food,,no rate
        2026-01-01,Other,-1,Food,,\(String(repeating: "long ", count: 2_000))
        """
    let dollars = Home.mapping.replacing("KZT", with: "USD")
    let error = try await #require(throws: InterchangeError.self) {
      try await home.importing(text, dollars)
    }
    check(error, [.refused])
    #expect(error.badLines.map(\.line) == [2, 3, 4])
    let name = String(repeating: "n", count: 300)
    let refused = try await #require(throws: InterchangeError.self) {
      try await home.importing(ImportTests.header + "2026-01-01,\(name),1,,,\n")
    }
    check(refused, [])
    let skipping = try await home.importing(text, dollars, settings: .init(skipsBadRows: true))
    #expect(openEnds(skipping.skipped.map(\.reason)) == [])
    try await home.end()
  }

  @Test func ofRowsThatCannotBeRead() async throws {
    let home = try await Home()
    let text =
      ImportTests.header + """
        2026-01-32,A,1,Food,,no such day
        yesterday,A,1,Food,,no day
        2026-01-05,A,x,Food,,no amount
        2026-01-05,A,1.234,Food,,decimals
        2026-01-05,A,,Food,,nothing
        2026-01-05,A,1
        2026-01-05,A,"1"2,,,
        2026-01-05,A,99999999999999999999,Food,,overflow
        2026-01-05,,1,Food,,no account
        2026-01-05,A,1,"Food,,no end
        """
    let error = try await #require(throws: InterchangeError.self) {
      try await home.importing(text)
    }
    check(error, [.date, .amount, .ragged, .strayQuote, .unterminatedQuote, .name])
    try await home.end()
  }

  @Test func ofExportsThatWereChanged() async throws {
    let home = try await Home()
    let header =
      "transaction,day,status,description,payee,note,tags,kind,name,currency,amount,posting note\n"
    let lines = [
      "1,2026-01-01,cleared,,,,,asset,A,EUR,1.2.3,", "2,2026-01-01,cleared,,,,,asset,A,XXQ,1,",
      "3,2026-01-01,done,,,,,asset,A,EUR,1,", "4,2026-01-01,cleared,,,,,gift,A,EUR,1,",
      "5,2026-13-01,cleared,,,,,asset,A,EUR,1,", "6,2026-01-01,cleared,,,,,asset,A,EUR,1,",
      "7,2026-01-01,cleared,,,,,asset,A,EUR,1.234,",
    ]
    let error = try await #require(throws: InterchangeError.self) {
      try await PostingsImporter().run(
        CSVFile(header + lines.joined(separator: "\n") + "\n"), into: home.ledger)
    }
    check(error, [.amount, .currency, .name, .date])
    let restored = try await #require(throws: InterchangeError.self) {
      let text = """
        {"daybook":{"version":2}}
        {"gift":{}}
        {"account":{}}
        {"settings":{"baseCurrency":"XXQ"}}
        no JSON
        """
      try await LedgerRestorer.run(Array(text.utf8), into: home.ledger)
    }
    check(restored, [.refused])
    #expect(restored.badLines.map(\.line) == [2, 3, 4, 5])
    let rates = try await #require(throws: InterchangeError.self) {
      try await RateImporter.importECB(
        CSVFile("Date,USD,\n2026-01-01,x,\nnever,1.1,\n2026-01-02,1.1\n"), into: home.ledger)
    }
    check(rates, [])
    try await home.end()
  }
}
