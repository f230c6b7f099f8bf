// Goal: rates convert exactly, with one rounding half to even, and the right rate is found.
// Method: the scenarios' figures; ties by hand; random conversions against a check by
// multiplication that shares no code with the division; a table of which rate wins.

import DaybookBookkeeping
import DaybookRandom
import Testing

@Suite struct ConversionTests {
  @Test func quotesAreExactDecimals() throws {
    #expect(try Quote("1.0842") == Quote(mantissa: 10842, scale: 4))
    #expect(try Quote("1.10") == Quote("1.1"))
    #expect(try Quote("450").description == "450")
    #expect(try Quote("0.00012300").description == "0.000123")
    for text in ["0", "-1", "", "x", "1.2.3", "0.0000000000000000001", "99999999999999999999"] {
      #expect(throws: MoneyError.self, "\(text)") { try Quote(text) }
    }
    #expect(Quote(mantissa: 1, scale: 19) == nil)
    #expect(Quote(mantissa: 0, scale: 0) == nil)
  }

  @Test func figuresOfTheScenarios() throws {
    let (usd, eur, kzt) = (try iso("USD"), try iso("EUR"), try iso("KZT"))
    let dollar = try Conversion(direct: Quote("450"), from: usd, to: kzt)
    #expect(try dollar.convert(money("100", "USD")) == money("45000", "KZT"))
    let back = try Conversion(inverse: Quote("450"), from: kzt, to: usd)
    #expect(try back.convert(money("9000", "KZT")) == money("20", "USD"))
    let cross = try Conversion(
      Conversion(direct: Quote("500"), from: eur, to: kzt), then: back)
    #expect(try cross.convert(money("100", "EUR")) == money("111.11", "USD"))
    #expect(try cross.convert(money("-100", "EUR")) == money("-111.11", "USD"))
  }

  @Test(arguments: [
    (1, "0.5", 0), (3, "0.5", 2), (5, "0.5", 2), (-1, "0.5", 0), (-3, "0.5", -2), (7, "0.5", 4),
    (1, "0.51", 1), (1, "0.49", 0), (25, "0.1", 2), (35, "0.1", 4), (-25, "0.1", -2), (0, "450", 0),
  ])
  func tiesGoToEven(_ units: Int64, _ rate: String, _ expected: Int128) throws {
    let conversion = try Conversion(direct: Quote(rate), from: iso("USD"), to: iso("EUR"))
    #expect(try conversion.convert(Int128(units)) == expected)
  }

  @Test func decimalsOfBothCurrenciesCount() throws {
    let yen = try Conversion(direct: Quote("157.25"), from: iso("USD"), to: iso("JPY"))
    #expect(try yen.convert(money("10.01", "USD")).minorUnits == 1574)
    let dinar = try Conversion(inverse: Quote("3.25"), from: iso("USD"), to: iso("KWD"))
    #expect(try dinar.convert(money("1", "USD")).minorUnits == 308)
  }

  @Test func roundingIsNeverOffByMoreThanHalf() throws {
    var random = SeededGenerator(seed: 2)
    let currencies = try ["JPY", "USD", "KWD", "CLF"].map { try iso($0) }
    for _ in 0..<5000 {
      let quote = try #require(
        Quote(
          mantissa: Int64.random(in: 1...1_000_000_000, using: &random),
          scale: UInt8.random(in: 0...9, using: &random)))
      let from = currencies[Int.random(in: 0..<4, using: &random)]
      let to = currencies[Int.random(in: 0..<4, using: &random)]
      let conversion =
        Bool.random(using: &random)
        ? try Conversion(direct: quote, from: from, to: to)
        : try Conversion(inverse: quote, from: from, to: to)
      let units = Int128(Int64.random(in: -1_000_000_000_000...1_000_000_000_000, using: &random))
      let result = try conversion.convert(units)
      // |result · d − units · n| ≤ d / 2, and on a tie the result is even.
      let (above, below) = (Int128(conversion.numerator), Int128(conversion.denominator))
      let error = (result * below - units * above).magnitude
      #expect(error * 2 <= below.magnitude)
      if error * 2 == below.magnitude { #expect(result % 2 == 0) }
    }
  }

  @Test func hugeAmountsUseWideIntermediates() throws {
    let conversion = try Conversion(
      direct: Quote("0.123456789012345678"), from: iso("USD"), to: iso("EUR"))
    #expect(
      try conversion.convert(Int128(10) * 1_000_000_000_000_000_000 * 1_000_000_000_000_000_000)
        == Int128(1_234_567_890_123_456_780) * 1_000_000_000_000_000_000)
    #expect(throws: MoneyError.self) {
      try Conversion(direct: Quote("450"), from: iso("USD"), to: iso("KZT")).convert(Int128.max)
    }
    #expect(throws: MoneyError.self) {
      try Conversion(direct: Quote("450"), from: iso("USD"), to: iso("KZT"))
        .convert(Money(.max, iso("USD")))
    }
  }

  /// Days of the direct and inverse rate, and which one must win.
  @Test(arguments: [
    (1, 2, "inverse"), (2, 1, "direct"), (1, 1, "direct"), (1, nil, "direct"), (nil, 1, "inverse"),
    (nil, nil, "pivot"),
  ])
  func theLaterRateWins(_ direct: Int?, _ inverse: Int?, _ winner: String) throws {
    let (usd, eur, kzt) = (try iso("USD"), try iso("EUR"), try iso("KZT"))
    let start = try day("2026-01-01")
    func dated(_ offset: Int?, _ text: String) throws -> DatedQuote? {
      try offset.map { DatedQuote(day: start.adding(days: $0), quote: try Quote(text)) }
    }
    let found = try Conversion.find(
      from: eur, to: usd, on: start.adding(days: 2), pivots: [eur, usd, kzt]
    ) { base, quoted in
      switch (base, quoted) {
      case (eur, usd): try dated(direct, "2")
      case (usd, eur): try dated(inverse, "0.25")
      case (eur, kzt): try dated(0, "500")
      case (usd, kzt): try dated(0, "100")
      default: nil
      }
    }
    let expected: Int128 = ["direct": 200, "inverse": 400, "pivot": 500][winner] ?? 0
    #expect(try found?.conversion.convert(100) == expected)
    let days: [String: [Int?]] = ["direct": [direct], "inverse": [inverse], "pivot": [0, 0]]
    let used = (days[winner] ?? []).compactMap(\.self).map { start.adding(days: $0) }
    #expect(found?.rates.map(\.day) == used)
    #expect(found?.oldestDay == used.min())
  }

  /// Which path wins by its age: a direct rate of USD in EUR, and rates through GBP and through KZT.
  ///
  /// A rate of 2011 from a bank statement, and fresh ones from the central bank for other pairs; two
  /// of hledger's users and one of beancount's met the stale one. Days are before the day asked for;
  /// through GBP, both rates have their own day.
  @Test(arguments: [
    (5500, 0, 0, nil, "gbp"), (31, 0, 0, nil, "gbp"), (30, 0, 0, nil, "direct"),
    (40, 10, 10, nil, "direct"), (41, 10, 10, nil, "gbp"), (41, 10, 11, nil, "direct"),
    (5500, 5490, 0, nil, "direct"), (nil, 5500, 0, nil, "gbp"), (nil, 5500, 0, 3, "kzt"),
    (nil, 40, 35, 10, "gbp"), (5500, 60, 35, 10, "kzt"), (5500, 5400, 0, 5390, "gbp"),
    (5500, nil, nil, nil, "direct"), (60, 40, 40, 1, "kzt"), (nil, nil, nil, nil, ""),
  ])
  func theNewerPathWins(
    _ direct: Int?, _ first: Int?, _ second: Int?, _ kzt: Int?, _ winner: String
  ) throws {
    let (usd, eur, gbp, tenge) = (try iso("USD"), try iso("EUR"), try iso("GBP"), try iso("KZT"))
    let today = try day("2026-02-15")
    func dated(_ age: Int?, _ text: String) throws -> DatedQuote? {
      try age.map { DatedQuote(day: today.adding(days: -$0), quote: try Quote(text)) }
    }
    let found = try Conversion.find(from: usd, to: eur, on: today, pivots: [eur, gbp, tenge, usd]) {
      base, quoted in
      switch (base, quoted) {
      case (usd, eur): try dated(direct, "2")
      case (usd, gbp): try dated(first, "3")
      case (gbp, eur): try dated(second, "1")
      case (usd, tenge): try dated(kzt, "4")
      case (tenge, eur): try dated(kzt, "1")
      default: nil
      }
    }
    let expected: Int128? = ["direct": 200, "gbp": 300, "kzt": 400][winner]
    #expect(try found?.conversion.convert(100) == expected)
  }

  @Test func withoutAWayThereIsNoConversion() throws {
    let (usd, eur) = (try iso("USD"), try iso("EUR"))
    let today = try day("2026-02-15")
    #expect(try Conversion.find(from: usd, to: eur, on: today, pivots: []) { _, _ in nil } == nil)
    let same = try Conversion.find(from: usd, to: usd, on: today, pivots: []) { _, _ in nil }
    #expect(try same?.conversion.convert(Int128(5)) == 5)
    #expect(same?.oldestDay == nil)
  }
}
