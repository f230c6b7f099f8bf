public import DaybookEntities

/// Whether the money of a category is earned or spent.
public enum CategoryKind: UInt8, Hashable, Sendable, CaseIterable, Codable {
  /// Money spent.
  case expense = 0
  /// Money earned.
  case income = 1
}

/// A category of income or expense; categories form a tree.
public struct Category: LedgerEntity {
  /// The recording number: from 16 for a ledger's own categories, 4 and 5 for the built-in ones.
  public var number: UInt64
  /// The category's id.
  public var id: CategoryID
  /// The name, unique among siblings of the same kind that aren't deleted.
  public var name: String
  /// Income or expense, the same as its parent's.
  public var kind: CategoryKind
  /// The parent category.
  public var parent: CategoryID?
  /// Whether lists leave the category out.
  public var isHidden: Bool
  /// Whether the category was deleted.
  ///
  /// Only its name and any kept transactions remain.
  public var isDeleted: Bool
  /// A note.
  public var note: String
  /// The position among its siblings; equal positions are ordered by name.
  public var order: Int64
}

extension Category {
  /// The kind of categories.
  public static var kind: EntityKind { .category }
  /// The untyped id.
  public var entityID: EntityID { id.rawValue }

  /// Creates a category.
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

  /// An expense category with an empty name.
  public static let blank = Category(
    id: CategoryID(EntityID(high: 0, low: 0)), name: "", kind: .expense)

  /// Defines the properties; see ``LedgerEntity/visit(_:)``.
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
