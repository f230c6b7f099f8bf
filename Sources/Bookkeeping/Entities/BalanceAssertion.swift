public import Entities

/// A balance that a statement gives for the end of a day; where it does not follow, it is reported.
public struct BalanceAssertion: LedgerEntity {
  /// The assertion's id.
  public var id: AssertionID
  /// The recording number.
  public var number: UInt64
  /// Whose balance.
  public var account: AccountID
  /// At the end of which day.
  public var day: Day
  /// The stated balance, in minor units of the account's currency.
  public var units: Int64
  /// Where it was stated.
  public var note: String

  /// A stated balance.
  public init(
    id: AssertionID, number: UInt64 = 0, account: AccountID, day: Day, units: Int64,
    note: String = ""
  ) {
    self.id = id
    self.number = number
    self.account = account
    self.day = day
    self.units = units
    self.note = note
  }

  /// The id, untyped.
  public var entityID: EntityID { id.rawValue }
  /// The kind of assertions.
  public static var kind: EntityKind { .assertion }

  /// Reads a packed record.
  public init(_ bytes: RawSpan, id: EntityID, number: UInt64) throws(DecodingFault) {
    var account: AccountID?
    var day: Day?
    var units: Int64 = 0
    var note = ""
    var reader = RecordReader(bytes)
    while let property = try reader.next() {
      switch property.tag {
      case Tag.Assertion.account: account = AccountID(try property.id())
      case Tag.Assertion.day: day = try property.day()
      case Tag.Assertion.units: units = try property.signed()
      case Tag.Assertion.note: note = try property.text()
      default: throw property.unknown
      }
    }
    guard let account, let day else { throw .invalidValue("assertion without account or day") }
    self.init(
      id: AssertionID(id), number: number, account: account, day: day, units: units, note: note)
  }

  /// The properties packed.
  public func record() -> Record {
    var writer = RecordWriter()
    writer.put(Tag.Assertion.account, id: account.rawValue)
    writer.put(Tag.Assertion.day, day: day)
    writer.put(Tag.Assertion.units, signed: units)
    writer.put(Tag.Assertion.note, text: note)
    return writer.record
  }
}
