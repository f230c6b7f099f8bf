public import Entities

/// A balance that a statement gives for the end of a day; where it does not follow, it is reported.
public struct BalanceAssertion: LedgerEntity {
  /// The recording number.
  public var number: UInt64
  /// The assertion's id.
  public var id: AssertionID
  /// Whose balance.
  public var account: AccountID
  /// At the end of which day.
  public var day: Day
  /// The stated balance, in the account's currency.
  public var balance: Money
  /// Where it was stated.
  public var note: String

  /// The id, untyped.
  public var entityID: EntityID { id.rawValue }
  /// What stated balances are in the journal: kind 9.
  public static var kind: EntityKind { .assertion }
}

extension BalanceAssertion {
  /// A stated balance.
  ///
  /// - Parameter balance: in the account's currency.
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

  /// A balance of 0 of no account.
  public static let blank = BalanceAssertion(
    id: AssertionID(EntityID(high: 0, low: 0)), account: IDCoding.blank, day: DayCoding.blank,
    balance: MoneyCoding.blank)

  /// The table of properties.
  @inline(__always)
  @_lifetime(p: copy p)
  public func visit<V: PropertyVisitor & ~Copyable & ~Escapable>(
    _ p: inout V
  ) throws(V.Failure) -> BalanceAssertion {
    BalanceAssertion.init(number:id:account:day:balance:note:)(
      p.number, AssertionID(p.id),
      try p(1, "account", account, .id(), .plain.register(1)),
      try p(2, "day", day, .day, .plain.register(1)),
      try p(3, "balance", balance, .accountMoney, .plain.register(1)),
      try p(4, "note", note, .text, .personal))
  }
}
