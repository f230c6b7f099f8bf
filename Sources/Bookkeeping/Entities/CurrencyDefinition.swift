public import Entities

/// A currency that ISO 4217 does not have: points, a coin, a metal.
public struct CurrencyDefinition: LedgerEntity {
  /// The recording number.
  public var number: UInt64
  /// The currency with its decimals.
  public var currency: Currency
  /// What people call it.
  public var name: String

  /// The id that belongs to a currency's code, in its low half: six bits a character.
  public static func id(of currency: Currency) -> EntityID {
    EntityID(high: 0, low: currency.compactCode)
  }

  /// The id, untyped.
  public var entityID: EntityID { CurrencyDefinition.id(of: currency) }
  /// What currencies of a ledger's own are in the journal: kind 11.
  public static var kind: EntityKind { .currency }
}

extension CurrencyDefinition {
  /// A currency that ISO 4217 does not have, by its code and digits; `name` is for people.
  public init(currency: Currency, name: String = "", number: UInt64 = 0) {
    self.currency = currency
    self.name = name
    self.number = number
  }

  /// The definition of no currency.
  public static let blank = CurrencyDefinition(currency: CurrencyCoding.blank)

  /// The table of properties.
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
