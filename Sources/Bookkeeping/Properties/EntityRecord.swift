public import Entities

extension LedgerEntity {
  /// The properties packed; those that have their default are left out.
  public func record() -> Record { packed(reserving: 96) }

  /// Reads the properties of a packed record.
  ///
  /// - Throws: `DecodingFault` where the record is damaged or has a property this version does not
  ///   know, which reading and writing back would lose.
  public init(_ bytes: RawSpan, id: EntityID, number: UInt64) throws(DecodingFault) {
    var postings: [Posting] = []
    self = try Self.unpacked(bytes, id: id, number: number, postings: &postings)
  }

  /// Reads the properties of a packed record.
  ///
  /// - Throws: `DecodingFault` where the record is damaged.
  public init(record: Record, id: EntityID, number: UInt64) throws(DecodingFault) {
    try self.init(record.bytes.span.bytes, id: id, number: number)
  }

  /// The properties packed, with room for so many bytes.
  @inline(__always)
  func packed(reserving byteCount: Int) -> Record {
    var p = RecordPacker(writer: RecordWriter(reserving: byteCount))
    _ = visit(&p)
    return p.writer.record
  }

  /// Reads a packed record; postings are added to a list that the entity shares later.
  @inline(__always)
  static func unpacked(
    _ bytes: RawSpan, id: EntityID, number: UInt64, postings: inout [Posting]
  ) throws(DecodingFault) -> Self {
    var p = RecordUnpacker(id, number, try RecordWalk(bytes, from: postings.count))
    // Swapped in and out, because a copy of the list would be made at the first posting.
    swap(&p.walk.postings, &postings)
    let entity = try blank.visit(&p)
    try p.walk.end()
    swap(&p.walk.postings, &postings)
    return entity
  }
}

/// Packs each property that does not have its default.
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
    // Nothing to count or to free: the entity that is made goes away.
    return C.blank
  }
}

/// Reads each property; one that is absent has its default.
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

/// The properties of a record in ascending order, met by those of a table in the same order.
public struct RecordWalk: ~Escapable {
  private var record: RecordReader
  /// The tag of the property that comes next, or ``RecordReader/end``.
  private var tag: UInt16
  /// The value of the property that comes next.
  public var value: ByteReader
  /// All postings of a page; those of this record stand from `firstPosting` on.
  var postings: [Posting] = []
  /// Where the postings of this record begin.
  let firstPosting: Int

  @inline(__always)
  @_lifetime(copy span)
  init(_ span: RawSpan, from firstPosting: Int) throws(DecodingFault) {
    record = RecordReader(span)
    value = ByteReader(span)
    self.firstPosting = firstPosting
    tag = try record.step(&value)
  }

  /// A walk that reads one value alone.
  @_lifetime(copy value)
  init(value: RawSpan) {
    record = RecordReader(value)
    self.value = ByteReader(value)
    firstPosting = 0
    tag = RecordReader.end
  }

  /// The value of a property, or its default where it is absent.
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

  /// Checks that no property is left.
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
    .invalidValue("property \(tag) is not known to this version, or stands out of order")
  }
}
