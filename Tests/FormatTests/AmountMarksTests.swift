import DaybookBookkeeping
import Testing

@testable import DaybookFormats

/// Goal: a mark before three final digits is read as the rest of the file shows, and otherwise asked about.
///
/// Method: small files with such an amount, and one thing that shows its meaning.
@Suite("Marks of amounts")
struct AmountMarksTests {
  private func ofx(
    _ amounts: [String], balance: String? = nil, currency: String = "EUR",
    mark: Character? = nil
  ) throws -> FileContents {
    let rows = amounts.map { "<STMTTRN><DTPOSTED>20260105<TRNAMT>\($0)<FITID>\($0)</STMTTRN>" }
    var options = ReadingOptions()
    options.decimalMark = mark
    return try OFXTests.read(
      OFXTests.statement(
        rows.joined(separator: "\n"),
        after: balance.map { "<LEDGERBAL><BALAMT>\($0)<DTASOF>20260131</LEDGERBAL>" } ?? "",
        currency: "<CURDEF>\(currency)"), options)
  }

  private func qif(
    _ amounts: [String], balance: String? = nil, currency: String = "EUR", mark: Character? = nil
  ) throws -> FileContents {
    let rows = amounts.map { "D2026-01-05\nT\($0)\nPX\n^\n" }
    let account = balance.map { "!Account\nNGiro\nTBank\n/2026-01-31\n$\($0)\n^\n" } ?? ""
    return try QIFTests.read(account + "!Type:Bank\n" + rows.joined(), currency: currency) {
      $0.decimalMark = mark
    }
  }

  private func units(_ contents: FileContents) -> [Int64] {
    #expect(contents.badLines == [])
    return contents.statements.flatMap(\.rows).map(\.amount.minorUnits)
  }

  @Test(
    "Other amounts show the mark",
    arguments: [
      (["1.500", "-18,50"], [150_000, -1_850]), (["1.500", "-18.50"], [150, -1_850]),
      (["1,500", "-18.50"], [150_000, -1_850]), (["1,500", "-18,50"], [150, -1_850]),
      (["1.500", "1.234.567"], [150_000, 123_456_700]), (["1.500", "0.250"], [150, 25]),
      (["1.500", "1234.560"], [150, 123_456]), (["-1,650", "1,650.00"], [-165_000, 165_000]),
    ] as [([String], [Int64])])
  func others(texts: [String], units: [Int64]) throws {
    #expect(try self.units(ofx(texts)) == units)
    #expect(try self.units(qif(texts)) == units)
    // The order of the rows doesn't matter.
    #expect(try self.units(ofx(texts.reversed())) == units.reversed())
    #expect(try self.units(qif(texts.reversed())) == units.reversed())
  }

  @Test("The decimals of the currency show the mark")
  func currency() throws {
    #expect(try units(ofx(["1.500"], currency: "JPY")) == [1_500])
    #expect(try units(qif(["1,500"], currency: "JPY")) == [1_500])
    #expect(try units(ofx(["1.500"], currency: "KWD")) == [1_500])
    #expect(try units(qif(["1,500"], currency: "KWD")) == [1_500])
    // Euros don't have three decimals.
    #expect(try units(qif(["1.505", "2.500"])) == [150_500, 250_000])
  }

  @Test("Stated balances show the mark")
  func balances() throws {
    #expect(try units(ofx(["-1.500", "2.500"], balance: "1000.00")) == [-150, 250])
    #expect(try units(ofx(["-1.500", "2.500"], balance: "1000")) == [-150_000, 250_000])
    #expect(try units(qif(["-1,500", "2,500"], balance: "1000")) == [-150_000, 250_000])
    #expect(try units(qif(["-1,500", "2,500"], balance: "1")) == [-150, 250])
    // Here both marks separate decimals and groups.
    let mixed = ["1,650.00", "-1.400,82", "1,650"]
    #expect(try units(ofx(mixed, balance: "1899.18")) == [165_000, -140_082, 165_000])
    #expect(try units(ofx(mixed, balance: "250.83")) == [165_000, -140_082, 165])
  }

  @Test(
    "Without evidence, the mark is asked about",
    arguments: [["-1.500", "2.500"], ["-1,500", "2"], ["1,650.00", "-1.400,82", "1,650"]])
  func asked(texts: [String]) throws {
    for read in [ofx, qif] {
      for balance in [nil, "7"] {
        let error = #expect(throws: InterchangeError.self) { try read(texts, balance, "EUR", nil) }
        #expect(error?.code == .format && error?.line != nil)
        #expect(error?.message.contains("--decimal ,") == true, "\(String(describing: error))")
        #expect(error?.message.contains("--decimal .") == true)
      }
    }
    #expect(try units(ofx(["-1.500", "2.500"], mark: ",")) == [-150_000, 250_000])
    #expect(try units(ofx(["-1.500", "2.500"], mark: ".")) == [-150, 250])
    #expect(try units(qif(["-1.500", "2.500"], mark: ",")) == [-150_000, 250_000])
    #expect(try units(qif(["-1.500", "2.500"], mark: ".")) == [-150, 250])
  }

  @Test("In formats with a fixed mark, the other one isn't read before three digits")
  func fixed() throws {
    func camt(_ amount: String) throws -> FileContents {
      try readStatement(
        CAMTSample.statement(CAMTSample.entry("", amount: "<Amt Ccy='EUR'>\(amount)</Amt>")),
        CAMT.self)
    }
    #expect(try units(camt("1.500")).map(abs) == [150])
    #expect(try units(camt("1,50")).map(abs) == [150])
    #expect(try camt("1,500").badLines.map(\.code) == [.amount])
    func mt940(_ amount: String) throws -> FileContents {
      try readStatement(":20:1\n:25:1\n:61:260131C\(amount)NTRF\n-\n", MT940.self)
    }
    #expect(try units(mt940("1,500")) == [150])
    #expect(try units(mt940("1.50")) == [150])
    #expect(try mt940("1.500").badLines.map(\.code) == [.amount])
  }

  @Test(
    "The meaning of marks in one amount",
    arguments: [
      ("5", .none), ("1.5", .decimal(0x2E)), ("1,50", .decimal(0x2C)), ("1.500", .unclear(0x2E)),
      ("-12,500", .unclear(0x2C)), ("999.000-", .unclear(0x2E)), ("1234.500", .decimal(0x2E)),
      ("0.500", .decimal(0x2E)), (".500", .decimal(0x2E)), ("1.500,00", .decimal(0x2C)),
      ("1,500.5", .decimal(0x2E)), ("1.234.567", .decimal(0x2C)), ("1'234.500", .decimal(0x2E)),
      ("1 234,500", .decimal(0x2C)), ("5.", .decimal(0x2E)), ("1.5000", .decimal(0x2E)),
      ("1.2,3.4", .none),
    ] as [(String, AmountMarks.Meaning)])
  func meaning(text: String, meaning: AmountMarks.Meaning) {
    let bytes = Array(text.utf8)
    #expect(AmountMarks.meaning(of: 0..<bytes.count, in: bytes) == meaning)
  }
}
