// Goal: amounts and dates are read as what they mean or refused, never as something else. Method:
// tables of texts, read through a mapping of two columns; mapped rows show the value.

import DaybookBookkeeping
import DaybookInterchange
import Testing

struct NumberStyleTests {
  static func amount(
    _ text: String, decimal: String = ".", grouping: String? = nil, currency: String = "USD"
  ) throws -> Int64? {
    var mapping = ImportMapping(
      date: .init(column: .number(1)), amount: .init(column: .number(2)),
      currency: ColumnTemplate(literal: currency), account: ColumnTemplate(literal: "A"))
    mapping.hasHeader = false
    mapping.delimiter = "tab"
    mapping.quote = ""
    mapping.numbers = .init(decimal: decimal, grouping: grouping)
    let file = try MappedFile(CSVFile("2026-01-01\t\(text)\n"), mapping: mapping)
    return file.rows.first?.amount.minorUnits
  }

  @Test(
    "amounts with a point",
    arguments: [
      ("0", 0), ("5", 500), ("5.", 500), (".5", 50), ("1234.56", 123_456), ("-1234.56", -123_456),
      ("+12.30", 1_230), ("1,234.56", 123_456), ("1,234,567.8", 123_456_780), ("1'234.50", 123_450),
      ("1 234.50", 123_450), ("1\u{A0}234.50", 123_450), ("1\u{202F}234.50", 123_450),
      ("$1,750.06", 175_006), ("-$76.00", -7_600), ("$-76.00", -7_600), ("+$327.49", 32_749),
      ("- $21.59", -2_159), ("($85.00)", -8_500), ("(85)", -8_500), ("85.00-", -8_500),
      ("85.00 USD", 8_500), ("USD 85.00", 8_500), ("USD85", 8_500), ("\u{2212}3.00", -300),
      ("\u{2013}3.00", -300), ("3.00\u{2212}", -300), ("--5", 500), ("--$5.00", 500),
      ("5.00 DR", -500), ("5.00DR", -500), ("5.00 Dr.", -500), ("5.00 CR", 500), ("5.00Cr", 500),
      ("-5.00 DR", -500), ("CR 5.00", 500), ("$5.00 dr", -500), ("5.00 USD CR", 500),
      ("(5.00) DR", -500), ("000,125.00", 12_500), ("0,000", 0),
      ("8.1900", 819), ("12,34,567.00", 123_456_700), ("$.23", 23), ("007", 700),
      ("92233720368547758.07", Int64.max), ("-92233720368547758.08", Int64.min),
    ])
  func reads(text: String, units: Int64) throws {
    #expect(try Self.amount(text) == units)
  }

  @Test(
    "amounts with a comma",
    arguments: [
      ("1234,56", 123_456), ("1.234,56", 123_456), ("-18,00", -1_800), ("+120,00", 12_000),
      ("1.234", 123_400), ("1234,37 EUR", 123_437), ("€ 5", 500), ("-€5,00", -500),
    ])
  func readsComma(text: String, units: Int64) throws {
    #expect(try Self.amount(text, decimal: ",", currency: "EUR") == units)
  }

  @Test(
    "texts that are no amounts",
    arguments: [
      "x", "-", "()", "1.2.3", "1,23", "1,2345", "12,34.5", "1,234,56", "---5", "+-5", "--5-",
      "-5-", "-5 CR", "5 CR DR", "+5 DR", "--5 DR", "(5) CR", "DR", "5 CRX", "0,125", "5 C", "(-5)",
      "(5", "5)", "1.234", "1e5", "EUR 5", "5 apples", "0x10", "٣", "1 2", "92233720368547758.08",
      "99999999999999999999", "$", "1,,000",
    ])
  func refuses(text: String) throws {
    #expect(try Self.amount(text) == nil)
  }

  @Test("1,234.56 is never 1.234")
  func neverTheOther() throws {
    #expect(try Self.amount("1,234.56") == 123_456)
    #expect(try Self.amount("1,234.56", decimal: ",", currency: "EUR") == nil)
    #expect(try Self.amount("1,234.56", grouping: "") == nil)
    #expect(try Self.amount("1.234,56") == nil)
  }

  @Test("the currency's decimals decide")
  func decimals() throws {
    #expect(try Self.amount("2147483647", currency: "KRW") == 2_147_483_647)
    #expect(try Self.amount("1.5", currency: "KRW") == nil)
    #expect(try Self.amount("1.0", currency: "KRW") == 1)
    #expect(try Self.amount("1.234", currency: "KWD") == 1_234)
  }

  static func day(_ text: String, _ format: String, pivot: Int = 70) throws -> String? {
    var mapping = ImportMapping(
      date: .init(column: .number(1), format: format, pivot: pivot),
      amount: .init(column: .number(2)), currency: ColumnTemplate(literal: "USD"),
      account: ColumnTemplate(literal: "A"))
    mapping.hasHeader = false
    mapping.delimiter = "tab"
    let file = try MappedFile(CSVFile("\(text)\t1\n"), mapping: mapping)
    return file.rows.first?.day.description
  }

  @Test(
    "days",
    arguments: [
      ("2026-02-15", "yyyy-MM-dd", "2026-02-15"), ("930101", "yyMMdd", "1993-01-01"),
      ("690101", "yyMMdd", "2069-01-01"), ("22.01.2014", "dd.MM.yyyy", "2014-01-22"),
      ("7/13/2019 9:44:14", "M/d/yyyy*", "2019-07-13"), ("4/1/2008", "M/d/yyyy", "2008-04-01"),
      ("20091224120000[0:GMT]", "yyyyMMdd*", "2009-12-24"),
      ("07 Nov 2013", "dd MMM yyyy", "2013-11-07"), ("10-Nov-9", "d-MMM-y", "2009-11-10"),
      ("3 september 2020", "d MMM yyyy", "2020-09-03"),
      ("Sept 5, 2020", "MMM d, yyyy", "2020-09-05"),
      ("2024-02-29", "yyyy-MM-dd", "2024-02-29"), ("2012/3/22", "yyyy/M/d", "2012-03-22"),
      ("  2026-02-15 ", "yyyy-MM-dd", "2026-02-15"),
    ])
  func days(text: String, format: String, day: String) throws {
    #expect(try Self.day(text, format) == day)
  }

  @Test(
    "texts that are no days",
    arguments: [
      ("2026-02-30", "yyyy-MM-dd"), ("2025-02-29", "yyyy-MM-dd"), ("2026-13-01", "yyyy-MM-dd"),
      ("2026-2-1", "yyyy-MM-dd"), ("26-02-15", "yyyy-MM-dd"), ("2026-02-15x", "yyyy-MM-dd"),
      ("15 Foo 2020", "d MMM yyyy"), ("", "yyyy-MM-dd"), ("0000-01-01", "yyyy-MM-dd"),
    ])
  func noDays(text: String, format: String) throws {
    #expect(try Self.day(text, format) == nil)
  }

  @Test("formats that are none", arguments: ["", "yyyy-MM", "yyyy-MM-dd-dd", "yyyyy-MM-dd", "ddd"])
  func noFormats(format: String) throws {
    #expect(DatePattern(format) == nil)
    #expect(throws: InterchangeError.self) { try Self.day("2026-01-01", format) }
  }
}
