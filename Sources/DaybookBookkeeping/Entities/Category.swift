public import DaybookEntities

/// Whether the money of a category is earned or spent.
public enum CategoryKind: UInt8, Hashable, Sendable, CaseIterable, Codable {
  /// Money spent.
  case expense = 0
  /// Money earned.
  case income = 1
}

/// The details of a category: the properties that commands set and amend one by one.
///
/// ``Category`` and ``NewCategory`` have them as members, and ``CategoryChange`` changes them.
public struct CategoryDetails: EntityDetails {
  /// The name, unique among siblings of the same kind that aren't deleted.
  public var name: String
  /// The parent category.
  public var parent: CategoryID?
  /// Whether lists leave the category out.
  public var isHidden: Bool
  /// A note.
  public var note: String
  /// The position among its siblings; equal positions are ordered by name.
  public var order: Int64
  /// The identities of the category in other programs' books, by which imports find it.
  public var origins: [String]
  /// Whether the category's envelope carries overspending over to the next month.
  ///
  /// Otherwise, overspending is covered from the money that is ready to assign in the next month.
  public var carriesOverspending: Bool
  /// Whether the category and its subcategories are left out of income and spending; see
  /// ``TransactionDetails/isExcludedFromTotals``.
  public var isExcludedFromTotals: Bool
  /// The goal of the category's envelope; only an expense category has one.
  public var goal: EnvelopeGoal?

  /// Creates the details of a category.
  public init(
    name: String, parent: CategoryID? = nil, isHidden: Bool = false, note: String = "",
    order: Int64 = 0, origins: [String] = [], carriesOverspending: Bool = false,
    isExcludedFromTotals: Bool = false, goal: EnvelopeGoal? = nil
  ) {
    self.name = name
    self.parent = parent
    self.isHidden = isHidden
    self.note = note
    self.order = order
    self.origins = origins
    self.carriesOverspending = carriesOverspending
    self.isExcludedFromTotals = isExcludedFromTotals
    self.goal = goal
  }

  /// The entity that has these details.
  public typealias Entity = Category
}

/// A category of income or expense; categories form a tree.
public struct Category: LedgerEntity, Detailed {
  /// The recording number: 4 and 5 for the built-in categories, and from 16 on for all others.
  public var number: UInt64
  /// The category's id.
  public var id: CategoryID
  /// The details, which are also members of the category: `category.name`.
  public var details: CategoryDetails
  /// Income or expense, the same as its parent's.
  public var kind: CategoryKind
  /// Whether the category was deleted.
  ///
  /// Only its name and any kept transactions remain.
  public var isDeleted: Bool
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
    details = CategoryDetails(
      name: name, parent: parent, isHidden: isHidden, note: note, order: order)
    self.kind = kind
    self.isDeleted = isDeleted
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
    let name = try p(
      1, "name", \CategoryDetails.name, details.name, .text, .name.max(Limits.nameByteCountMax))
    let kind = try p(Tag.Category.kind, "kind", kind, .choice(), .plain)
    let parent = try p(
      3, "parent", \CategoryDetails.parent, details.parent, .optional(.id()), .plain)
    let isHidden = try p(
      4, "isHidden", \CategoryDetails.isHidden, details.isHidden, .flag,
      .json("hidden").called("visibility"))
    let isDeleted = try p(5, "isDeleted", isDeleted, .flag, .json("deleted"))
    let note = try p(
      6, "note", \CategoryDetails.note, details.note, .text,
      .personal.max(Limits.noteByteCountMax))
    let order = try p(7, "order", \CategoryDetails.order, details.order, .number, .plain)
    let origins = try p(
      8, "origins", \CategoryDetails.origins, details.origins, .list(), .personal)
    let carries = try p(
      9, "carriesOverspending", \CategoryDetails.carriesOverspending,
      details.carriesOverspending, .flag, .plain.since(2).called("policy for overspending"))
    let isExcluded = try p(
      10, "isExcludedFromTotals", \CategoryDetails.isExcludedFromTotals,
      details.isExcludedFromTotals, .flag,
      .json("excludedFromTotals").since(3).called("exclusion from totals"))
    let goal = try p(
      11, "goal", \CategoryDetails.goal, details.goal, .optional(.goal), .plain.since(3))
    let details = CategoryDetails.init(
      name:parent:isHidden:note:order:origins:carriesOverspending:isExcludedFromTotals:goal:
    )(
      name, parent, isHidden, note, order, origins, carries, isExcluded, goal)
    return Category.init(number:id:details:kind:isDeleted:)(
      p.number, CategoryID(p.id), details, kind, isDeleted)
  }
}
