public import Entities

/// A property's value, decoded for people: what history shows before and after.
public enum PropertyValue: Hashable, Sendable {
  /// A text.
  case text(String)
  /// Several texts.
  case texts([String])
  /// A day.
  case day(Day)
  /// A number.
  case number(Int64)
  /// Yes.
  case flag(Bool)
  /// One of a property's named choices.
  case choice(String)
  /// Another entity.
  case entity(EntityID)
  /// A currency.
  case currency(Currency)
  /// An amount.
  case money(Money)
  /// A transaction's postings.
  case postings([Posting])
  /// A rate.
  case quote(Quote)
  /// A value that is only shown as having changed.
  case bytes([UInt8])
}

/// How a property is called and read.
public struct PropertyDescription: Sendable {
  /// The name, as in the type's own property.
  public let name: String
  /// Decodes its value.
  let read: @Sendable (RawSpan) throws -> PropertyValue

  /// Decodes a value of the property; bytes that cannot be read stay bytes.
  public func value(_ bytes: [UInt8]) -> PropertyValue {
    (try? read(bytes.span.bytes)) ?? .bytes(bytes)
  }

  init(_ name: String, _ read: @escaping @Sendable (RawSpan) throws -> PropertyValue) {
    self.name = name
    self.read = read
  }
}

extension EntityKind {
  /// The kind's name in messages and listings.
  public var name: String {
    KindDescription.all.first { $0.kind == self }?.name ?? "kind \(rawValue)"
  }

  /// What one of the kind's properties is called.
  public func propertyName(_ tag: UInt8) -> String {
    property(tag)?.name ?? "property \(tag)"
  }

  /// How one of the kind's properties is called and read, or `nil` where it is not known.
  public func property(_ tag: UInt8) -> PropertyDescription? {
    PropertyDescription.all[self]?[tag]
  }
}

extension PropertyDescription {
  private typealias Table = [UInt8: PropertyDescription]

  fileprivate static let all: [EntityKind: [UInt8: PropertyDescription]] = [
    .settings: settings, .account: account, .category: category, .transaction: transaction,
    .rate: rate, .budget: budget, .series: series, .rule: rule, .assertion: assertion,
    .fingerprint: fingerprint, .currency: currency, .mapping: mapping,
  ]

  private static let settings: Table = [
    Tag.Settings.baseCurrency: .currency("baseCurrency"),
    Tag.Settings.firstWeekday: .number8("firstWeekday"),
    Tag.Settings.closedThrough: .day("closedThrough"),
    Tag.Settings.mergePolicy: .choice("mergePolicy", MergePolicy.self),
  ]

  private static let account: Table = [
    Tag.Account.name: .text("name"), Tag.Account.kind: .choice("kind", AccountKind.self),
    Tag.Account.currency: .currency("currency"),
    Tag.Account.openingBalance: .number("openingBalance"),
    Tag.Account.openingDay: .day("openingDay"), Tag.Account.isClosed: .flag("isClosed"),
    Tag.Account.isHidden: .flag("isHidden"), Tag.Account.isDeleted: .flag("isDeleted"),
    Tag.Account.note: .text("note"), Tag.Account.order: .number("order"),
  ]

  private static let category: Table = [
    Tag.Category.name: .text("name"), Tag.Category.kind: .choice("kind", CategoryKind.self),
    Tag.Category.parent: .id("parent"), Tag.Category.isHidden: .flag("isHidden"),
    Tag.Category.isDeleted: .flag("isDeleted"), Tag.Category.note: .text("note"),
    Tag.Category.order: .number("order"),
  ]

  private static let transaction: Table = [
    Tag.Transaction.day: .day("day"), Tag.Transaction.type: .choice("type", TransactionType.self),
    Tag.Transaction.status: .choice("status", Status.self),
    Tag.Transaction.postings: PropertyDescription("postings") { span in
      var cursor = PostingCursor(span)
      var postings: [Posting] = []
      while try cursor.advance() {
        postings.append(
          Posting(Target(code: cursor.code, id: cursor.id), Money(cursor.units, cursor.currency)))
      }
      return .postings(postings)
    },
    Tag.Transaction.description: .text("description"), Tag.Transaction.payee: .text("payee"),
    Tag.Transaction.note: .text("note"), Tag.Transaction.tags: .texts("tags"),
    Tag.Transaction.postingNotes: .bytes("postingNotes"),
    Tag.Transaction.importState: .bytes("importIdentity"),
    Tag.Transaction.importReference: .text("importReference"),
    Tag.Transaction.series: .id("series"), Tag.Transaction.occurrence: .day("occurrence"),
    Tag.Transaction.categorizedBy: .id("categorizedBy"),
  ]

  private static let rate: Table = [
    Tag.Rate.base: .currency("base"), Tag.Rate.quote: .currency("quoted"),
    Tag.Rate.day: .day("day"),
    Tag.Rate.value: PropertyDescription("rate") { span in
      var reader = ByteReader(span)
      let mantissa = try reader.zigzag()
      return Quote(mantissa: mantissa, scale: try reader.u8()).map { .quote($0) }
        ?? .bytes(span.copied())
    },
  ]

  private static let budget: Table = [
    Tag.Budget.name: .text("name"), Tag.Budget.categories: .bytes("categories"),
    Tag.Budget.excludesSubcategories: .flag("excludesSubcategories"),
    Tag.Budget.amount: .money("amount"), Tag.Budget.period: .bytes("period"),
    Tag.Budget.rollover: .bytes("rollover"), Tag.Budget.start: .day("start"),
    Tag.Budget.end: .day("end"), Tag.Budget.steps: .bytes("steps"),
    Tag.Budget.isArchived: .flag("isArchived"), Tag.Budget.note: .text("note"),
    Tag.Budget.order: .number("order"),
  ]

  private static let series: Table = [
    Tag.Series.name: .text("name"), Tag.Series.type: .choice("type", TransactionType.self),
    Tag.Series.amount: .money("amount"), Tag.Series.account: .id("account"),
    Tag.Series.category: .id("category"), Tag.Series.otherAccount: .id("otherAccount"),
    Tag.Series.accountUnits: .number("accountUnits"),
    Tag.Series.description: .text("description"), Tag.Series.payee: .text("payee"),
    Tag.Series.note: .text("note"), Tag.Series.tags: .texts("tags"),
    Tag.Series.schedule: .bytes("schedule"), Tag.Series.anchor: .day("anchor"),
    Tag.Series.end: .day("end"), Tag.Series.countMax: .bytes("countMax"),
    Tag.Series.pausedFrom: .day("pausedFrom"), Tag.Series.skipped: .bytes("skipped"),
    Tag.Series.ahead: .bytes("ahead"), Tag.Series.isPending: .flag("isPending"),
  ]

  private static let rule: Table = [
    Tag.Rule.name: .text("name"), Tag.Rule.order: .number("order"),
    Tag.Rule.isDisabled: .flag("isDisabled"), Tag.Rule.matchesAny: .flag("matchesAny"),
    Tag.Rule.conditions: .bytes("conditions"), Tag.Rule.category: .id("category"),
    Tag.Rule.description: .text("description"), Tag.Rule.tags: .texts("tags"),
    Tag.Rule.continues: .flag("continues"),
  ]

  private static let assertion: Table = [
    Tag.Assertion.account: .id("account"), Tag.Assertion.day: .day("day"),
    Tag.Assertion.units: .number("units"), Tag.Assertion.note: .text("note"),
  ]

  private static let fingerprint: Table = [
    Tag.Fingerprint.changed: .number("changed"), Tag.Fingerprint.deleted: .number("deleted"),
  ]

  private static let currency: Table = [
    Tag.CurrencyDefinition.currency: .currency("currency"),
    Tag.CurrencyDefinition.name: .text("name"),
  ]

  private static let mapping: Table = [
    Tag.Mapping.name: .text("name"), Tag.Mapping.contents: .text("contents"),
    Tag.Mapping.delimiter: .text("delimiter"), Tag.Mapping.header: .texts("header"),
    Tag.Mapping.columnCount: .number("columnCount"), Tag.Mapping.account: .id("account"),
  ]

  // MARK: Encodings

  private static func text(_ name: String) -> PropertyDescription {
    PropertyDescription(name) { span in
      var reader = ByteReader(span)
      return .text(try reader.text(span.byteCount))
    }
  }

  private static func texts(_ name: String) -> PropertyDescription {
    PropertyDescription(name) { span in
      var reader = ByteReader(span)
      var texts: [String] = []
      for _ in 0..<(try reader.count()) { texts.append(try reader.string()) }
      return .texts(texts)
    }
  }

  private static func day(_ name: String) -> PropertyDescription {
    PropertyDescription(name) { span in
      var reader = ByteReader(span)
      return .day(try reader.day())
    }
  }

  private static func number(_ name: String) -> PropertyDescription {
    PropertyDescription(name) { span in
      var reader = ByteReader(span)
      return .number(try reader.zigzag())
    }
  }

  private static func number8(_ name: String) -> PropertyDescription {
    PropertyDescription(name) { span in
      var reader = ByteReader(span)
      return .number(Int64(try reader.u8()))
    }
  }

  private static func flag(_ name: String) -> PropertyDescription {
    PropertyDescription(name) { span in
      var reader = ByteReader(span)
      return .flag(try reader.flag())
    }
  }

  private static func id(_ name: String) -> PropertyDescription {
    PropertyDescription(name) { span in
      var reader = ByteReader(span)
      return .entity(try reader.id())
    }
  }

  private static func currency(_ name: String) -> PropertyDescription {
    PropertyDescription(name) { span in
      var reader = ByteReader(span)
      return .currency(try reader.currency())
    }
  }

  private static func money(_ name: String) -> PropertyDescription {
    PropertyDescription(name) { span in
      var reader = ByteReader(span)
      return .money(try reader.money())
    }
  }

  private static func choice<Choice: RawRepresentable<UInt8> & SendableMetatype>(
    _ name: String, _ type: Choice.Type
  ) -> PropertyDescription {
    PropertyDescription(name) { span in
      var reader = ByteReader(span)
      return .choice("\(try reader.code(type))")
    }
  }

  private static func bytes(_ name: String) -> PropertyDescription {
    PropertyDescription(name) { span in .bytes(span.copied()) }
  }
}
