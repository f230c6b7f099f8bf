public import DaybookEntities

/// Money given to a category's envelope in a month, or moved from one envelope to another.
///
/// A category, and the payment of a card, has one *assignment* per month, whose id is derived from
/// both, so that all devices change the same amount. Every other allocation is a *move*, with an id of its own.
public struct Allocation: LedgerEntity {
  /// The recording number.
  public var number: UInt64
  /// The allocation's id.
  public var id: AllocationID
  /// The month.
  public var month: Month
  /// The category that receives the money; `nil` if it becomes ready to assign again.
  public var category: CategoryID?
  /// The category that gives the money; `nil` if it was ready to assign.
  public var source: CategoryID?
  /// The amount: positive for a move; an assignment can also be zero or negative.
  public var amount: Money
  /// A note, such as the reason of a move.
  public var note: String
  /// The card whose payment receives the money; `nil` if a category does.
  public var account: AccountID?

  /// The untyped id.
  public var entityID: EntityID { id.rawValue }
  /// The kind of allocations in the journal: 13.
  public static var kind: EntityKind { .allocation }
}

extension Allocation {
  /// Creates a move of money between two categories, or between a category and the money that is
  /// ready to assign.
  public init(
    id: AllocationID = .random(), number: UInt64 = 0, month: Month, category: CategoryID?,
    source: CategoryID?, amount: Money, note: String = ""
  ) {
    self.number = number
    self.id = id
    self.month = month
    self.category = category
    self.source = source
    self.amount = amount
    self.note = note
  }

  /// Creates the assignment of a category in a month.
  public init(assigning amount: Money, to category: CategoryID, in month: Month) {
    self.init(
      id: .assignment(of: category, in: month), month: month, category: category, source: nil,
      amount: amount)
  }

  /// Creates the assignment of the payment of a card in a month.
  public init(assigning amount: Money, toPaymentOf account: AccountID, in month: Month) {
    self.init(
      id: .assignment(of: account, in: month), month: month, category: nil, source: nil,
      amount: amount)
    self.account = account
  }

  /// Whether the allocation is the assignment of its category or card in its month, rather than a
  /// move.
  public var isAssignment: Bool {
    category.map { id == .assignment(of: $0, in: month) }
      ?? account.map { id == .assignment(of: $0, in: month) } ?? false
  }

  /// An allocation of zero, from and to nowhere.
  public static let blank = Allocation(
    id: AllocationID(EntityID(high: 0, low: 0)), month: MonthCoding.blank, category: nil,
    source: nil, amount: MoneyCoding.blank)

  /// Defines the properties; see ``LedgerEntity/visit(_:)``.
  @inline(__always)
  @_lifetime(p: copy p)
  public func visit<V: PropertyVisitor & ~Copyable & ~Escapable>(
    _ p: inout V
  ) throws(V.Failure) -> Allocation {
    Allocation.init(number:id:month:category:source:amount:note:account:)(
      p.number, AllocationID(p.id),
      try p(1, "month", month, .month, .plain.register(1)),
      try p(2, "category", category, .optional(.id()), .plain.register(1)),
      try p(3, "source", source, .optional(.id()), .json("from").register(1)),
      try p(4, "amount", amount, .money, .plain),
      try p(5, "note", note, .text, .personal),
      try p(6, "account", account, .optional(.id()), .plain.since(2).register(1)))
  }
}

extension Identifier where Owner == Allocation {
  /// The id of a category's assignment in a month, which is the same on every device.
  public static func assignment(of category: CategoryID, in month: Month) -> AllocationID {
    assignment("assignment", of: category.rawValue, in: month)
  }

  /// The id of the assignment of a card's payment in a month, which is the same on every device.
  public static func assignment(of account: AccountID, in month: Month) -> AllocationID {
    assignment("payment", of: account.rawValue, in: month)
  }

  private static func assignment(
    _ kind: String, of owner: EntityID, in month: Month
  ) -> AllocationID {
    var hash = FNV128()
    for byte in kind.utf8 { hash.add(byte) }
    hash.add(id: owner)
    hash.add(UInt64(UInt32(bitPattern: month.rawValue)), byteCount: 4)
    return AllocationID(EntityID(named: hash, on: month.first))
  }
}
