// Goal: the ECB's rates are recorded as quoted, and a file that is not theirs is refused by line.
// Method: small files in the ECB's two forms, the rates that come out, and conversions.

import Daybook
import DaybookInterchange
import Testing

struct RateImporterTests {
  static let file = """
    Date,USD,JPY,CYP,TRY,
    2026-02-16,1.25,N/A,N/A,52.2478,
    2026-02-13,1.2,186.75,,51,

    """

  @Test("rates by day, the nearest earlier one on a weekend")
  func imports() async throws {
    let home = try await Home()
    let summary = try await RateImporter.importECB(CSVFile(Self.file), into: home.ledger)
    #expect(summary.importedCount == 5)
    #expect(summary.absentCount == 3)
    #expect(summary.dayCount == 2)
    #expect(summary.span == day("2026-02-13")...day("2026-02-16"))
    let before = try home.ledger.token
    try await RateImporter.importECB(CSVFile(Self.file), into: home.ledger)
    #expect(try home.ledger.token == before)
    try await home.ends { snapshot throws in
      let sunday = try snapshot.convert(money("10", eur), to: usd, on: day("2026-02-15"))
      #expect(sunday == money("12", usd))
      let monday = try snapshot.convert(money("10", eur), to: usd, on: day("2026-02-16"))
      #expect(monday == money("12.5", usd))
      #expect(try snapshot.convert(money("10", eur), to: usd, on: day("2026-02-12")) == nil)
    }
  }

  @Test("the file of one day spells its month")
  func daily() async throws {
    let home = try await Home()
    let text = "Date, USD, JPY, \n13 April 2026, 1.1684, 186.75, \n"
    let summary = try await RateImporter.importECB(CSVFile(text), into: home.ledger)
    #expect(summary.importedCount == 2)
    #expect(summary.span == day("2026-04-13")...day("2026-04-13"))
    try await home.end()
  }

  @Test(
    "faults name their line, and nothing is recorded",
    arguments: [
      ("2026-02-13,1.2,186.75", "2026-02-30,1.2,186.75", 3),
      ("2026-02-13,1.2,186.75", "2026-02-13,1.2x,186.75", 3),
      ("2026-02-13,1.2,186.75", "2026-02-13,-1.2,186.75", 3),
      ("2026-02-16,1.25,", "2026-02-16,1.25,7,", 2), ("Date,", "Day,", 1), ("CYP", "XQX", 1),
    ])
  func refuses(right: String, wrong: String, line: Int) async throws {
    let home = try await Home()
    let text = Self.file.replacing(right, with: wrong)
    let error = try await #require(throws: InterchangeError.self) {
      try await RateImporter.importECB(CSVFile(text), into: home.ledger)
    }
    #expect(error.line == line)
    #expect(try home.ledger.read { try $0.rates() }.isEmpty)
    try await home.end()
  }
}
