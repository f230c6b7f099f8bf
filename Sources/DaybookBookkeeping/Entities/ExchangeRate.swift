public import DaybookEntities

/// The price of one unit of a currency in another currency on a day.
public struct ExchangeRate: LedgerEntity {
  /// The recording number.
  public var number: UInt64
  /// The currency whose unit is priced.
  public var base: Currency
  /// The currency of the price.
  public var quoted: Currency
  /// The first day on which the rate applies; it applies until the day of a later rate.
  public var day: Day
  /// The exact price of one unit of `base` in `quoted`.
  public var quote: Quote

  /// The id derived from two currency codes and a day, so that they have only one rate.
  ///
  /// The id consists of these bits, most significant first: 42 bits of the base code (six per
  /// character: 0 unused, 1 to 10 digits, 11 to 36 letters), 42 bits of the quoted code, 12 zero
  /// bits, 32 bits of the biased day.
  public static func id(base: Currency, quoted: Currency, day: Day) -> RateID {
    let codes = UInt128(base.compactCode) << 42 | UInt128(quoted.compactCode)
    let bits = codes << 44 | UInt128(day.biased)
    return RateID(
      EntityID(
        high: UInt64(truncatingIfNeeded: bits >> 64), low: UInt64(truncatingIfNeeded: bits)))
  }

  /// The rate's id.
  public var id: RateID { ExchangeRate.id(base: base, quoted: quoted, day: day) }
  /// The untyped id.
  public var entityID: EntityID { id.rawValue }
  /// The kind of exchange rates.
  public static var kind: EntityKind { .rate }
}

extension ExchangeRate {
  /// Creates a rate: one unit of `base` costs `quote` units of `quoted`.
  public init(base: Currency, quoted: Currency, day: Day, quote: Quote, number: UInt64 = 0) {
    self.base = base
    self.quoted = quoted
    self.day = day
    self.quote = quote
    self.number = number
  }

  /// A rate of 1 between blank currencies.
  public static let blank = ExchangeRate(
    base: CurrencyCoding.blank, quoted: CurrencyCoding.blank, day: DayCoding.blank,
    quote: QuoteCoding.blank)

  /// Defines the properties; see ``LedgerEntity/visit(_:)``.
  @inline(__always)
  @_lifetime(p: copy p)
  public func visit<V: PropertyVisitor & ~Copyable & ~Escapable>(
    _ p: inout V
  ) throws(V.Failure) -> ExchangeRate {
    ExchangeRate.init(number:base:quoted:day:quote:)(
      p.number,
      try p(1, "base", base, .currency, .plain.register(1)),
      try p(2, "quoted", quoted, .currency, .plain.register(1)),
      try p(3, "day", day, .day, .plain.register(1)),
      try p(4, "rate", quote, .quote, .plain.register(1)))
  }
}
