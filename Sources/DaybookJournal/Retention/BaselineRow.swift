import DaybookEntities

/// An entity as of the floor, computed from the purged commits.
struct BaselineRow: Hashable, Sendable {
  /// The time and replica of a write, which are compared when replicas are merged.
  struct Clock: Hashable, Sendable {
    var hlc: UInt64
    var replica: UInt64
  }

  var id: EntityID
  /// The commit that inserted the entity.
  var created: UInt64
  /// The version in which the properties are encoded.
  var version: UInt8
  /// The clock of all properties that are not in ``later``.
  var clock: Clock
  /// The clocks of properties that were changed after the entity was inserted.
  var later: [UInt8: Clock] = [:]
  /// The salt of the personal text's digest, or the digest itself if the text has been erased.
  var secret: Secret
  var record: [UInt8]

  enum Secret: Hashable, Sendable {
    case salt([UInt8])
    case erased(Hash256)
  }

  init(
    id: EntityID, created: UInt64, version: UInt8, clock: Clock, secret: Secret, record: [UInt8]
  ) {
    self.id = id
    self.created = created
    self.version = version
    self.clock = clock
    self.secret = secret
    self.record = record
  }

  init(_ bytes: RawSpan) throws(DecodingFault) {
    var reader = ByteReader(bytes)
    id = try reader.id()
    created = try reader.varint()
    version = try reader.u8()
    clock = try BaselineRow.clock(&reader)
    for _ in 0..<(try reader.count()) {
      let tag = try reader.u8()
      later[tag] = try BaselineRow.clock(&reader)
    }
    switch try reader.u8() {
    case 0: secret = .salt(try reader.bytes(Layout.saltByteCount))
    case 1: secret = .erased(try reader.hash())
    case let other: throw .invalidValue("secret \(other) of a baseline row")
    }
    record = try reader.bytes(bytes.byteCount - reader.offset)
  }

  var bytes: [UInt8] {
    var writer = ByteWriter(reserving: 64 + record.count)
    putHead(into: &writer)
    switch secret {
    case .salt(let salt):
      writer.u8(0)
      writer.raw(salt)
    case .erased(let digest):
      writer.u8(1)
      writer.hash(digest)
    }
    writer.raw(record)
    return writer.bytes
  }

  private func putHead(into writer: inout ByteWriter) {
    writer.id(id)
    writer.varint(created)
    writer.u8(version)
    BaselineRow.put(clock, into: &writer)
    writer.varint(UInt64(later.count))
    for (tag, clock) in later.sorted(by: { $0.key < $1.key }) {
      writer.u8(tag)
      BaselineRow.put(clock, into: &writer)
    }
  }

  private static func clock(_ reader: inout ByteReader) throws(DecodingFault) -> Clock {
    let hlc = try reader.u64be()
    return Clock(hlc: hlc, replica: try reader.u64be())
  }

  private static func put(_ clock: Clock, into writer: inout ByteWriter) {
    writer.u64be(clock.hlc)
    writer.u64be(clock.replica)
  }

  /// Returns the digest of the row; erasing the personal text doesn't change it.
  func digest(kind: UInt8, number: UInt64, personal: TagSet) throws(DecodingFault) -> Hash256 {
    var writer = ByteWriter(reserving: 128 + record.count)
    writer.u8(kind)
    writer.u64be(number)
    putHead(into: &writer)
    var hidden = ByteWriter(reserving: 128)
    if case .salt(let salt) = secret { hidden.raw(salt) }
    let span = record.span.bytes
    var scanner = PropertyScanner()
    while let property = try scanner.next(in: span) {
      if personal.contains(property.tag) {
        hidden.span(span, property.start..<property.end)
      } else {
        writer.span(span, property.start..<property.end)
      }
    }
    switch secret {
    case .salt: writer.hash(Hash256(hashing: hidden.bytes))
    case .erased(let digest): writer.hash(digest)
    }
    return Hash256(hashing: writer.bytes)
  }

  /// Replaces the personal text with its digest.
  mutating func erase(personal: TagSet) throws(DecodingFault) {
    guard case .salt(let salt) = secret else { return }
    var hidden = ByteWriter(reserving: 128)
    hidden.raw(salt)
    var kept = ByteWriter(reserving: record.count)
    let whole = record
    let span = whole.span.bytes
    var scanner = PropertyScanner()
    while let property = try scanner.next(in: span) {
      if personal.contains(property.tag) {
        hidden.span(span, property.start..<property.end)
      } else {
        kept.span(span, property.start..<property.end)
      }
    }
    secret = .erased(Hash256(hashing: hidden.bytes))
    record = kept.bytes
  }
}
