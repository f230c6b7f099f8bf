import DaybookEntities

/// The flags and constants of the commit format (`Docs/Format.md`, "Commits").
enum Layout {
  /// The number of bytes of the byte count at the start of a commit.
  static let countByteCount = 4
  /// The number of bytes of the byte count and the link together.
  static let frontByteCount = countByteCount + Hash256.byteCount

  /// The version of the body's format in new commits.
  static let bodyVersion: UInt8 = 1

  /// Header flag: a salt, author, idempotency key and request digest follow.
  static let headerPrivate: UInt8 = 1
  /// Header flag: the author, idempotency key and request digest have been erased, and their digest
  /// follows.
  static let headerErased: UInt8 = 2

  /// The bits of a change's first byte that contain the operation.
  static let operationMask: UInt8 = 3
  /// Change flag: the change has personal text, and its salt follows the id.
  static let changePersonal: UInt8 = 4
  /// Change flag: the personal text of the change has been erased.
  ///
  /// The digest follows the id, and the properties are in the long form.
  static let changeErased: UInt8 = 8

  /// Long form: there is a value before the change.
  static let before: UInt8 = 1
  /// Long form: there is a value after the change.
  static let after: UInt8 = 2
  /// Long form: the values have been erased.
  static let erased: UInt8 = 4

  /// The number of bytes of a salt.
  static let saltByteCount = 16
  /// The domain byte after the salt, in the digest of the header's private part.
  static let headerDomain: UInt8 = 1
  /// The domain byte after the salt, in the digest of a change's personal properties.
  static let changeDomain: UInt8 = 2
}

/// The bounds of one property in a packed record.
struct PropertyBounds {
  var tag: UInt8
  /// The offset of the tag.
  var start: Int
  /// The offset of the value.
  var valueStart: Int
  /// The offset after the value.
  var end: Int
}

/// Iterates over the properties of a packed record, checking that their tags ascend.
struct PropertyScanner {
  private var offset: Int
  private var lastTag = -1

  init(at offset: Int = 0) { self.offset = offset }

  /// Returns the next property of `record`, or `nil` at the end.
  mutating func next(in record: RawSpan) throws(DecodingFault) -> PropertyBounds? {
    var reader = ByteReader(record)
    reader.offset = offset
    if reader.isAtEnd { return nil }
    let start = offset
    let tag = try reader.u8()
    guard Int(tag) > lastTag else {
      throw .invalidValue("property tag \(tag) after \(lastTag): tags must ascend")
    }
    lastTag = Int(tag)
    let length = try reader.count()
    let valueStart = try reader.skip(length)
    offset = reader.offset
    return PropertyBounds(tag: tag, start: start, valueStart: valueStart, end: offset)
  }
}

/// A property in the long form.
struct LongProperty {
  var tag: UInt8
  var presence: UInt8
  /// The range of the value before the change; empty if there is none or it has been erased.
  var before: Range<Int>
  /// The range of the value after the change; empty if there is none or it has been erased.
  var after: Range<Int>
  /// The offset of the tag.
  var start: Int
  /// The offset after the property.
  var end: Int

  var hasBefore: Bool { presence & Layout.before != 0 }
  var hasAfter: Bool { presence & Layout.after != 0 }
  var isErased: Bool { presence & Layout.erased != 0 }
}

/// Iterates over properties in the long form.
///
/// Each property consists of its tag, flags that say which values are present, and the values.
struct LongScanner {
  private var offset = 0
  private var lastTag = -1

  /// Returns the next property of `properties`, or `nil` at the end.
  mutating func next(in properties: RawSpan) throws(DecodingFault) -> LongProperty? {
    var reader = ByteReader(properties)
    reader.offset = offset
    if reader.isAtEnd { return nil }
    let start = offset
    let tag = try reader.u8()
    guard Int(tag) > lastTag else {
      throw .invalidValue("property tag \(tag) after \(lastTag): tags must ascend")
    }
    lastTag = Int(tag)
    let presence = try reader.u8()
    guard presence & 3 != 0, presence < 8 else {
      throw .invalidValue("presence \(presence) of property \(tag)")
    }
    var property = LongProperty(
      tag: tag, presence: presence, before: 0..<0, after: 0..<0, start: start, end: 0)
    if !property.isErased {
      if property.hasBefore { property.before = try value(&reader) }
      if property.hasAfter { property.after = try value(&reader) }
    }
    offset = reader.offset
    property.end = offset
    return property
  }

  private func value(_ reader: inout ByteReader) throws(DecodingFault) -> Range<Int> {
    let length = try reader.count()
    let start = try reader.skip(length)
    return start..<start + length
  }
}
