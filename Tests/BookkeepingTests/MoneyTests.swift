// Goal: amounts are read strictly, computed exactly and shown as they are.
// Method: tables of texts that are and are not amounts; the ends of 64 bits; a round trip of random
// amounts.

import DaybookBookkeeping
import DaybookRandom
import Testing

@Suite struct MoneyTests {
  @Test(arguments: [
    ("1234.56", ".", 123456), ("1,234.56", ".", 123456), ("1.234,56", ",", 123456),
    ("1 234,56", ",", 123456), ("1\u{a0}234,56", ",", 123456), ("1\u{202f}234,56", ",", 123456),
    ("1'234.56", ".", 123456), ("1’234.56", ".", 123456), ("12,345,678.9", ".", 1_234_567_890),
    ("5", ".", 500), ("0", ".", 0), ("-0", ".", 0), ("0.05", ".", 5), (".5", ".", 50),
    ("-.5", ".", -50),
    ("-12.30", ".", -1230), ("+12.30", ".", 1230), ("\u{2212}12.30", ".", -1230),
    (" 12.30 ", ".", 1230),
    ("- 12.30", ".", -1230), ("1234", ",", 123400), ("001.10", ".", 110), ("1,234", ".", 123400),
    ("92233720368547758.07", ".", Int64.max), ("-92233720368547758.08", ".", Int64.min),
  ])
  func amounts(_ text: String, _ mark: Character, _ units: Int64) throws {
    let money = try Money.parse(text, currency: try iso("USD"), decimalMark: mark)
    #expect(money.minorUnits == units)
  }

  @Test(arguments: [
    ("1,234.56", ","), ("1.234", "."), ("1.230", "."), ("1,23", "."), ("1,2345", "."),
    ("1,234,56", "."), ("12,34,567", "."), ("1234,567", "."), ("1.2.3", "."), ("1,234 567", "."),
    ("1 234,567", "."), ("1.", "."), (".", "."), ("", "."), ("-", "."), ("--1", "."), ("1-", "."),
    ("1-2", "."), ("$1", "."), ("1 USD", "."), ("1e3", "."), ("0x1", "."), ("(1)", "."), ("١", "."),
    ("NaN", "."), (",5", "."), ("1 .5", "."), ("1. 5", "."), ("1.5 5", "."), ("1,,234", "."),
    ("92233720368547758.08", "."), ("-92233720368547758.09", "."), ("999999999999999999999", "."),
    ("1.5,5", "."), ("1.50'", "."), ("'1", "."), ("0,125", "."), ("0.125", ","),
  ])
  func textsThatAreNoAmounts(_ text: String, _ mark: Character) throws {
    let usd = try iso("USD")
    #expect(throws: MoneyError.self) {
      try Money.parse(text, currency: usd, decimalMark: mark)
    }
  }

  @Test func decimalsFollowTheCurrency() throws {
    #expect(try money("1500", "JPY").minorUnits == 1500)
    #expect(throws: MoneyError.self) { try money("1500.0", "JPY") }
    #expect(try money("1.234", "KWD").minorUnits == 1234)
    #expect(try money("1.234", "KWD").description == "1.234 KWD")
    #expect(try Money(-5, iso("USD")).description == "-0.05 USD")
    #expect(try Money(.min, iso("USD")).description == "-92233720368547758.08 USD")
    #expect(try Money(7, iso("JPY")).description == "7 JPY")
    #expect(try Total(units: Int128.max, currency: iso("JPY")).text == "\(Int128.max)")
  }

  @Test func arithmeticIsChecked() throws {
    let (usd, eur) = (try iso("USD"), try iso("EUR"))
    #expect(try Money(1, usd) + Money(2, usd) == Money(3, usd))
    #expect(try Money(1, usd) - Money(2, usd) == Money(-1, usd))
    #expect(try Money(1, usd).negated() == Money(-1, usd))
    #expect(throws: MoneyError.self) { try Money(.max, usd) + Money(1, usd) }
    #expect(throws: MoneyError.self) { try Money(.min, usd) - Money(1, usd) }
    #expect(throws: MoneyError.self) { try Money(.min, usd).negated() }
    #expect(throws: MoneyError.currencies(usd, eur)) { try Money(1, usd) + Money(1, eur) }
  }

  @Test func textsReadBackAsTheyWere() throws {
    var random = SeededGenerator(seed: 1)
    for code in ["JPY", "USD", "KWD", "CLF"] {
      let currency = try iso(code)
      for _ in 0..<500 {
        let units =
          Int64.random(in: .min ... .max, using: &random)
          >> Int64.random(in: 0...62, using: &random)
        let money = Money(units, currency)
        #expect(try Money.parse(money.text, currency: currency) == money)
      }
    }
  }
}
