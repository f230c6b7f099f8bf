public import DaybookEntities

/// A currency that is not in ISO 4217, such as loyalty points, a cryptocurrency or a metal.
public struct CurrencyDefinition: LedgerEntity {
  /// The recording number.
  public var number: UInt64
  /// The currency with its number of decimals.
  public var currency: Currency
  /// The display name.
  public var name: String

  /// The id derived from a currency's code: six bits per character, in the low half.
  public static func id(of currency: Currency) -> EntityID {
    EntityID(high: 0, low: currency.compactCode)
  }

  /// The untyped id.
  public var entityID: EntityID { CurrencyDefinition.id(of: currency) }
  /// The kind of currency definitions in the journal: 11.
  public static var kind: EntityKind { .currency }
}

extension CurrencyDefinition {
  /// Creates a definition of a currency; `name` is for display.
  public init(currency: Currency, name: String = "", number: UInt64 = 0) {
    self.currency = currency
    self.name = name
    self.number = number
  }

  /// A definition of a blank currency.
  public static let blank = CurrencyDefinition(currency: CurrencyCoding.blank)

  /// Defines the properties; see ``LedgerEntity/visit(_:)``.
  @inline(__always)
  @_lifetime(p: copy p)
  public func visit<V: PropertyVisitor & ~Copyable & ~Escapable>(
    _ p: inout V
  ) throws(V.Failure) -> CurrencyDefinition {
    CurrencyDefinition.init(number:currency:name:)(
      p.number,
      try p(1, "currency", currency, .currency, .plain),
      try p(2, "name", name, .text, .name))
  }
}
