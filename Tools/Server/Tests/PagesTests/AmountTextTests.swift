// Goal: a typed amount is read with the marks of the user's locale or refused, never with other marks. Method: a table
// of texts, with the cents that each means in English, German, French and Swiss German; `nil` is refused.
import Daybook
import Foundation
import Testing

@testable import Pages

struct AmountTextTests {
  private static let locales = ["en_US", "de_DE", "fr_FR", "de_CH"].map { Locale(identifier: $0) }

  static let texts: [(String, [Int64?])] = [
    ("0", [0, 0, 0, 0]),
    ("5", [500, 500, 500, 500]),
    ("12", [1200, 1200, 1200, 1200]),
    ("12.5", [1250, nil, nil, 1250]),
    ("12.50", [1250, nil, nil, 1250]),
    ("12,5", [nil, 1250, 1250, nil]),
    ("12,50", [nil, 1250, 1250, nil]),
    ("12.505", [nil, 1_250_500, nil, nil]),
    ("12,505", [1_250_500, nil, nil, nil]),
    ("1.234", [nil, 123_400, nil, nil]),
    ("1,234", [123_400, nil, nil, nil]),
    ("1234", [123_400, 123_400, 123_400, 123_400]),
    ("1234.5", [123_450, nil, nil, 123_450]),
    ("1234,5", [nil, 123_450, 123_450, nil]),
    ("1.234,50", [nil, 123_450, 123_450, nil]),
    ("1,234.50", [123_450, nil, nil, 123_450]),
    ("1.234.567", [nil, 123_456_700, 123_456_700, nil]),
    ("1,234,567", [123_456_700, nil, nil, 123_456_700]),
    ("1.234.567,89", [nil, 123_456_789, 123_456_789, nil]),
    ("1,234,567.89", [123_456_789, nil, nil, 123_456_789]),
    ("1 234", [123_400, 123_400, 123_400, 123_400]),
    ("1 234.50", [123_450, nil, nil, 123_450]),
    ("1 234,50", [nil, 123_450, 123_450, nil]),
    ("1'234.50", [123_450, nil, nil, 123_450]),
    ("1’234,50", [nil, 123_450, 123_450, nil]),
    ("0.125", [nil, nil, nil, nil]),
    ("0,125", [nil, nil, nil, nil]),
    (".5", [50, nil, nil, 50]),
    (",5", [nil, 50, 50, nil]),
    ("5.", [nil, nil, nil, nil]),
    ("5,", [nil, nil, nil, nil]),
    ("-12.50", [-1250, nil, nil, -1250]),
    ("-12,50", [nil, -1250, -1250, nil]),
    ("+3.00", [300, nil, nil, 300]),
    ("−7", [-700, -700, -700, -700]),
    ("12.500", [nil, 1_250_000, nil, nil]),
    ("12,500", [1_250_000, nil, nil, nil]),
    ("1.000", [nil, 100_000, nil, nil]),
    ("1,000", [100_000, nil, nil, nil]),
    ("100.000", [nil, 10_000_000, nil, nil]),
    ("100,000", [10_000_000, nil, nil, nil]),
    ("1234.567", [nil, nil, nil, nil]),
    ("1234,567", [nil, nil, nil, nil]),
    ("12.34.56", [nil, nil, nil, nil]),
    ("12,34,56", [nil, nil, nil, nil]),
    ("1,23,456", [nil, nil, nil, nil]),
    ("1.2.3", [nil, nil, nil, nil]),
    ("12.5,0", [nil, nil, nil, nil]),
    ("12,5.0", [nil, nil, nil, nil]),
    ("12.50+3", [1550, nil, nil, 1550]),
    ("12,50+3", [nil, 1550, 1550, nil]),
    ("12.50-0.5", [1200, nil, nil, 1200]),
    ("10-2,25", [nil, 775, 775, nil]),
    ("1+1.505", [nil, 150_600, nil, nil]),
    ("1+1,505", [150_600, nil, nil, nil]),
    ("", [nil, nil, nil, nil]),
    ("x", [nil, nil, nil, nil]),
    ("12 EUR", [nil, nil, nil, nil]),
    ("€5", [nil, nil, nil, nil]),
    ("1e3", [nil, nil, nil, nil]),
  ]

  @Test("An amount is read with the locale's marks", arguments: texts)
  func marks(text: String, units: [Int64?]) {
    let read = Self.locales.map { AmountText.read(text, .eur, $0)?.minorUnits }
    #expect(read == units, "\(text)")
  }

  @Test("An amount has at most the decimals of its currency")
  func decimals() throws {
    let yen = try #require(Currency.iso("JPY"))
    let dinar = try #require(Currency.iso("KWD"))
    let (english, german) = (Self.locales[0], Self.locales[1])
    #expect(AmountText.read("12.5", yen, english) == nil)
    #expect(AmountText.read("1,500", yen, english)?.minorUnits == 1_500)
    #expect(AmountText.read("1.500", yen, english) == nil)
    #expect(AmountText.read("12.505", dinar, english)?.minorUnits == 12_505)
    #expect(AmountText.read("12,505", dinar, german)?.minorUnits == 12_505)
    #expect(AmountText.read("12.505", dinar, german)?.minorUnits == 12_505_000)
    #expect(AmountText.read("12.5055", dinar, english) == nil)
  }

  @Test("An amount shown for typing is read again", arguments: [-123_456_789, -5, 0, 100_000])
  func typed(units: Int64) {
    for locale in Self.locales {
      let money = Money(units, .eur)
      #expect(AmountText.read(AmountText.typed(money, locale), .eur, locale) == money)
    }
  }
}
