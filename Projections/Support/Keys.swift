public import DaybookBookkeeping
public import DaybookEngine
public import DaybookEntities

// Keys take up most of the space of totals, so common keys are short. A currency with three letters
// and two decimals takes two bytes, and so does the number of an account or category if it is below
// 32,768.

extension TableKey {
  /// Appends a currency.
  ///
  /// A code of three letters with two decimals takes 15 bits after a 0 bit: five for each letter,
  /// from 1 for A. Any other currency begins with a 1 bit, the length of the code (3 bits), and the
  /// decimals (4 bits; 14 if a byte of decimals follows), and ends with the code. The key contains
  /// the decimals so that a currency can be read from the key alone.
  @inlinable
  package mutating func append(currency: Currency) {
    let code = currency.packedCode
    if currency.isThreeLettersAndTwoDecimals {
      let (first, second, third) = (code >> 56, code >> 48 & 31, code >> 40 & 31)
      return append((first & 31) << 10 | second << 5 | third, byteCount: 2)
    }
    let length = code == 0 ? 0 : 8 - code.trailingZeroBitCount >> 3
    let decimals = UInt64(currency.digits & 0xff)
    append(UInt64(0x80 | length << 4) | min(decimals, 14), byteCount: 1)
    if decimals >= 14 { append(decimals, byteCount: 1) }
    if length > 0 { append(code >> UInt64(64 - 8 * length), byteCount: length) }
  }

  /// Appends the number of an account, a category or another entity.
  ///
  /// A number below 32,768 takes two bytes. A number below 2³⁰ takes four bytes, which begin with
  /// the bits 10. A greater number takes a byte C0 followed by four bytes.
  @inlinable
  package mutating func append(number: UInt32) {
    if number < 0x8000 {
      append(UInt64(number), byteCount: 2)
    } else if number < 0x4000_0000 {
      append(UInt64(number | 0x8000_0000), byteCount: 4)
    } else {
      append(0xc0_0000_0000 | UInt64(number), byteCount: 5)
    }
  }

  /// Appends a period as four bytes; see ``append(_:_:)``.
  @inlinable
  package mutating func append(_ period: Period) { append(period.level, period.index) }

  /// Appends the level (2 bits) and the index of a period or of a span's bound (30 bits).
  ///
  /// The index is biased by 2²⁹, so that keys are ordered like indices. Indices that are out of
  /// range are far beyond all days, and are clamped.
  @inlinable
  package mutating func append(_ level: Period.Level, _ index: Int32) {
    let within = min(max(index, -1 << 29), 1 << 29 - 1)
    append(UInt64(level.rawValue) << 30 | UInt64(Int64(within) + 1 << 29), byteCount: 4)
  }

  /// Appends a transaction's place in its list.
  @inlinable
  package mutating func append(_ key: RowKey) {
    append(u32: key.day.biased)
    append(u40: key.number)
  }
}

extension Currency {
  /// Whether the code has three capital letters and the currency has two decimals, which is the
  /// most common case.
  @inlinable
  var isThreeLettersAndTwoDecimals: Bool {
    packed << 24 == 2 << 24 && packed >> 56 &- 0x41 < 26 && packed >> 48 & 0xff &- 0x41 < 26
      && packed >> 40 & 0xff &- 0x41 < 26
  }
}

extension TableKey {
  /// Returns the level of the period at `offset`.
  package func periodLevel(at offset: Int) -> Period.Level? {
    Period.Level(rawValue: self[offset] >> 6)
  }
}

extension ByteReader {
  /// Reads a currency in the encoding of ``TableKey``.
  ///
  /// - Throws: ``DecodingFault`` if the encoding isn't canonical. A scan continues from a key that
  ///   is encoded from decoded values, so this key must equal the original one.
  @inlinable
  @inline(__always)
  @_lifetime(self: copy self)
  package mutating func keyCurrency() throws(DecodingFault) -> Currency {
    let letters = UInt64(try u16be())
    let (first, second, third) = (letters >> 10, letters >> 5 & 31, letters & 31)
    guard first &- 1 < 26, second &- 1 < 26, third &- 1 < 26 else {
      offset -= 2
      return try keyRareCurrency()
    }
    let code = (first + 0x40) << 56 | (second + 0x40) << 48 | (third + 0x40) << 40
    return Currency(packed: code | 2)
  }

  /// Reads a currency whose code or decimals don't have the most common form.
  @usableFromInline
  @_lifetime(self: copy self)
  mutating func keyRareCurrency() throws(DecodingFault) -> Currency {
    let head = UInt64(try u8())
    var packed = head & 15
    let hasByteOfDecimals = packed == 14
    if hasByteOfDecimals { packed = UInt64(try u8()) }
    guard head >= 0x80, hasByteOfDecimals ? packed >= 14 : packed < 14 else {
      throw .invalidValue("currency")
    }
    let length = Int(head >> 4 & 7)
    var shift: UInt64 = 56
    for _ in 0..<length {
      packed |= UInt64(try u8()) << shift
      shift -= 8
    }
    let currency = Currency(packed: packed)
    guard currency.isWellFormed, currency.length == length, !currency.isThreeLettersAndTwoDecimals
    else { throw .invalidValue("currency") }
    return currency
  }

  /// Reads the number of an account, a category or another entity.
  ///
  /// - Throws: ``DecodingFault`` if the encoding isn't canonical.
  @inlinable
  @inline(__always)
  @_lifetime(self: copy self)
  package mutating func keyNumber() throws(DecodingFault) -> UInt32 {
    let number = UInt32(try u16be())
    if number < 0x8000 { return number }
    offset -= 2
    return try keyLargeNumber()
  }

  /// Reads a number that is at least 32,768.
  @usableFromInline
  @_lifetime(self: copy self)
  mutating func keyLargeNumber() throws(DecodingFault) -> UInt32 {
    let head = try u8()
    if head == 0xc0 {
      let number = try u32be()
      if number >= 0x4000_0000 { return number }
    } else if head < 0xc0 {
      offset -= 1
      let number = try u32be() & 0x3fff_ffff
      if number >= 0x8000 { return number }
    }
    throw .invalidValue("number in a key")
  }

  /// Reads the level and the index of a period.
  @inlinable
  @_lifetime(self: copy self)
  package mutating func keyPeriod() throws(DecodingFault) -> (level: UInt8, index: Int32) {
    let bits = try u32be()
    return (UInt8(bits >> 30), ByteReader.index(ofPeriod: bits))
  }

  /// Reads the index of a period.
  @inlinable
  @_lifetime(self: copy self)
  package mutating func keyIndex() throws(DecodingFault) -> Int32 { try keyPeriod().index }

  @inlinable
  static func index(ofPeriod bits: UInt32) -> Int32 {
    Int32(bitPattern: bits & 0x3fff_ffff) - 1 << 29
  }

  /// Reads a transaction's place in its list.
  @inlinable
  @_lifetime(self: copy self)
  package mutating func rowKey() throws(DecodingFault) -> RowKey {
    let day = Day(biased: try u32be())
    let high = try u8()
    let low = try u32be()
    return RowKey(day: day, number: UInt64(high) << 32 | UInt64(low))
  }
}

/// A transaction's place in its list, which is ordered by day and recording number.
@usableFromInline
package struct RowKey: Hashable, Comparable, Sendable {
  /// The transaction's day.
  @usableFromInline package var day: Day
  /// The transaction's recording number, below 2⁴⁰.
  @usableFromInline package var number: UInt64

  /// Creates a place.
  @inlinable
  package init(day: Day, number: UInt64) {
    self.day = day
    self.number = number
  }

  /// Creates a place after checking that the number fits in a key.
  ///
  /// - Throws: ``ProjectionFault/Code/numberTooLarge`` if the number doesn't fit.
  @inlinable
  package static func checked(
    _ day: Day, _ number: UInt64, in projection: String
  ) throws(ProjectionFault) -> RowKey {
    guard number >> 40 == 0 else { throw ProjectionFault.numberTooLarge(number, in: projection) }
    return RowKey(day: day, number: number)
  }

  /// Orders places by day, then by number.
  @inlinable
  package static func < (left: RowKey, right: RowKey) -> Bool {
    left.day != right.day ? left.day < right.day : left.number < right.number
  }

  // Written by hand, because the synthesized implementation isn't inlined in other modules.
  @inlinable
  package static func == (left: RowKey, right: RowKey) -> Bool {
    left.day == right.day && left.number == right.number
  }

  /// Returns the first place of a day.
  @inlinable
  package static func first(of day: Day) -> RowKey { RowKey(day: day, number: 0) }

  /// The place directly after this one.
  @inlinable
  package var successor: RowKey {
    number >> 40 == 0 && number + 1 < 1 << 40
      ? RowKey(day: day, number: number + 1) : RowKey.first(of: day.adding(days: 1))
  }
}
