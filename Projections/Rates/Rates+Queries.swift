package import DaybookBookkeeping
package import DaybookEngine
import DaybookEntities

extension Rates {
  /// Returns the quote of a currency pair on a day or, if there is none, the nearest earlier quote.
  ///
  /// The quote is neither inverted nor derived from other pairs. Returns `nil` if there is no such
  /// quote.
  ///
  /// - Complexity: O(log rates).
  package static func quote(
    _ base: Currency, in quoted: Currency, on day: Day, in view: borrowing View
  ) throws -> DatedQuote? {
    var found: DatedQuote?
    let days = Day(rawValue: .min)..<day.adding(days: 1)
    try forEach(base, in: quoted, over: days, reversed: true, in: view) {
      found = $0
      return false
    }
    return found
  }

  /// Calls `body` with the quotes of a currency pair in a range of days, until it returns `false`.
  ///
  /// The quotes are ordered by day, in descending order if `reversed` is `true`.
  package static func forEach(
    _ base: Currency, in quoted: Currency, over days: Range<Day>, reversed: Bool = false,
    in view: borrowing View, _ body: (DatedQuote) throws -> Bool
  ) throws {
    if days.isEmpty { return }
    let table = try view.tables(of: Rates.self)[quotes]
    let start = prefix(base, quoted).count
    try view.forEachRow(
      in: table, from: key(base, quoted, days.lowerBound), to: key(base, quoted, days.upperBound),
      reversed: reversed
    ) { key, value in
      var reader = ByteReader(key)
      reader.offset = start
      let day = Day(biased: try reader.u32be())
      return try body(DatedQuote(day: day, quote: try quote(value)))
    }
  }

  /// Returns the currency pairs that have quotes, in key order.
  ///
  /// - Complexity: O(pairs × log rates).
  package static func pairs(
    in view: borrowing View
  ) throws -> [(base: Currency, quoted: Currency)] {
    let table = try view.tables(of: Rates.self)[quotes]
    var pairs: [(base: Currency, quoted: Currency)] = []
    var from = TableKey()
    var to = TableKey()
    to.append(u8: 0xff)
    while true {
      var found: (base: Currency, quoted: Currency)?
      try view.forEachRow(in: table, from: from, to: to) { key, _ in
        var reader = ByteReader(key)
        let base = try reader.keyCurrency()
        found = (base, try reader.keyCurrency())
        return false
      }
      guard let found, let next = prefix(found.base, found.quoted).afterPrefix else { return pairs }
      pairs.append(found)
      from = next
    }
  }

  private static func quote(_ value: RawSpan) throws -> Quote {
    var reader = ByteReader(value)
    let scale = try reader.u8()
    let mantissa = try reader.zigzag()
    guard let quote = Quote(mantissa: mantissa, scale: scale) else {
      throw ProjectionFault.damagedRow(in: name, "a quote")
    }
    return quote
  }
}
