package import DaybookEntities

// Ids derived from a row's identity, so that every device creates the row with the same id:
// `Docs/Format.md`.

extension EntityID {
  /// Creates a version 8 UUID (RFC 9562) from a day and 96 bits of a hash.
  ///
  /// The day comes first, so that the rows of a file are stored close together.
  init(named hash: FNV128, on day: Day) {
    let low = UInt64(truncatingIfNeeded: hash.value)
    // The upper 32 bits of the hash are folded into the lower 96.
    let folded = low ^ UInt64(truncatingIfNeeded: hash.value >> 96)
    let middle = UInt64(truncatingIfNeeded: hash.value >> 64) & 0xFFFF_FFFF
    self.init(
      high: UInt64(day.biased) << 32 | middle & ~0xF000 | 0x8000,
      low: folded & ~(0b11 << 62) | 1 << 63)
  }

  /// Whether the id has the form of a derived id.
  package var isNamed: Bool { high & 0xF000 == 0x8000 && low >> 62 == 0b10 }
}

extension Transaction {
  /// Whether the transaction has the same id on every device that generates or imports it.
  package var hasNamedID: Bool {
    if importIdentity?.isReferenced == true { return true }
    return entityID.isNamed && (importIdentity != nil || series != nil)
  }
}

extension Identifier where Owner == Transaction {
  /// The id of an imported row that has no reference.
  ///
  /// - Parameters:
  ///   - print: The fingerprint of the row's values in the file.
  ///   - ordinal: The number of earlier rows of the file with the same fingerprint.
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

  /// The id of the transaction that a series generates for a due date.
  ///
  /// The id is derived from the period of the due date, so it doesn't change if the date moves
  /// within the period.
  package init(of series: Series, due: Day) {
    self = SeriesRowIDs(series).id(due: due)
  }
}

/// The ids of the transactions that a series generates, for many due dates.
package struct SeriesRowIDs {
  private let series: Series
  private var hash = FNV128()

  package init(_ series: Series) {
    self.series = series
    for byte in "series".utf8 { hash.add(byte) }
    hash.add(id: series.entityID)
    // An interval of a schedule with parts can have several due dates, so its ids differ from
    // those of intervals.
    hash.add(series.schedule.unit.rawValue + (series.schedule.hasParts ? 4 : 0))
  }

  package func id(due: Day) -> TransactionID {
    let period = series.schedule.period(of: due, from: series.anchor)
    var hash = hash
    hash.add(UInt64(period.biased), byteCount: 4)
    return TransactionID(EntityID(named: hash, on: period))
  }
}

extension Schedule {
  /// Returns the first day of the period that contains a due date.
  ///
  /// The period is the month, the week (from Monday) or the year; with a unit of days, or with
  /// parts, the due date itself. If a due date was moved from a short month to the first day of the next month, the
  /// period is the short month.
  func period(of due: Day, from anchor: Day) -> Day {
    if hasParts { return due }
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
