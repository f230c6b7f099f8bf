public import Entities

/// What sort of account it is.
public enum AccountKind: UInt8, Hashable, Sendable, CaseIterable, Codable {
  /// What one has: cash, a bank account.
  case asset = 0
  /// What one owes: a loan, a credit card.
  case liability = 1
  /// The counterpart of both; in no list, no net worth and no total.
  case equity = 2
}

/// An account: money of one currency that comes in and goes out.
public struct Account: LedgerEntity {
  /// The recording number; real accounts count from 16, the built-in ones have 1 to 3.
  public var number: UInt64
  /// The account's id.
  public var id: AccountID
  /// The name, unique among the accounts that are not deleted.
  public var name: String
  /// What sort of account it is.
  public var kind: AccountKind
  /// The only currency it takes.
  public var currency: Currency
  /// The balance it began with, in minor units; ``opening`` is the same as money.
  package var openingBalance: Int64
  /// The day from which the opening counts; without one it counts on every day.
  public var openingDay: Day?
  /// Whether it takes no further rows.
  public var isClosed: Bool
  /// Whether lists leave it out.
  public var isHidden: Bool
  /// Whether it was deleted: only its name, and rows that were to be kept, are left.
  public var isDeleted: Bool
  /// Free text.
  public var note: String
  /// The place in a list; equal places are ordered by name.
  public var order: Int64
  /// What banks' files call it: its IBAN, its number; no two accounts share one.
  public var identifiers: [String]
}

extension Account {
  /// What accounts are in the journal: kind 2.
  public static var kind: EntityKind { .account }
  /// The id, untyped.
  public var entityID: EntityID { id.rawValue }
  /// The balance it began with, in its currency.
  public var opening: Money { Money(openingBalance, currency) }

  /// An account by its properties.
  ///
  /// - Parameter opening: the balance it began with, in its currency; 0 without one.
  /// - Precondition: `opening` is in the account's currency.
  public init(
    id: AccountID, number: UInt64 = 0, name: String, kind: AccountKind = .asset,
    currency: Currency, opening: Money? = nil, openingDay: Day? = nil, isClosed: Bool = false,
    isHidden: Bool = false, isDeleted: Bool = false, note: String = "", order: Int64 = 0,
    identifiers: [String] = []
  ) {
    precondition(
      opening?.currency ?? currency == currency, "an opening is in the currency of its account")
    self.id = id
    self.number = number
    self.name = name
    self.kind = kind
    self.currency = currency
    openingBalance = opening?.minorUnits ?? 0
    self.openingDay = openingDay
    self.isClosed = isClosed
    self.isHidden = isHidden
    self.isDeleted = isDeleted
    self.note = note
    self.order = order
    self.identifiers = identifiers
  }

  /// An account without a name, in no currency.
  public static let blank = Account(
    id: AccountID(EntityID(high: 0, low: 0)), name: "", currency: CurrencyCoding.blank)

  /// What makes two numbers of an account the same: letters and digits alone, in capitals.
  public static func identifierKey(_ identifier: String) -> String {
    String(
      String.UnicodeScalarView(
        identifier.uppercased().unicodeScalars.filter {
          ("0"..."9").contains($0) || ("A"..."Z").contains($0)
        }))
  }

  /// The table of properties.
  @inline(__always)
  @_lifetime(p: copy p)
  public func visit<V: PropertyVisitor & ~Copyable & ~Escapable>(
    _ p: inout V
  ) throws(V.Failure) -> Account {
    let name = try p(1, "name", name, .text, .name)
    let kind = try p(2, "kind", kind, .choice(), .plain)
    let currency = try p(3, "currency", currency, .currency, .plain)
    let opening = try p(4, "openingBalance", opening, .minorUnits, .json("opening").register(4))
    if opening.currency != CurrencyCoding.blank, opening.currency != currency {
      try p.refuse("the opening balance is in another currency than the account")
    }
    return Account.init(
      number:id:name:kind:currency:openingBalance:openingDay:isClosed:isHidden:isDeleted:note:order:
      identifiers:
    )(
      p.number, AccountID(p.id), name, kind, currency, opening.minorUnits,
      try p(5, "openingDay", openingDay, .optional(.day), .plain.register(4)),
      try p(6, "isClosed", isClosed, .flag, .json("closed")),
      try p(7, "isHidden", isHidden, .flag, .json("hidden")),
      try p(8, "isDeleted", isDeleted, .flag, .json("deleted")),
      try p(9, "note", note, .text, .personal),
      try p(10, "order", order, .number, .plain),
      try p(11, "identifiers", identifiers, .list(), .personal.since(2)))
  }
}
