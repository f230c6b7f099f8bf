public import Entities

/// Whether money in a category was earned or spent.
public enum CategoryKind: UInt8, Hashable, Sendable, CaseIterable, Codable {
  /// What is spent.
  case expense = 0
  /// What is earned.
  case income = 1
}

/// A category: what money was earned with or spent on; a tree of any depth.
public struct Category: LedgerEntity {
  /// The category's id.
  public var id: CategoryID
  /// The recording number; real categories count from 16, the built-in ones have 4 and 5.
  public var number: UInt64
  /// The name, unique among its siblings of the same kind that are not deleted.
  public var name: String
  /// Income or expense, the same as its parent's.
  public var kind: CategoryKind
  /// The category above.
  public var parent: CategoryID?
  /// Whether lists leave it out.
  public var isHidden: Bool
  /// Whether it was deleted and only its name and postings are kept.
  public var isDeleted: Bool
  /// Free text.
  public var note: String
  /// The place among its siblings; equal places are ordered by name.
  public var order: Int64

  /// A category by its properties.
  public init(
    id: CategoryID, number: UInt64 = 0, name: String, kind: CategoryKind,
    parent: CategoryID? = nil, isHidden: Bool = false, isDeleted: Bool = false, note: String = "",
    order: Int64 = 0
  ) {
    self.id = id
    self.number = number
    self.name = name
    self.kind = kind
    self.parent = parent
    self.isHidden = isHidden
    self.isDeleted = isDeleted
    self.note = note
    self.order = order
  }
}

extension Category {
  /// The kind of categories.
  public static var kind: EntityKind { .category }
  /// The id, untyped.
  public var entityID: EntityID { id.rawValue }

  /// Reads a packed record.
  public init(_ bytes: RawSpan, id: EntityID, number: UInt64) throws(DecodingFault) {
    self.init(id: CategoryID(id), number: number, name: "", kind: .expense)
    var reader = RecordReader(bytes)
    while let property = try reader.next() {
      switch property.tag {
      case Tag.Category.name: name = try property.text()
      case Tag.Category.kind: kind = try property.code()
      case Tag.Category.parent: parent = CategoryID(try property.id())
      case Tag.Category.isHidden: isHidden = try property.flag()
      case Tag.Category.isDeleted: isDeleted = try property.flag()
      case Tag.Category.note: note = try property.text()
      case Tag.Category.order: order = try property.signed()
      default: throw property.unknown
      }
    }
  }

  /// The properties packed.
  public func record() -> Record {
    var writer = RecordWriter()
    writer.put(Tag.Category.name, text: name)
    writer.put(Tag.Category.kind, code: kind.rawValue)
    writer.put(Tag.Category.parent, id: parent?.rawValue)
    writer.put(Tag.Category.isHidden, flag: isHidden)
    writer.put(Tag.Category.isDeleted, flag: isDeleted)
    writer.put(Tag.Category.note, text: note)
    writer.put(Tag.Category.order, signed: order)
    return writer.record
  }
}
