public import Entities

/// What one unit of a currency cost in another on a day.
public struct ExchangeRate: LedgerEntity {
  /// The currency of which one unit is quoted.
  public var base: Currency
  /// The currency it is quoted in.
  public var quoted: Currency
  /// The day from which it counts, until a later rate does.
  public var day: Day
  /// The rate.
  public var quote: Quote
  /// The recording number.
  public var number: UInt64

  /// A rate: one `base` is `quote` `quoted`.
  public init(base: Currency, quoted: Currency, day: Day, quote: Quote, number: UInt64 = 0) {
    self.base = base
    self.quoted = quoted
    self.day = day
    self.quote = quote
    self.number = number
  }

  /// The id that belongs to two codes and a day: there is one rate for them.
  ///
  /// From the top: 42 bits of the base's code (six a character, 0 unused, 1 to 10 digits, 11 to 36
  /// letters), 42 bits of the quoted code, 12 bits 0, 32 bits of the biased day.
  public static func id(base: Currency, quoted: Currency, day: Day) -> RateID {
    let codes = UInt128(base.compactCode) << 42 | UInt128(quoted.compactCode)
    let bits = codes << 44 | UInt128(day.biased)
    return RateID(
      EntityID(
        high: UInt64(truncatingIfNeeded: bits >> 64), low: UInt64(truncatingIfNeeded: bits)))
  }

  /// The rate's id.
  public var id: RateID { ExchangeRate.id(base: base, quoted: quoted, day: day) }
  /// The id, untyped.
  public var entityID: EntityID { id.rawValue }
  /// The kind of rates.
  public static var kind: EntityKind { .rate }

  /// Reads a packed record.
  public init(_ bytes: RawSpan, id: EntityID, number: UInt64) throws(DecodingFault) {
    var read: (base: Currency?, quoted: Currency?, day: Day?, quote: Quote?)
    var reader = RecordReader(bytes)
    while let property = try reader.next() {
      switch property.tag {
      case Tag.Rate.base: read.base = try property.currency()
      case Tag.Rate.quote: read.quoted = try property.currency()
      case Tag.Rate.day: read.day = try property.day()
      case Tag.Rate.value:
        var value = ByteReader(property.value)
        let mantissa = try value.zigzag()
        read.quote = Quote(mantissa: mantissa, scale: try value.u8())
        try value.end(property.tag)
      default: throw property.unknown
      }
    }
    guard let base = read.base, let quoted = read.quoted, let day = read.day, let quote = read.quote
    else { throw .invalidValue("rate without currencies, day or value") }
    self.init(base: base, quoted: quoted, day: day, quote: quote, number: number)
  }

  /// The properties packed.
  public func record() -> Record {
    var writer = RecordWriter()
    writer.put(Tag.Rate.base, currency: base)
    writer.put(Tag.Rate.quote, currency: quoted)
    writer.put(Tag.Rate.day, day: day)
    writer.put(Tag.Rate.value) {
      $0.zigzag(quote.mantissa)
      $0.u8(quote.scale)
    }
    return writer.record
  }
}
