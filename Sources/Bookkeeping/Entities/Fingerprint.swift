public import Entities

/// How many rows were imported with certain values and then changed or deleted.
///
/// An imported row that still looks as it did needs none: its present values say what was imported.
public struct Fingerprint: LedgerEntity {
  /// The fingerprint itself: 128 bits over the values as imported.
  public var id: EntityID
  /// The recording number.
  public var number: UInt64
  /// How many rows it stands for.
  public var count: Int64

  /// A counted fingerprint.
  public init(id: EntityID, number: UInt64 = 0, count: Int64) {
    self.id = id
    self.number = number
    self.count = count
  }

  /// The id, untyped.
  public var entityID: EntityID { id }
  /// The kind of fingerprints.
  public static var kind: EntityKind { .fingerprint }

  /// Reads a packed record.
  public init(_ bytes: RawSpan, id: EntityID, number: UInt64) throws(DecodingFault) {
    self.init(id: id, number: number, count: 0)
    var reader = RecordReader(bytes)
    while let property = try reader.next() {
      switch property.tag {
      case Tag.Fingerprint.count: count = try property.signed()
      default: throw property.unknown
      }
    }
  }

  /// The properties packed.
  public func record() -> Record {
    var writer = RecordWriter()
    writer.put(Tag.Fingerprint.count, signed: count)
    return writer.record
  }
}
