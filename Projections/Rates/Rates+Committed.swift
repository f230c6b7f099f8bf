package import DaybookBookkeeping
package import DaybookEngine
import DaybookEntities

extension Rates {
  /// Returns the newest accepted quote of a currency pair up to a day, as of before the current
  /// batch.
  ///
  /// - Parameter isWanted: Returns whether the quote of a day is accepted.
  /// - Complexity: O(log rates + rejected quotes).
  package static func newest(
    _ base: Currency, _ quoted: Currency, notAfter day: Day, in tables: CommittedTables,
    _ handle: ProjectionHandle, where isWanted: (Day) -> Bool
  ) throws -> DatedQuote? {
    let from = key(base, quoted, Day(rawValue: .min))
    let to = key(base, quoted, day.adding(days: 1))
    let start = prefix(base, quoted).count
    var found: DatedQuote?
    try tables.forEachRow(in: handle[quotes], from: from, to: to, reversed: true) { key, value in
      var reader = ByteReader(key)
      reader.offset = start
      let day = Day(biased: try reader.u32be())
      guard isWanted(day) else { return true }
      var digits = ByteReader(value)
      let scale = try digits.u8()
      found = Quote(mantissa: try digits.zigzag(), scale: scale).map {
        DatedQuote(day: day, quote: $0)
      }
      return false
    }
    return found
  }
}
