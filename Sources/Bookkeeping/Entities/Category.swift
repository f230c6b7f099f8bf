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
  /// The recording number; real categories count from 16, the built-in ones have 4 and 5.
  public var number: UInt64
  /// The category's id.
  public var id: CategoryID
  /// The name, unique among its siblings of the same kind that are not deleted.
  public var name: String
  /// Income or expense, the same as its parent's.
  public var kind: CategoryKind
  /// The category above.
  public var parent: CategoryID?
  /// Whether lists leave it out.
  public var isHidden: Bool
  /// Whether it was deleted: only its name, and rows that were to be kept, are left.
  public var isDeleted: Bool
  /// Free text.
  public var note: String
  /// The place among its siblings; equal places are ordered by name.
  public var order: Int64
}

extension Category {
  /// The kind of categories.
  public static var kind: EntityKind { .category }
  /// The id, untyped.
  public var entityID: EntityID { id.rawValue }

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

  /// An expense category without a name.
  public static let blank = Category(
    id: CategoryID(EntityID(high: 0, low: 0)), name: "", kind: .expense)

  /// The table of properties.
  @inline(__always)
  @_lifetime(p: copy p)
  public func visit<V: PropertyVisitor & ~Copyable & ~Escapable>(
    _ p: inout V
  ) throws(V.Failure) -> Category {
    Category.init(number:id:name:kind:parent:isHidden:isDeleted:note:order:)(
      p.number, CategoryID(p.id),
      try p(1, "name", name, .text, .name),
      try p(Tag.Category.kind, "kind", kind, .choice(), .plain),
      try p(3, "parent", parent, .optional(.id()), .plain),
      try p(4, "isHidden", isHidden, .flag, .json("hidden")),
      try p(5, "isDeleted", isDeleted, .flag, .json("deleted")),
      try p(6, "note", note, .text, .personal),
      try p(7, "order", order, .number, .plain))
  }
}
