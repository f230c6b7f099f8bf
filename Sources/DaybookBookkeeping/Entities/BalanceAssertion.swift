public import DaybookEntities

/// A balance that a statement shows at the end of a day.
///
/// If the computed balance differs, this is reported.
public struct BalanceAssertion: LedgerEntity {
  /// The recording number.
  public var number: UInt64
  /// The assertion's id.
  public var id: AssertionID
  /// The account.
  public var account: AccountID
  /// The day; the balance applies at its end.
  public var day: Day
  /// The asserted balance, in the account's currency.
  public var balance: Money
  /// A note, such as the source of the balance.
  public var note: String

  /// The untyped id.
  public var entityID: EntityID { id.rawValue }
  /// The kind of balance assertions in the journal: 9.
  public static var kind: EntityKind { .assertion }
}

extension BalanceAssertion {
  /// Creates a balance assertion.
  ///
  /// - Parameter balance: The balance, in the account's currency.
  public init(
    id: AssertionID = .random(), number: UInt64 = 0, account: AccountID, day: Day, balance: Money,
    note: String = ""
  ) {
    self.id = id
    self.number = number
    self.account = account
    self.day = day
    self.balance = balance
    self.note = note
  }

  /// A balance assertion of zero, without an account.
  public static let blank = BalanceAssertion(
    id: AssertionID(EntityID(high: 0, low: 0)), account: IDCoding.blank, day: DayCoding.blank,
    balance: MoneyCoding.blank)

  /// Defines the properties; see ``LedgerEntity/visit(_:)``.
  @inline(__always)
  @_lifetime(p: copy p)
  public func visit<V: PropertyVisitor & ~Copyable & ~Escapable>(
    _ p: inout V
  ) throws(V.Failure) -> BalanceAssertion {
    BalanceAssertion.init(number:id:account:day:balance:note:)(
      p.number, AssertionID(p.id),
      try p(1, "account", account, .id(), .plain.register(1)),
      try p(2, "day", day, .day, .plain.register(1)),
      try p(3, "balance", balance, .money, .plain.register(1)),
      try p(4, "note", note, .text, .personal))
  }
}
