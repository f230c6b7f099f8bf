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

/// The details of an account: the properties that commands set and amend one by one.
///
/// ``Account`` and ``NewAccount`` have them as members, and ``AccountChange`` changes them.
public struct AccountDetails: EntityDetails {
  /// The name, unique among the accounts that aren't deleted.
  public var name: String
  /// The kind of account.
  public var kind: AccountKind
  /// Whether lists leave the account out.
  public var isHidden: Bool
  /// A note.
  public var note: String
  /// The position in lists; accounts with equal positions are ordered by name.
  public var order: Int64
  /// The names of the account in bank files, such as its IBAN or number.
  ///
  /// Two accounts can share an identifier only if they are in different currencies.
  public var identifiers: [String]
  /// Whether the account's money is left out of what can be assigned to envelopes.
  public var isOutsideBudget: Bool
  /// Whether the account is left out of net worth, income and spending; see
  /// ``TransactionDetails/isExcludedFromTotals``.
  public var isExcludedFromTotals: Bool

  /// Creates the details of an account.
  public init(
    name: String, kind: AccountKind = .asset, isHidden: Bool = false, note: String = "",
    order: Int64 = 0, identifiers: [String] = [], isOutsideBudget: Bool = false,
    isExcludedFromTotals: Bool = false
  ) {
    self.name = name
    self.kind = kind
    self.isHidden = isHidden
    self.note = note
    self.order = order
    self.identifiers = identifiers
    self.isOutsideBudget = isOutsideBudget
    self.isExcludedFromTotals = isExcludedFromTotals
  }

  /// The entity that has these details.
  public typealias Entity = Account
}

/// An account, which holds money in one currency.
public struct Account: LedgerEntity, Detailed {
  /// The recording number: 1 to 3 for the built-in accounts, and from 16 on for all others.
  public var number: UInt64
  /// The account's id.
  public var id: AccountID
  /// The details, which are also members of the account: `account.name`.
  public var details: AccountDetails
  /// The account's only currency.
  public var currency: Currency
  /// The opening balance in minor units; ``opening`` returns it as money.
  package var openingBalance: Int64
  /// The first day whose balance includes the opening balance; `nil` for all days.
  public var openingDay: Day?
  /// Whether the account accepts no new transactions.
  public var isClosed: Bool
  /// Whether the account was deleted.
  ///
  /// Only its name and any kept transactions remain.
  public var isDeleted: Bool
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
      opening?.currency ?? currency == currency, "the opening balance is in another currency")
    self.id = id
    self.number = number
    details = AccountDetails(
      name: name, kind: kind, isHidden: isHidden, note: note, order: order,
      identifiers: identifiers)
    self.currency = currency
    openingBalance = opening?.minorUnits ?? 0
    self.openingDay = openingDay
    self.isClosed = isClosed
    self.isDeleted = isDeleted
  }

  /// An account with an empty name and a blank currency.
  public static let blank = Account(
    id: AccountID(EntityID(high: 0, low: 0)), name: "", currency: CurrencyCoding.blank)

  /// Returns the form in which account numbers are compared: uppercase letters and digits only.
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
    let name = try p(
      1, "name", \AccountDetails.name, details.name, .text, .name.max(Limits.nameByteCountMax))
    let kind = try p(2, "kind", \AccountDetails.kind, details.kind, .choice(), .plain)
    let currency = try p(3, "currency", currency, .currency, .plain)
    let opening = try p(4, "openingBalance", opening, .minorUnits, .json("opening").register(4))
    if opening.currency != CurrencyCoding.blank, opening.currency != currency {
      try p.refuse("the opening balance isn't in the account's currency")
    }
    let openingDay = try p(5, "openingDay", openingDay, .optional(.day), .plain.register(4))
    let isClosed = try p(6, "isClosed", isClosed, .flag, .json("closed"))
    let isHidden = try p(
      7, "isHidden", \AccountDetails.isHidden, details.isHidden, .flag,
      .json("hidden").called("visibility"))
    let isDeleted = try p(8, "isDeleted", isDeleted, .flag, .json("deleted"))
    let note = try p(
      9, "note", \AccountDetails.note, details.note, .text, .personal.max(Limits.noteByteCountMax))
    let order = try p(10, "order", \AccountDetails.order, details.order, .number, .plain)
    let identifiers = try p(
      11, "identifiers", \AccountDetails.identifiers, details.identifiers, .list(),
      .personal.since(2).called("numbers"))
    let isOutside = try p(
      12, "isOutsideBudget", \AccountDetails.isOutsideBudget, details.isOutsideBudget, .flag,
      .json("outsideBudget").since(3).called("place outside the budget"))
    let isExcluded = try p(
      13, "isExcludedFromTotals", \AccountDetails.isExcludedFromTotals,
      details.isExcludedFromTotals, .flag,
      .json("excludedFromTotals").since(4).called("exclusion from totals"))
    let details = AccountDetails.init(
      name:kind:isHidden:note:order:identifiers:isOutsideBudget:isExcludedFromTotals:
    )(
      name, kind, isHidden, note, order, identifiers, isOutside, isExcluded)
    return Account.init(
      number:id:details:currency:openingBalance:openingDay:isClosed:isDeleted:
    )(
      p.number, AccountID(p.id), details, currency, opening.minorUnits, openingDay, isClosed,
      isDeleted)
  }
}
