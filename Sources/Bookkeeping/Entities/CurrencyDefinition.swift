public import Entities

/// A currency that ISO 4217 does not have: points, a coin, a metal.
public struct CurrencyDefinition: LedgerEntity {
  /// The currency with its decimals.
  public var currency: Currency
  /// What people call it.
  public var name: String
  /// The recording number.
  public var number: UInt64

  /// A definition.
  public init(currency: Currency, name: String = "", number: UInt64 = 0) {
    self.currency = currency
    self.name = name
    self.number = number
  }

  /// The id that belongs to a currency's code, in its low half: six bits a character.
  public static func id(of currency: Currency) -> EntityID {
    EntityID(high: 0, low: currency.compactCode)
  }

  /// The id, untyped.
  public var entityID: EntityID { CurrencyDefinition.id(of: currency) }
  /// The kind of definitions.
  public static var kind: EntityKind { .currency }

  /// Reads a packed record.
  public init(_ bytes: RawSpan, id: EntityID, number: UInt64) throws(DecodingFault) {
    var currency: Currency?
    var name = ""
    var reader = RecordReader(bytes)
    while let property = try reader.next() {
      switch property.tag {
      case Tag.CurrencyDefinition.currency: currency = try property.currency()
      case Tag.CurrencyDefinition.name: name = try property.text()
      default: throw property.unknown
      }
    }
    guard let currency else { throw .invalidValue("definition without currency") }
    self.init(currency: currency, name: name, number: number)
  }

  /// The properties packed.
  public func record() -> Record {
    var writer = RecordWriter()
    writer.put(Tag.CurrencyDefinition.currency, currency: currency)
    writer.put(Tag.CurrencyDefinition.name, text: name)
    return writer.record
  }
}
