public import DaybookEntities

/// The text of a transaction that a condition checks.
public enum RuleField: UInt8, Hashable, Sendable, CaseIterable, Codable {
  /// Description, payee or note.
  case any = 0
  /// The transaction's description.
  case description = 1
  /// The transaction's payee.
  case payee = 2
  /// The transaction's note.
  case note = 3
}

/// The way in which a condition compares texts; case and accents are ignored, as in searches.
public enum RuleMatch: UInt8, Hashable, Sendable, CaseIterable, Codable {
  /// The transaction's text contains the condition's text.
  case contains = 0
  /// The transaction's text equals the condition's text.
  case equals = 1
  /// The transaction's text starts with the condition's text.
  case starts = 2
  /// The transaction's text matches a pattern: `*` stands for any characters, `?` for one.
  case pattern = 3
}

/// A condition for a rule to apply to a transaction.
public enum RuleCondition: Hashable, Sendable {
  /// A text. On disk: 0, code of the field, code of the match, string.
  case text(RuleField, RuleMatch, String)
  /// An account. On disk: 1, id.
  case account(AccountID)
  /// A range of absolute amounts with inclusive bounds in one currency.
  ///
  /// One bound may be `nil`. A minimum of 0 matches any amount in its currency. On disk: 2,
  /// optional number, optional number, currency.
  case amount(from: Money?, through: Money?)
  /// The type. On disk: 3, code.
  case type(TransactionType)
}

extension RuleCondition {
  /// The currency of the compared amounts; `nil` if the condition compares no amounts.
  package var currency: Currency? {
    if case .amount(let from, let through) = self { (from ?? through)?.currency } else { nil }
  }
}

/// A rule that sets the category, payee, description or tags of matching transactions, or makes
/// transfers of them.
public struct CategoryRule: LedgerEntity {
  /// The rule's id.
  public var id: RuleID
  /// The recording number.
  public var number: UInt64
  /// The name; at most ``Limits/nameByteCountMax`` bytes of UTF-8.
  public var name: String
  /// The position in the order in which rules are tried.
  public var order: Int64 = 0
  /// Whether the rule is used.
  public var isEnabled = true
  /// Whether a transaction needs to satisfy only one condition instead of all.
  public var matchesAny = false
  /// The conditions.
  public var conditions: [RuleCondition]
  /// The category to set.
  public var category: CategoryID?
  /// The description to set; empty to keep the transaction's description.
  public var description = ""
  /// The tags to add.
  public var tags: [String] = []
  /// Whether later rules are tried after this one has matched.
  public var continues = false
  /// The payee to set; empty to keep the transaction's payee.
  ///
  /// Only a payee that no person entered is replaced. Conditions still match the text that the bank
  /// stated; see ``Transaction/statedPayee``.
  public var payee = ""
  /// The account at the other end of the transfer to make, instead of setting a category.
  ///
  /// Money that leaves the account of an imported transaction goes to this account, and money that
  /// enters it comes from it. Both accounts must be in the same currency, and a reconciled
  /// transaction stays unchanged.
  public var transferAccount: AccountID?

  /// The untyped id.
  public var entityID: EntityID { id.rawValue }
  /// The kind of rules.
  public static var kind: EntityKind { .rule }
}

extension CategoryRule {
  /// Creates a rule; set the other properties afterwards.
  public init(
    id: RuleID = .random(), number: UInt64 = 0, name: String, conditions: [RuleCondition],
    category: CategoryID? = nil
  ) {
    self.id = id
    self.number = number
    self.name = name
    self.conditions = conditions
    self.category = category
  }

  /// A rule without a name or conditions.
  public static let blank = CategoryRule(
    id: RuleID(EntityID(high: 0, low: 0)), name: "", conditions: [])

  /// Defines the properties; see ``LedgerEntity/visit(_:)``.
  @inline(__always)
  @_lifetime(p: copy p)
  public func visit<V: PropertyVisitor & ~Copyable & ~Escapable>(
    _ p: inout V
  ) throws(V.Failure) -> CategoryRule {
    CategoryRule.init(
      id:number:name:order:isEnabled:matchesAny:conditions:category:description:tags:continues:
      payee:transferAccount:
    )(
      RuleID(p.id), p.number,
      try p(1, "name", name, .text, .name),
      try p(2, "order", order, .number, .plain),
      try p(3, "isEnabled", isEnabled, .flagUnless, .json("enabled")),
      try p(4, "matchesAny", matchesAny, .flag, .plain.register(5)),
      try p(5, "conditions", conditions, .list(), .personal.register(5)),
      try p(6, "category", category, .optional(.id()), .plain),
      try p(7, "description", description, .text, .personal),
      try p(8, "tags", tags, .list(), .personal),
      try p(9, "continues", continues, .flag, .plain),
      try p(10, "payee", payee, .text, .personal),
      try p(11, "transferAccount", transferAccount, .optional(.id()), .plain.register(6)))
  }
}
