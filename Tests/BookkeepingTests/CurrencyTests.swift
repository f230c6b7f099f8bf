// Goal: currencies are one number each that says their code and decimals, and ISO 4217 is complete.
// Method: a table of known decimals; every currency the European Central Bank ever quoted; codes that
// are none.

import DaybookBookkeeping
import Testing

@Suite struct CurrencyTests {
  @Test(arguments: [
    ("USD", 2), ("EUR", 2), ("KZT", 2), ("JPY", 0), ("KRW", 0), ("ISK", 0), ("KWD", 3), ("TND", 3),
    ("CLF", 4), ("UYW", 4), ("CZK", 2), ("HUF", 2), ("TRL", 0), ("ITL", 0), ("DEM", 2), ("BGN", 2),
    ("ZWG", 2), ("XAF", 0), ("VND", 0), ("MRU", 2), ("XCG", 2),
  ])
  func decimals(_ code: String, _ digits: Int) throws {
    let currency = try iso(code)
    #expect(currency.digits == digits)
    #expect(currency.code == code)
    #expect(currency == Currency(code: code, digits: digits))
  }

  @Test func theCentralBanksCurrencies() {
    let header = """
      USD JPY BGN CYP CZK DKK EEK GBP HUF LTL LVL MTL PLN ROL RON SEK SIT SKK CHF ISK NOK HRK RUB \
      TRL TRY AUD BRL CAD CNY HKD IDR ILS INR KRW MXN MYR NZD PHP SGD THB ZAR
      """
    for code in header.split(separator: " ") { #expect(Currency.iso(code) != nil, "\(code)") }
  }

  @Test(arguments: ["", "US", "USDX", "usd", "ZZZ", "XXX", "XTS", "€€€", "U D", "US1"])
  func codesThatAreNone(_ code: String) {
    #expect(Currency.iso(code) == nil)
  }

  @Test func codesOfALedger() {
    #expect(Currency(code: "BTC", digits: 8)?.description == "BTC")
    #expect(Currency(code: "A", digits: 0)?.code == "A")
    #expect(Currency(code: "ABCDEF7", digits: 18)?.code == "ABCDEF7")
    #expect(Currency(code: "ABCDEFGH", digits: 2) == nil)
    #expect(Currency(code: "", digits: 2) == nil)
    #expect(Currency(code: "ABC", digits: 19) == nil)
    #expect(Currency(code: "ABC", digits: -1) == nil)
    #expect(Currency(code: "A-B", digits: 2) == nil)
  }

  @Test func currenciesSortByCode() {
    let codes = Currency.isoCurrencies.map(\.code)
    #expect(codes == codes.sorted())
    #expect(Set(codes).count == codes.count)
    #expect(codes.count > 260)
  }
}
