public import Entities

/// What the journal is told about a kind of entity of the ledger.
public struct KindDescription: Sendable {
  /// The kind.
  public let kind: EntityKind
  /// Its name in messages and listings.
  public let name: String
  /// The properties that may name a person or say what one did: they enter the chain only as salted
  /// digests, so that they can be erased.
  public let personalTags: [UInt8]
  /// The property whose four big-endian bytes order the entities in State, if any.
  public let clusterTag: UInt8?

  /// All kinds of the ledger, in order of their numbers.
  public static let all: [KindDescription] = [
    KindDescription(kind: .settings, name: "settings", personalTags: [], clusterTag: nil),
    KindDescription(
      kind: .account, name: "account", personalTags: [Tag.Account.name, Tag.Account.note],
      clusterTag: nil),
    KindDescription(
      kind: .category, name: "category", personalTags: [Tag.Category.name, Tag.Category.note],
      clusterTag: nil),
    KindDescription(
      kind: .transaction, name: "transaction",
      personalTags: [
        Tag.Transaction.description, Tag.Transaction.payee, Tag.Transaction.note,
        Tag.Transaction.tags, Tag.Transaction.postingNotes, Tag.Transaction.importReference,
      ], clusterTag: Tag.Transaction.day),
    KindDescription(kind: .rate, name: "rate", personalTags: [], clusterTag: nil),
    KindDescription(
      kind: .budget, name: "budget", personalTags: [Tag.Budget.name, Tag.Budget.note],
      clusterTag: nil),
    KindDescription(
      kind: .series, name: "series",
      personalTags: [
        Tag.Series.name, Tag.Series.description, Tag.Series.payee, Tag.Series.note,
        Tag.Series.tags,
      ], clusterTag: nil),
    KindDescription(
      kind: .rule, name: "rule",
      personalTags: [Tag.Rule.name, Tag.Rule.conditions, Tag.Rule.description, Tag.Rule.tags],
      clusterTag: nil),
    KindDescription(
      kind: .assertion, name: "assertion", personalTags: [Tag.Assertion.note], clusterTag: nil),
    KindDescription(kind: .fingerprint, name: "fingerprint", personalTags: [], clusterTag: nil),
    KindDescription(
      kind: .currency, name: "currency", personalTags: [Tag.CurrencyDefinition.name],
      clusterTag: nil),
    KindDescription(
      kind: .mapping, name: "mapping",
      personalTags: [Tag.Mapping.name, Tag.Mapping.contents, Tag.Mapping.header], clusterTag: nil),
  ]
}
