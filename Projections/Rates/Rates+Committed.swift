package import Bookkeeping
import Entities
package import Projecting

extension Rates {
  /// The newest quote of a pair no later than a day, as of before a batch, among those that
  /// `isWanted`.
  ///
  /// - Complexity: O(log rates + quotes that are not wanted).
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
