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
  /// The account's id.
  public var id: AccountID
  /// The recording number; real accounts count from 16, the built-in ones have 1 to 3.
  public var number: UInt64
  /// The name, unique among the accounts that are not deleted.
  public var name: String
  /// What sort of account it is.
  public var kind: AccountKind
  /// The only currency it takes.
  public var currency: Currency
  /// The balance it began with, in minor units.
  public var openingBalance: Int64
  /// The day from which the opening counts; without one it counts on every day.
  public var openingDay: Day?
  /// Whether it takes no further rows.
  public var isClosed: Bool
  /// Whether lists leave it out.
  public var isHidden: Bool
  /// Whether it was deleted and only its name and postings are kept.
  public var isDeleted: Bool
  /// Free text.
  public var note: String
  /// The place in a list; equal places are ordered by name.
  public var order: Int64

  /// An account by its properties.
  public init(
    id: AccountID, number: UInt64 = 0, name: String, kind: AccountKind = .asset,
    currency: Currency, openingBalance: Int64 = 0, openingDay: Day? = nil, isClosed: Bool = false,
    isHidden: Bool = false, isDeleted: Bool = false, note: String = "", order: Int64 = 0
  ) {
    self.id = id
    self.number = number
    self.name = name
    self.kind = kind
    self.currency = currency
    self.openingBalance = openingBalance
    self.openingDay = openingDay
    self.isClosed = isClosed
    self.isHidden = isHidden
    self.isDeleted = isDeleted
    self.note = note
    self.order = order
  }
}

extension Account {
  /// The kind of accounts.
  public static var kind: EntityKind { .account }
  /// The id, untyped.
  public var entityID: EntityID { id.rawValue }
  /// The opening balance as money.
  public var opening: Money { Money(openingBalance, currency) }

  /// Reads a packed record.
  public init(_ bytes: RawSpan, id: EntityID, number: UInt64) throws(DecodingFault) {
    var currency: Currency?
    var account = Account(
      id: AccountID(id), number: number, name: "", currency: Currency(packed: 0))
    var reader = RecordReader(bytes)
    while let property = try reader.next() {
      switch property.tag {
      case Tag.Account.name: account.name = try property.text()
      case Tag.Account.kind: account.kind = try property.code()
      case Tag.Account.currency: currency = try property.currency()
      case Tag.Account.openingBalance: account.openingBalance = try property.signed()
      case Tag.Account.openingDay: account.openingDay = try property.day()
      case Tag.Account.isClosed: account.isClosed = try property.flag()
      case Tag.Account.isHidden: account.isHidden = try property.flag()
      case Tag.Account.isDeleted: account.isDeleted = try property.flag()
      case Tag.Account.note: account.note = try property.text()
      case Tag.Account.order: account.order = try property.signed()
      default: throw property.unknown
      }
    }
    guard let currency else { throw .invalidValue("account without currency") }
    account.currency = currency
    self = account
  }

  /// The properties packed.
  public func record() -> Record {
    var writer = RecordWriter()
    writer.put(Tag.Account.name, text: name)
    writer.put(Tag.Account.kind, code: kind.rawValue)
    writer.put(Tag.Account.currency, currency: currency)
    writer.put(Tag.Account.openingBalance, signed: openingBalance)
    writer.put(Tag.Account.openingDay, day: openingDay)
    writer.put(Tag.Account.isClosed, flag: isClosed)
    writer.put(Tag.Account.isHidden, flag: isHidden)
    writer.put(Tag.Account.isDeleted, flag: isDeleted)
    writer.put(Tag.Account.note, text: note)
    writer.put(Tag.Account.order, signed: order)
    return writer.record
  }
}
