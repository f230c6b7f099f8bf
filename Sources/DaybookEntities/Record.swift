/// The packed properties of one entity.
///
/// Each property consists of a tag (one byte), a byte count (varint) and its bytes. Properties are
/// in ascending order of tags. A property that has its default value is omitted, so that equal
/// entities have equal records.
public struct Record: Hashable, Sendable {
  /// The packed bytes.
  public var bytes: [UInt8]

  /// Creates a record without properties.
  @inlinable
  public init() { bytes = [] }

  /// Creates a record from packed bytes.
  @inlinable
  public init(bytes: [UInt8]) { self.bytes = bytes }

  /// The packed bytes, without a copy, for as long as the record is borrowed.
  @inlinable
  public var span: RawSpan {
    @_lifetime(borrow self)
    borrowing get { bytes.span.bytes }
  }

  /// A copy of the value of a property; `nil` if the property is absent or the record is damaged.
  ///
  /// - Complexity: O(*n*) in the number of properties.
  public subscript(tag: UInt8) -> [UInt8]? {
    var reader = RecordReader(bytes.span.bytes)
    while let property = try? reader.next() {
      if property.tag == tag { return property.value.copied() }
      if property.tag > tag { return nil }
    }
    return nil
  }
}

/// A property of a record that is being read.
public struct Property: ~Escapable {
  /// The tag of the property.
  public let tag: UInt8
  /// The encoded value of the property.
  public let value: RawSpan

  /// Creates a property.
  @inlinable
  @_lifetime(copy value)
  public init(tag: UInt8, value: RawSpan) {
    self.tag = tag
    self.value = value
  }
}

/// Iterates over the properties of a packed record without copying them.
public struct RecordReader: ~Escapable {
  @usableFromInline
  var reader: ByteReader

  /// Creates a reader at the first property of `span`.
  @inlinable
  @_lifetime(copy span)
  public init(_ span: RawSpan) { reader = ByteReader(span) }

  /// Returns the next property, or `nil` at the end.
  ///
  /// - Throws: `DecodingFault` if the record is damaged.
  @inlinable
  @_lifetime(copy self)
  @_lifetime(self: copy self)
  public mutating func next() throws(DecodingFault) -> Property? {
    if reader.isAtEnd { return nil }
    let tag = try reader.u8()
    let length = try reader.count()
    let value = try reader.raw(length)
    return Property(tag: tag, value: value)
  }
}

extension RecordReader {
  /// The number that ``step(_:)`` returns after the last property.
  ///
  /// It is greater than every tag.
  @inlinable
  @inline(__always)
  public static var end: UInt16 { 256 }

  /// Moves to the next property and returns its tag, or ``end`` if there is none.
  ///
  /// `value` becomes a reader of the property's value. This is equivalent to ``next()``, but faster
  /// for reading all properties. Most byte counts take one byte, and then nothing is copied.
  ///
  /// - Throws: `DecodingFault` if the record is damaged.
  @inlinable
  @inline(__always)
  @_lifetime(self: copy self)
  @_lifetime(value: copy self)
  public mutating func step(_ value: inout ByteReader) throws(DecodingFault) -> UInt16 {
    let start = reader.offset
    let left = reader.span.byteCount - start
    if left >= 2 {
      let length = unsafe Int(reader.span.unsafeLoad(fromByteOffset: start + 1, as: UInt8.self))
      if length < 0x80, length <= left - 2 {
        reader.offset = start + 2 + length
        value = unsafe ByteReader(reader.span.extracting(unchecked: start + 2..<start + 2 + length))
        return unsafe UInt16(reader.span.unsafeLoad(fromByteOffset: start, as: UInt8.self))
      }
    }
    return try longStep(&value)
  }

  @inline(never)
  @usableFromInline
  @_lifetime(self: copy self)
  @_lifetime(value: copy self)
  mutating func longStep(_ value: inout ByteReader) throws(DecodingFault) -> UInt16 {
    guard let property = try next() else { return Self.end }
    value = ByteReader(property.value)
    return UInt16(property.tag)
  }
}

/// Packs properties into a record.
///
/// Tags must be in ascending order.
public struct RecordWriter: Sendable {
  @usableFromInline
  var writer: ByteWriter
  @usableFromInline
  var lastTag = -1

  /// Creates a writer and reserves capacity for `byteCount` bytes.
  @inlinable
  public init(reserving byteCount: Int = 96) { writer = ByteWriter(reserving: byteCount) }

  /// Adds a property whose value is written by `body`.
  ///
  /// - Precondition: `tag` is greater than the previous tag.
  @inlinable
  public mutating func put(_ tag: UInt8, _ body: (inout ByteWriter) -> Void) {
    precondition(Int(tag) > lastTag, "properties are packed in ascending order of their tags")
    lastTag = Int(tag)
    writer.u8(tag)
    let mark = writer.bytes.count
    writer.u8(0)
    body(&writer)
    let length = writer.bytes.count - mark - 1
    if length < 0x80 {
      writer.bytes[mark] = UInt8(truncatingIfNeeded: length)
    } else {
      var prefix = ByteWriter(reserving: 10)
      prefix.varint(UInt64(length))
      writer.bytes.replaceSubrange(mark...mark, with: prefix.bytes)
    }
  }

  /// Adds a text as UTF-8, unless it is empty, which is the default.
  @inlinable
  public mutating func put(_ tag: UInt8, text: String) {
    if text.isEmpty { return }
    put(tag) { $0.raw(text.utf8) }
  }

  /// The packed record.
  @inlinable
  public var record: Record { Record(bytes: writer.bytes) }
}
