public import DaybookEntities

/// The kind of an account.
public enum AccountKind: UInt8, Hashable, Sendable, CaseIterable, Codable {
  /// Something owned: cash, a bank account.
  case asset = 0
  /// Something owed: a loan, a credit card.
  case liability = 1
  /// The counterpart of assets and liabilities; excluded from lists, totals and net worth.
  case equity = 2
}

/// An account, which holds money of one currency.
public struct Account: LedgerEntity {
  /// The recording number: from 16 for a ledger's own accounts, 1 to 3 for built-in ones.
  public var number: UInt64
  /// The account's id.
  public var id: AccountID
  /// The name, unique among the accounts that aren't deleted.
  public var name: String
  /// The kind of account.
  public var kind: AccountKind
  /// The account's only currency.
  public var currency: Currency
  /// The opening balance in minor units; ``opening`` returns it as money.
  package var openingBalance: Int64
  /// The first day that includes the opening balance; if `nil`, every day does.
  public var openingDay: Day?
  /// Whether the account accepts no new transactions.
  public var isClosed: Bool
  /// Whether lists leave the account out.
  public var isHidden: Bool
  /// Whether the account was deleted.
  ///
  /// Only its name and any kept transactions remain.
  public var isDeleted: Bool
  /// A note.
  public var note: String
  /// The position in lists; accounts with equal positions are ordered by name.
  public var order: Int64
  /// The names of the account in bank files, such as its IBAN or number; no two accounts share one.
  public var identifiers: [String]
}

extension Account {
  /// The kind of accounts in the journal: 2.
  public static var kind: EntityKind { .account }
  /// The untyped id.
  public var entityID: EntityID { id.rawValue }
  /// The opening balance, in the account's currency.
  public var opening: Money { Money(openingBalance, currency) }

  /// Creates an account.
  ///
  /// - Parameter opening: The opening balance, in the account's currency; `nil` for 0.
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

  /// An account with an empty name and a blank currency.
  public static let blank = Account(
    id: AccountID(EntityID(high: 0, low: 0)), name: "", currency: CurrencyCoding.blank)

  /// The form in which account numbers are compared: uppercase letters and digits only.
  public static func identifierKey(_ identifier: String) -> String {
    String(
      String.UnicodeScalarView(
        identifier.uppercased().unicodeScalars.filter {
          ("0"..."9").contains($0) || ("A"..."Z").contains($0)
        }))
  }

  /// Defines the properties; see ``LedgerEntity/visit(_:)``.
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
