package import Entities

// Ids that follow from what a row is, so that whoever makes the row makes it under the same id: `Docs/Format.md`.

extension EntityID {
  /// An id of version 8 of RFC 9562: a day, so that the rows of a file lie together, and 96 bits of a hash.
  init(named hash: FNV128, on day: Day) {
    let low = UInt64(truncatingIfNeeded: hash.value)
    // The upper 32 bits are folded into the 96 below them.
    let folded = low ^ UInt64(truncatingIfNeeded: hash.value >> 96)
    let middle = UInt64(truncatingIfNeeded: hash.value >> 64) & 0xFFFF_FFFF
    self.init(
      high: UInt64(day.biased) << 32 | middle & ~0xF000 | 0x8000,
      low: folded & ~(0b11 << 62) | 1 << 63)
  }

  /// Whether it has the form of an id that follows from what its row is.
  package var isNamed: Bool { high & 0xF000 == 0x8000 && low >> 62 == 0b10 }
}

extension Transaction {
  /// Whether its id is one that whoever makes the row, from the same series or the same row of a file, gives it.
  package var hasNamedID: Bool {
    if importIdentity?.isReferenced == true { return true }
    return entityID.isNamed && (importIdentity != nil || series != nil)
  }
}

extension Identifier where Owner == Transaction {
  /// The id of a row of a file that has no reference of its own.
  ///
  /// - Parameters:
  ///   - print: its fingerprint, as the file has it.
  ///   - ordinal: how many rows of the file, before this one, have the same fingerprint.
  package init(
    ofFile print: EntityID, on day: Day, account: AccountID, ordinal: Int
  ) {
    var hash = FNV128()
    for byte in "file".utf8 { hash.add(byte) }
    hash.add(id: account.rawValue)
    hash.add(id: print)
    hash.add(UInt64(clamping: ordinal), byteCount: 8)
    self.init(rawValue: EntityID(named: hash, on: day))
  }

  /// The id of the row that a series makes for a due day: that of the period in which it is due, so that a due
  /// day that is moved within it makes the same row.
  package init(of series: Series, due: Day) {
    self = SeriesRowIDs(series).id(due: due)
  }
}

/// The ids of the rows that a series makes, for many due days.
package struct SeriesRowIDs {
  private let series: Series
  private var hash = FNV128()

  package init(_ series: Series) {
    self.series = series
    for byte in "series".utf8 { hash.add(byte) }
    hash.add(id: series.entityID)
    hash.add(series.schedule.unit.rawValue)
  }

  package func id(due: Day) -> TransactionID {
    let period = series.schedule.period(of: due, from: series.anchor)
    var hash = hash
    hash.add(UInt64(period.biased), byteCount: 4)
    return TransactionID(EntityID(named: hash, on: period))
  }
}

extension Schedule {
  /// The first day of the period that a due day stands for: of the month, the week (from Monday) or the year; where
  /// days are counted, the due day itself.
  ///
  /// What a short month puts off to the next one stands for the short month.
  func period(of due: Day, from anchor: Day) -> Day {
    switch unit {
    case .day: return due
    case .week: return due.startOfWeek(from: 1)
    case .month, .year:
      var month = due.monthOf
      if monthEnd == .nextDay, due.day == 1, month.adding(-1).last.day < anchor.day {
        month = month.adding(-1)
      }
      return unit == .month ? month.first : month.adding(1 - month.month).first
    }
  }
}

extension FNV128 {
  mutating func add(id: EntityID) {
    add(id.high, byteCount: 8)
    add(id.low, byteCount: 8)
  }
}
