public import Entities

/// Which text of a transaction a condition looks at.
public enum RuleField: UInt8, Hashable, Sendable, CaseIterable, Codable {
  /// Description, payee or note.
  case any = 0
  /// The transaction's description.
  case description = 1
  /// Whom it was paid to or came from.
  case payee = 2
  /// The transaction's free text.
  case note = 3
}

/// How a condition compares a text; case never matters.
public enum RuleMatch: UInt8, Hashable, Sendable, CaseIterable, Codable {
  /// The text is somewhere in it.
  case contains = 0
  /// It is the text.
  case equals = 1
  /// It begins with the text.
  case starts = 2
  /// It matches the text as a pattern: `*` any characters, `?` one.
  case pattern = 3
}

/// One thing that must hold of a transaction for a rule to apply.
public enum RuleCondition: Hashable, Sendable {
  /// A text. On disk: 0, code of the field, code of the match, string.
  case text(RuleField, RuleMatch, String)
  /// An account. On disk: 1, id.
  case account(AccountID)
  /// The size of the amount, whichever way it goes: from and including, to and including, both in one
  /// currency. One of them may be `nil`, for no bound: from 0 on is any amount in that currency.
  /// On disk: 2, optional number, optional number, currency.
  case amount(from: Money?, through: Money?)
  /// The type. On disk: 3, code.
  case type(TransactionType)
}

extension RuleCondition {
  /// The currency of the amounts it compares; `nil` where it compares none.
  package var currency: Currency? {
    if case .amount(let from, let through) = self { (from ?? through)?.currency } else { nil }
  }
}

/// What to do with rows that look a certain way.
public struct CategoryRule: LedgerEntity {
  /// The rule's id.
  public var id: RuleID
  /// The recording number.
  public var number: UInt64
  /// What people call it; at most ``Limits/nameByteCountMax`` bytes of UTF-8.
  public var name: String
  /// The place in the order in which rules are tried.
  public var order: Int64 = 0
  /// Whether it is tried at all.
  public var isEnabled = true
  /// Whether one condition is enough; otherwise all must hold.
  public var matchesAny = false
  /// What must hold.
  public var conditions: [RuleCondition]
  /// The category it gives.
  public var category: CategoryID?
  /// The description it gives; empty to leave it.
  public var description = ""
  /// The tags it adds.
  public var tags: [String] = []
  /// Whether later rules are tried too.
  public var continues = false

  /// The id, untyped.
  public var entityID: EntityID { id.rawValue }
  /// The kind of rules.
  public static var kind: EntityKind { .rule }
}

extension CategoryRule {
  /// A rule; set the rarer properties afterwards.
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

  /// A rule without conditions.
  public static let blank = CategoryRule(
    id: RuleID(EntityID(high: 0, low: 0)), name: "", conditions: [])

  /// The table of properties.
  @inline(__always)
  @_lifetime(p: copy p)
  public func visit<V: PropertyVisitor & ~Copyable & ~Escapable>(
    _ p: inout V
  ) throws(V.Failure) -> CategoryRule {
    CategoryRule.init(
      id:number:name:order:isEnabled:matchesAny:conditions:category:description:tags:continues:
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
      try p(9, "continues", continues, .flag, .plain))
  }
}
