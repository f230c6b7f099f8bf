public import Entities

/// Which text of a transaction a condition looks at.
public enum RuleField: UInt8, Hashable, Sendable, CaseIterable, Codable {
  /// Description, payee or note.
  case any = 0
  /// The description.
  case description = 1
  /// The payee.
  case payee = 2
  /// The note.
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
  /// The size of the amount in minor units, from and including, to and including; `nil` for no bound.
  /// On disk: 2, optional number, optional number, currency.
  case amount(from: Int64?, through: Int64?, Currency)
  /// The type. On disk: 3, code.
  case type(TransactionType)
}

/// What to do with rows that look a certain way.
public struct CategoryRule: LedgerEntity {
  /// The rule's id.
  public var id: RuleID
  /// The recording number.
  public var number: UInt64
  /// The name.
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

  /// A rule; set the rarer properties afterwards.
  public init(
    id: RuleID, number: UInt64 = 0, name: String, conditions: [RuleCondition],
    category: CategoryID? = nil
  ) {
    self.id = id
    self.number = number
    self.name = name
    self.conditions = conditions
    self.category = category
  }

  /// The id, untyped.
  public var entityID: EntityID { id.rawValue }
  /// The kind of rules.
  public static var kind: EntityKind { .rule }
}

extension CategoryRule {
  /// Reads a packed record.
  public init(_ bytes: RawSpan, id: EntityID, number: UInt64) throws(DecodingFault) {
    self.init(id: RuleID(id), number: number, name: "", conditions: [])
    var reader = RecordReader(bytes)
    while let property = try reader.next() {
      var value = ByteReader(property.value)
      switch property.tag {
      case Tag.Rule.name: name = try property.text()
      case Tag.Rule.order: order = try property.signed()
      case Tag.Rule.isDisabled: isEnabled = !(try property.flag())
      case Tag.Rule.matchesAny: matchesAny = try property.flag()
      case Tag.Rule.conditions:
        for _ in 0..<(try value.count()) { conditions.append(try RuleCondition(&value)) }
      case Tag.Rule.category: category = CategoryID(try property.id())
      case Tag.Rule.description: description = try property.text()
      case Tag.Rule.tags:
        for _ in 0..<(try value.count()) { tags.append(try value.string()) }
      case Tag.Rule.continues: continues = try property.flag()
      default: throw property.unknown
      }
    }
  }

  /// The properties packed.
  public func record() -> Record {
    var writer = RecordWriter()
    writer.put(Tag.Rule.name, text: name)
    writer.put(Tag.Rule.order, signed: order)
    writer.put(Tag.Rule.isDisabled, flag: !isEnabled)
    writer.put(Tag.Rule.matchesAny, flag: matchesAny)
    writer.put(Tag.Rule.conditions, list: conditions) { $1.write(to: &$0) }
    writer.put(Tag.Rule.category, id: category?.rawValue)
    writer.put(Tag.Rule.description, text: description)
    writer.put(Tag.Rule.tags, list: tags) { $0.string($1) }
    writer.put(Tag.Rule.continues, flag: continues)
    return writer.record
  }
}

extension RuleCondition {
  fileprivate init(_ reader: inout ByteReader) throws(DecodingFault) {
    switch try reader.u8() {
    case 0: self = .text(try reader.code(), try reader.code(), try reader.string())
    case 1: self = .account(AccountID(try reader.id()))
    case 2:
      let from = try reader.flag() ? try reader.zigzag() : nil
      let through = try reader.flag() ? try reader.zigzag() : nil
      self = .amount(from: from, through: through, try reader.currency())
    case 3: self = .type(try reader.code())
    default: throw .invalidValue("condition of a rule")
    }
  }

  fileprivate func write(to writer: inout ByteWriter) {
    switch self {
    case .text(let field, let match, let text):
      writer.u8(0)
      writer.u8(field.rawValue)
      writer.u8(match.rawValue)
      writer.string(text)
    case .account(let id):
      writer.u8(1)
      writer.id(id.rawValue)
    case .amount(let from, let through, let currency):
      writer.u8(2)
      writer.optional(from) { $0.zigzag($1) }
      writer.optional(through) { $0.zigzag($1) }
      writer.currency(currency)
    case .type(let type):
      writer.u8(3)
      writer.u8(type.rawValue)
    }
  }
}
