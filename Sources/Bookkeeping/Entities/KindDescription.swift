public import Entities

/// What is known of a kind of entity of the ledger.
public struct KindDescription: Sendable {
  /// Which kind of entity is described.
  public let kind: EntityKind
  /// The type of its entities.
  public let type: any LedgerEntity.Type
  /// Its name in messages, listings and JSON.
  public let name: String
  /// Its properties, tags ascending.
  public let properties: [PropertyDescription]
  /// The property whose four big-endian bytes order the entities in State, if any.
  public let clusterTag: UInt8?

  /// The properties that may name a person or say what one did: they enter the chain only as salted
  /// digests, so that they can be erased.
  public var personalTags: [UInt8] { properties.filter(\.traits.isPersonal).map(\.tag) }
  /// The property that people call its entities by, if any.
  public var nameTag: UInt8? { properties.first(where: \.traits.isName)?.tag }
  /// The recording number of the first entity: built-in accounts and categories have those below 16.
  package var firstNumber: UInt64 { kind == .account || kind == .category ? 16 : 1 }
  /// The newest version that any of its properties came with.
  public var version: UInt8 { properties.map(\.traits.since).max() ?? 1 }

  /// All kinds of the ledger, in order of their numbers.
  public static let all: [KindDescription] = [
    KindDescription("settings", LedgerSettings.self),
    KindDescription("account", Account.self),
    KindDescription("category", Category.self),
    KindDescription("transaction", Transaction.self, clusterTag: Tag.Transaction.day),
    KindDescription("rate", ExchangeRate.self),
    KindDescription("budget", Budget.self),
    KindDescription("series", Series.self),
    KindDescription("rule", CategoryRule.self),
    KindDescription("assertion", BalanceAssertion.self),
    KindDescription("fingerprint", Fingerprint.self),
    KindDescription("currency", CurrencyDefinition.self),
    KindDescription("mapping", SavedMapping.self),
  ]

  /// What is known of a kind, or `nil` where the ledger does not have it.
  public static func of(_ kind: EntityKind) -> KindDescription? { byKind[kind] }

  private static let byKind = Dictionary(uniqueKeysWithValues: all.map { ($0.kind, $0) })

  /// What is known of a kind, by the table of its type.
  package init<Entity: LedgerEntity>(
    _ name: String, _ type: Entity.Type, clusterTag: UInt8? = nil
  ) {
    kind = type.kind
    self.type = type
    self.name = name
    properties = type.describeProperties()
    self.clusterTag = clusterTag
  }
}

extension EntityKind {
  /// The kind's name in messages and listings.
  public var name: String {
    if self == .dismissal { return "dismissal" }
    return KindDescription.of(self)?.name ?? "kind \(rawValue)"
  }

  /// What one of the kind's properties is called.
  public func propertyName(_ tag: UInt8) -> String { property(tag)?.name ?? "property \(tag)" }

  /// How one of the kind's properties is called and read, or `nil` where it is not known.
  public func property(_ tag: UInt8) -> PropertyDescription? {
    KindDescription.of(self)?.properties.first { $0.tag == tag }
  }
}
