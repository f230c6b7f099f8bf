public import DaybookEntities

extension LedgerEntity {
  /// Returns the packed properties, except those with their default value.
  public func record() -> Record { packed(reserving: 96) }

  /// Reads the properties of a packed record.
  ///
  /// - Throws: `DecodingFault` if the record is damaged, or has a property that this version
  ///   doesn't support and would lose when writing the record.
  public init(_ bytes: RawSpan, id: EntityID, number: UInt64) throws(DecodingFault) {
    var postings: [Posting] = []
    self = try Self.unpacked(bytes, id: id, number: number, postings: &postings)
  }

  /// Reads the properties of a packed record.
  ///
  /// - Throws: `DecodingFault` if the record is damaged.
  public init(record: Record, id: EntityID, number: UInt64) throws(DecodingFault) {
    try self.init(record.bytes.span.bytes, id: id, number: number)
  }

  /// Returns the packed properties; `byteCount` is the capacity to reserve.
  @inline(__always)
  func packed(reserving byteCount: Int) -> Record {
    var p = RecordPacker(writer: RecordWriter(reserving: byteCount))
    _ = visit(&p)
    return p.writer.record
  }

  /// Reads a packed record and appends its postings to a list that the entity will share.
  @inline(__always)
  static func unpacked(
    _ bytes: RawSpan, id: EntityID, number: UInt64, postings: inout [Posting]
  ) throws(DecodingFault) -> Self {
    var p = RecordUnpacker(id, number, try RecordWalk(bytes, from: postings.count))
    // The list is swapped in and out; otherwise, the first posting would copy it.
    swap(&p.walk.postings, &postings)
    let entity = try blank.visit(&p)
    try p.walk.end()
    swap(&p.walk.postings, &postings)
    return entity
  }
}

/// A visitor that packs the properties, except those with their default value.
struct RecordPacker: PropertyVisitor {
  typealias Failure = Never
  var writer: RecordWriter
  var id: EntityID { EntityID(high: 0, low: 0) }
  var number: UInt64 { 0 }

  @inline(__always)
  mutating func callAsFunction<C: PropertyCoding>(
    _ tag: UInt8, _ name: StaticString, _ value: C.Value, _ coding: C, _ traits: PropertyTraits
  ) -> C.Value {
    if !C.isAbsent(value) { writer.put(tag) { C.write(value, to: &$0) } }
    // A blank value needs no retain or release, and the resulting entity is discarded.
    return C.blank
  }
}

/// A visitor that reads each property; an absent property has its default value.
struct RecordUnpacker: PropertyVisitor, ~Escapable {
  typealias Failure = DecodingFault
  let id: EntityID
  let number: UInt64
  var walk: RecordWalk

  @inline(__always)
  @_lifetime(copy walk)
  init(_ id: EntityID, _ number: UInt64, _ walk: consuming RecordWalk) {
    self.id = id
    self.number = number
    self.walk = walk
  }

  @inline(__always)
  @_lifetime(self: copy self)
  mutating func callAsFunction<C: PropertyCoding>(
    _ tag: UInt8, _ name: StaticString, _ value: C.Value, _ coding: C, _ traits: PropertyTraits
  ) throws(DecodingFault) -> C.Value { try walk.take(tag, C.self) }

  @inline(__always)
  func refuse(_ reason: StaticString) throws(DecodingFault) { throw .invalidValue("\(reason)") }
}

/// A merge of a record's properties and the properties that an entity visits, both in ascending
/// order of tags.
public struct RecordWalk: ~Escapable {
  private var record: RecordReader
  /// The tag of the next property, or ``RecordReader/end``.
  private var tag: UInt16
  /// The value of the next property.
  public var value: ByteReader
  /// All postings of a page; this record's postings start at `firstPosting`.
  var postings: [Posting] = []
  /// The index of this record's first posting.
  let firstPosting: Int

  @inline(__always)
  @_lifetime(copy span)
  init(_ span: RawSpan, from firstPosting: Int) throws(DecodingFault) {
    record = RecordReader(span)
    value = ByteReader(span)
    self.firstPosting = firstPosting
    tag = try record.step(&value)
  }

  /// Creates a walk that reads a single value.
  @_lifetime(copy value)
  init(value: RawSpan) {
    record = RecordReader(value)
    self.value = ByteReader(value)
    firstPosting = 0
    tag = RecordReader.end
  }

  /// Reads the value of a property, or returns its default if it is absent.
  @inline(__always)
  @_lifetime(self: copy self)
  mutating func take<C: PropertyCoding>(
    _ tag: UInt8, _ coding: C.Type
  ) throws(DecodingFault) -> C.Value {
    guard self.tag == UInt16(tag) else {
      guard let absent = C.absent else { throw missing(tag) }
      return absent
    }
    let result = try C.read(&self)
    guard value.isAtEnd else { throw tooLong(tag) }
    self.tag = try record.step(&value)
    return result
  }

  /// Checks that no properties are left.
  @inline(__always)
  func end() throws(DecodingFault) {
    if tag != RecordReader.end { throw unknown }
  }

  @inline(never)
  private func missing(_ tag: UInt8) -> DecodingFault {
    .invalidValue("property \(tag) is missing")
  }
  @inline(never)
  private func tooLong(_ tag: UInt8) -> DecodingFault {
    .invalidValue("property \(tag) is longer than its value")
  }
  @inline(never)
  private var unknown: DecodingFault {
    .invalidValue("property \(tag) is not known to this version, or is out of order")
  }
}
