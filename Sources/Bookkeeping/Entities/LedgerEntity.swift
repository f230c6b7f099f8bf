public import Entities

/// An entity of the ledger: it is read from a packed record, and packs itself into one.
public protocol LedgerEntity: Hashable, Sendable {
  /// Which kind it is in the journal.
  static var kind: EntityKind { get }
  /// Its id, untyped.
  var entityID: EntityID { get }
  /// Its recording number: counted per kind, fixed when it was first committed. 0 before that.
  var number: UInt64 { get }

  /// Reads the properties of a packed record.
  ///
  /// - Throws: `DecodingFault` where the record is damaged or has a property this version does not
  ///   know, which reading and writing back would lose.
  init(_ bytes: RawSpan, id: EntityID, number: UInt64) throws(DecodingFault)

  /// The properties packed; those that have their default are left out.
  func record() -> Record
}

extension LedgerEntity {
  /// Reads the properties of a packed record.
  ///
  /// - Throws: `DecodingFault` where the record is damaged.
  public init(record: Record, id: EntityID, number: UInt64) throws(DecodingFault) {
    try self.init(record.bytes.span.bytes, id: id, number: number)
  }
}

extension EntityKind {
  /// The ledger's settings: one entity.
  public static let settings = EntityKind(rawValue: 1)
  /// An account.
  public static let account = EntityKind(rawValue: 2)
  /// A category.
  public static let category = EntityKind(rawValue: 3)
  /// A transaction.
  public static let transaction = EntityKind(rawValue: 4)
  /// An exchange rate of a day.
  public static let rate = EntityKind(rawValue: 5)
  /// A budget.
  public static let budget = EntityKind(rawValue: 6)
  /// A recurring series.
  public static let series = EntityKind(rawValue: 7)
  /// A category rule.
  public static let rule = EntityKind(rawValue: 8)
  /// A stated balance.
  public static let assertion = EntityKind(rawValue: 9)
  /// A count of imported rows that no longer look as they were imported.
  public static let fingerprint = EntityKind(rawValue: 10)
  /// A currency the ledger defines.
  public static let currency = EntityKind(rawValue: 11)
  /// What the columns of a bank's files mean.
  public static let mapping = EntityKind(rawValue: 12)
}
