import DaybookBookkeeping
import DaybookEntities

// Amounts, dates and codes.
extension CAMTReader {
  /// Reads the amount in the current element, whose currency is an attribute.
  mutating func readAmount() throws(InterchangeError) -> Result<Money, BadLine> {
    let place = xml.tagStart
    let currency = currencyOfElement()
    try xml.text()
    guard let currency else {
      let code = xml.attribute("Ccy").map { xml.string($0) } ?? ""
      return .failure(
        bad(
          .currency, place,
          code.isEmpty
            ? "The amount has no currency." : "“\(code)” isn't an ISO 4217 currency.",
          "Name the account's currency, or define the currency in the ledger first."))
    }
    do {
      let bytes = xml.collected.bytes
      let units = try DecimalText.minorUnits(
        0..<bytes.count, of: bytes.span, digits: currency.digits, mark: AmountMarks.point)
      return .success(Money(units, currency))
    } catch {
      return .failure(
        bad(.amount, place, error.reason(xml.collected.string, currency), error.remedy))
    }
  }

  /// Reads an additional amount in the current element.
  ///
  /// An invalid amount is reported as a notice.
  mutating func readSideAmount() throws(InterchangeError) -> Money? {
    let place = xml.tagStart
    switch try readAmount() {
    case .success(let money): return money
    case .failure(let fault):
      notice("Skipped an additional amount of the entry: \(fault.reason)", at: place)
      return nil
    }
  }

  private mutating func currencyOfElement() -> Currency? {
    guard let range = xml.attribute("Ccy") else {
      return options.currency(of: statement.account)
    }
    if let lastCurrency, range.count == 3,
      UInt64(xml.bytes[range.lowerBound]) << 56 | UInt64(xml.bytes[range.lowerBound + 1]) << 48
        | UInt64(xml.bytes[range.lowerBound + 2]) << 40 == lastCurrency.packedCode
    {
      return lastCurrency
    }
    lastCurrency = currency(xml.string(range))
    return lastCurrency
  }

  /// Returns the currency with a code, or `nil`.
  func currency(_ code: String) -> Currency? {
    let code = code.filter { !$0.isWhitespace }
    return options.currencies[code] ?? Currency.iso(code)
  }

  /// Reads the direction: `true` for a credit, `false` for a debit, `nil` for any other value.
  mutating func readDirection() throws(InterchangeError) -> Bool? {
    try xml.text()
    if xml.collected.equals("CRDT") { return true }
    return xml.collected.equals("DBIT") ? false : nil
  }

  /// Reads the text of the current element.
  mutating func readText() throws(InterchangeError) -> String {
    try xml.text()
    return xml.collected.string
  }

  /// Appends the text of the current element unless it is empty.
  mutating func readText(into texts: inout [String]) throws(InterchangeError) {
    try xml.text()
    if !xml.collected.isEmpty { texts.append(xml.collected.string) }
  }

  /// Reads a code in the current element, which may be enclosed in `Cd` or `Prtry`.
  mutating func readCode() throws(InterchangeError) -> String {
    try xml.firstText()
    return xml.collected.string
  }

  /// Reads the date in the current element, which may be enclosed in `Dt` or `DtTm`.
  mutating func readDay() throws(InterchangeError) -> Result<Day, BadLine> {
    let place = xml.tagStart
    try xml.firstText()
    if let day = dayOfText() { return .success(day) }
    return .failure(
      bad(
        .date, place, "“\(xml.collected.string)” isn't a date such as 2026-01-31.",
        "Correct the date, or ask the bank for the file again."))
  }

  /// Parses the date at the beginning of the collected text.
  ///
  /// A time and its zone are ignored, because banks write local dates.
  func dayOfText() -> Day? {
    let bytes = xml.collected.bytes
    guard bytes.count >= 10, bytes[4] == 0x2D, bytes[7] == 0x2D,
      bytes.count == 10 || bytes[10] &- 0x30 > 9
    else { return nil }
    func number(_ range: Range<Int>) -> Int? {
      var value = 0
      for byte in bytes[range] {
        guard byte &- 0x30 <= 9 else { return nil }
        value = value * 10 + Int(byte - 0x30)
      }
      return value
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10) else {
      return nil
    }
    return Day(year: year, month: month, day: day)
  }

  /// Creates the description of a bad line.
  mutating func bad(
    _ code: BadLine.Code, _ place: Int, _ reason: String, _ remedy: String
  ) -> BadLine {
    BadLine(
      line: xml.line(at: place), column: xml.column(at: place), code: code, reason: reason,
      remedy: remedy)
  }
}
