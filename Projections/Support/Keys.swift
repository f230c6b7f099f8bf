public import Bookkeeping
public import Entities
public import Projecting

extension TableKey {
  /// Appends a currency: a byte of length (3 bits) and decimals (5 bits), then the code.
  ///
  /// The decimals are part of the key so that a currency can be read back from it alone.
  @inlinable
  package mutating func append(currency: Currency) {
    let code = currency.packedCode
    let length = code == 0 ? 0 : 8 - code.trailingZeroBitCount >> 3
    let head = UInt64(length << 5 | (currency.digits & 0x1f))
    append(head << UInt64(8 * length) | code >> UInt64(64 - 8 * length), byteCount: length + 1)
  }

  /// Appends a period: its level (one byte) and its index (four).
  @inlinable
  package mutating func append(_ period: Period) {
    append(UInt64(period.level.rawValue) << 32 | UInt64(period.biased), byteCount: 5)
  }

  /// Appends the level and the index of a bound of a span.
  @inlinable
  package mutating func append(_ level: Period.Level, _ index: Int32) {
    append(UInt64(level.rawValue) << 32 | UInt64(Period.biased(index)), byteCount: 5)
  }

  /// Appends the place of a transaction in its list.
  @inlinable
  package mutating func append(_ key: RowKey) {
    append(u32: key.day.biased)
    append(u40: key.number)
  }
}

extension TableKey {
  /// The days, as clusters of State, of the period at `offset`; `nil` where that is all of time, or no
  /// period.
  package func days(ofPeriodAt offset: Int) -> ClosedRange<UInt32>? {
    guard count >= offset + 5, let level = Period.Level(rawValue: self[offset]), level != .all
    else { return nil }
    let biased = (1...4).reduce(0 as UInt32) { $0 << 8 | UInt32(self[offset + $1]) }
    let index = Period.index(biased: biased)
    // A damaged key may name any year.
    guard abs(Int(index)) < 1 << 22 else { return nil }
    let days = Period(level: level, index: index).days
    return days.lowerBound.biased...max(days.lowerBound.biased, days.upperBound.biased - 1)
  }
}

extension ByteReader {
  /// A currency as ``TableKey`` holds it.
  @inlinable
  @_lifetime(self: copy self)
  package mutating func keyCurrency() throws(DecodingFault) -> Currency {
    // Nearly every code has three letters.
    if span.byteCount - offset == 4 {
      let word = try u32be()
      if word >> 29 == 3 {
        return Currency(packed: UInt64(word & 0x00ff_ffff) << 40 | UInt64(word >> 24 & 0x1f))
      }
      offset -= 4
    }
    let head = try u8()
    var packed = UInt64(head & 0x1f)
    var shift: UInt64 = 56
    for _ in 0..<head >> 5 {
      packed |= UInt64(try u8()) << shift
      shift -= 8
    }
    return Currency(packed: packed)
  }

  /// The index of a period.
  @inlinable
  @_lifetime(self: copy self)
  package mutating func keyIndex() throws(DecodingFault) -> Int32 {
    Period.index(biased: try u32be())
  }

  /// The place of a transaction in its list.
  @inlinable
  @_lifetime(self: copy self)
  package mutating func rowKey() throws(DecodingFault) -> RowKey {
    let day = Day(biased: try u32be())
    let high = try u8()
    let low = try u32be()
    return RowKey(day: day, number: UInt64(high) << 32 | UInt64(low))
  }
}

/// The place of a transaction in its list: by day, then by recording number.
@usableFromInline
package struct RowKey: Hashable, Comparable, Sendable {
  /// The transaction's day.
  @usableFromInline package var day: Day
  /// The transaction's recording number, below 2 to the power of 40.
  @usableFromInline package var number: UInt64

  /// A place in the list.
  @inlinable
  package init(day: Day, number: UInt64) {
    self.day = day
    self.number = number
  }

  /// A place in the list whose number fits in a key.
  ///
  /// - Throws: ``ProjectionFault/Code/numberTooLarge`` where it does not.
  @inlinable
  package static func checked(
    _ day: Day, _ number: UInt64, in projection: String
  ) throws(ProjectionFault) -> RowKey {
    guard number >> 40 == 0 else { throw ProjectionFault.numberTooLarge(number, in: projection) }
    return RowKey(day: day, number: number)
  }

  /// Orders by day, then by number.
  @inlinable
  package static func < (left: RowKey, right: RowKey) -> Bool {
    left.day != right.day ? left.day < right.day : left.number < right.number
  }

  // Written out, since the derived one is not inlined elsewhere.
  @inlinable
  package static func == (left: RowKey, right: RowKey) -> Bool {
    left.day == right.day && left.number == right.number
  }

  /// The least place of a day.
  @inlinable
  package static func first(of day: Day) -> RowKey { RowKey(day: day, number: 0) }

  /// The place right after this one.
  @inlinable
  package var successor: RowKey {
    number >> 40 == 0 && number + 1 < 1 << 40
      ? RowKey(day: day, number: number + 1) : RowKey.first(of: day.adding(days: 1))
  }
}
