public import Entities

/// How many rows were imported with certain values and then changed or deleted.
///
/// An imported row that still looks as it did needs none: its present values say what was imported.
public struct Fingerprint: LedgerEntity {
  /// The fingerprint itself: 128 bits over the values as imported.
  public var id: EntityID
  /// The recording number.
  public var number: UInt64
  /// How many rows imported with it have been changed since and are still there.
  public var changed: Int64
  /// How many rows imported with it have been deleted since.
  public var deleted: Int64

  /// A counted fingerprint.
  public init(id: EntityID, number: UInt64 = 0, changed: Int64 = 0, deleted: Int64 = 0) {
    self.id = id
    self.number = number
    self.changed = changed
    self.deleted = deleted
  }

  /// The id, untyped.
  public var entityID: EntityID { id }
  /// The kind of fingerprints.
  public static var kind: EntityKind { .fingerprint }

  /// Reads a packed record.
  public init(_ bytes: RawSpan, id: EntityID, number: UInt64) throws(DecodingFault) {
    self.init(id: id, number: number)
    var reader = RecordReader(bytes)
    while let property = try reader.next() {
      switch property.tag {
      case Tag.Fingerprint.changed: changed = try property.signed()
      case Tag.Fingerprint.deleted: deleted = try property.signed()
      default: throw property.unknown
      }
    }
  }

  /// The properties packed.
  public func record() -> Record {
    var writer = RecordWriter()
    writer.put(Tag.Fingerprint.changed, signed: changed)
    writer.put(Tag.Fingerprint.deleted, signed: deleted)
    return writer.record
  }
}
