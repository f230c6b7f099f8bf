public import DaybookEntities

/// The description of a kind of ledger entity.
public struct KindDescription: Sendable {
  /// The described kind.
  public let kind: EntityKind
  /// The Swift type of its entities.
  public let type: any LedgerEntity.Type
  /// The kind's name in messages, listings and JSON.
  public let name: String
  /// The kind's properties, by ascending tag.
  public let properties: [PropertyDescription]
  /// The property whose four big-endian bytes order the entities in State, if there is one.
  public let clusterTag: UInt8?

  /// The properties that can contain personal data.
  ///
  /// The hash chain contains only salted digests of them, so that they can be erased.
  public var personalTags: [UInt8] { properties.filter(\.traits.isPersonal).map(\.tag) }
  /// The property that holds the name of an entity, if there is one.
  public var nameTag: UInt8? { properties.first(where: \.traits.isName)?.tag }
  /// The first recording number: 16 for accounts and categories, because the built-in ones have
  /// lower numbers; 1 for all other kinds.
  package var firstNumber: UInt64 { kind == .account || kind == .category ? 16 : 1 }
  /// The format version in which the newest of the properties was introduced.
  public var version: UInt8 { properties.map(\.traits.since).max() ?? 1 }

  /// All kinds of ledger entities, ordered by number.
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
    KindDescription("allocation", Allocation.self),
    KindDescription("terms", AccountTerms.self),
  ]

  /// The description of a kind, or `nil` if it isn't a kind of ledger entity.
  public static func of(_ kind: EntityKind) -> KindDescription? { byKind[kind] }

  private static let byKind = Dictionary(uniqueKeysWithValues: all.map { ($0.kind, $0) })

  /// Creates a description from the properties of an entity type.
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

  /// The kind's name in sentences, such as `recurring transaction`.
  package var noun: String {
    switch self {
    case .series: "recurring transaction"
    case .assertion: "stated balance"
    case .rate: "exchange rate"
    case .fingerprint: "imported row"
    case .terms: "interest terms"
    default: name
    }
  }

  /// The name of one of the kind's properties.
  public func propertyName(_ tag: UInt8) -> String { property(tag)?.name ?? "property \(tag)" }

  /// The description of one of the kind's properties, or `nil` if it is unknown.
  public func property(_ tag: UInt8) -> PropertyDescription? {
    KindDescription.of(self)?.properties.first { $0.tag == tag }
  }
}
