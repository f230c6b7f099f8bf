public import DaybookEntities

/// The representation of a value in records, JSON and the history.
public protocol PropertyCoding: Sendable {
  /// The type of the value; its `Codable` form is used in JSON.
  associatedtype Value: Hashable & Sendable & Codable
  /// The value of an absent property; `nil` if every record has the property.
  static var absent: Value? { get }
  /// A placeholder for contexts that don't use the value.
  static var blank: Value { get }
  /// Whether the value is the default, which isn't written.
  static func isAbsent(_ value: Value) -> Bool
  /// Whether JSON leaves out the value.
  static func isLeftOutOfJSON(_ value: Value) -> Bool
  /// Writes the value without tag and length.
  static func write(_ value: Value, to writer: inout ByteWriter)
  /// Reads the whole value.
  ///
  /// - Throws: `DecodingFault` if the value is damaged.
  @_lifetime(walk: copy walk)
  static func read(_ walk: inout RecordWalk) throws(DecodingFault) -> Value
  /// Whether a command can't set the value: a text of more than `byteCountMax` bytes, or a day
  /// outside the range of a ledger.
  static func isBeyond(_ byteCountMax: Int, _ value: Value) -> Bool
  /// The value as shown in the history; `bytes` is its encoded form.
  static func shown(_ value: Value, _ bytes: RawSpan) -> PropertyValue
  /// The value of bytes without the rest of their record, as shown in the history.
  ///
  /// - Throws: `DecodingFault` if the value is damaged.
  static func value(_ bytes: RawSpan) throws(DecodingFault) -> PropertyValue
  /// The value's form in the JSON of the history, which must not depend on the entity's other
  /// properties.
  associatedtype Apart: Codable = Value
  /// Reads a value without the rest of its record.
  ///
  /// - Throws: `DecodingFault` if the value is damaged.
  static func apart(_ bytes: [UInt8]) throws(DecodingFault) -> Apart
  /// Writes a value without the rest of its record.
  static func bytes(_ apart: Apart) -> [UInt8]
}

extension PropertyCoding where Apart == Value {
  /// Reads a value without the rest of its record.
  ///
  /// - Throws: `DecodingFault` if the value is damaged.
  public static func apart(_ bytes: [UInt8]) throws(DecodingFault) -> Value {
    var walk = RecordWalk(value: bytes.span.bytes)
    return try read(&walk)
  }
  /// Writes a value without the rest of its record.
  public static func bytes(_ apart: Value) -> [UInt8] {
    var writer = ByteWriter()
    write(apart, to: &writer)
    return writer.bytes
  }
}

extension PropertyCoding {
  /// Whether JSON leaves out the value; by default, the same values as records.
  public static func isLeftOutOfJSON(_ value: Value) -> Bool { isAbsent(value) }
  /// Whether a command can't set the value; by default, it can set any.
  @inline(__always)
  public static func isBeyond(_ byteCountMax: Int, _ value: Value) -> Bool { false }
  /// The value of bytes; by default, decoded on its own.
  ///
  /// - Throws: `DecodingFault` if the bytes aren't a value of this coding.
  public static func value(_ bytes: RawSpan) throws(DecodingFault) -> PropertyValue {
    var walk = RecordWalk(value: bytes)
    return shown(try read(&walk), bytes)
  }
  /// Shows only that the value changed.
  public static func shown(_ value: Value, _ bytes: RawSpan) -> PropertyValue {
    .bytes(bytes.copied())
  }
}

/// The coding of a value that every record has.
package protocol RequiredCoding: PropertyCoding {}

extension RequiredCoding {
  @inline(__always) package static var absent: Value? { nil }
  @inline(__always) package static func isAbsent(_ value: Value) -> Bool { false }
}

/// The coding of a value that is left out if it is the default.
package protocol DefaultedCoding: PropertyCoding {
  static var standard: Value { get }
}

extension DefaultedCoding {
  @inline(__always) package static var absent: Value? { standard }
  @inline(__always) package static var blank: Value { standard }
  @inline(__always) package static func isAbsent(_ value: Value) -> Bool { value == standard }
}

/// The coding of an optional value, which is absent for `nil`.
package struct OptionalCoding<Base: PropertyCoding>: PropertyCoding {
  @inline(__always) init() {}
  @inline(__always) package static var absent: Base.Value?? { .some(nil) }
  @inline(__always) package static var blank: Base.Value? { nil }
  @inline(__always) package static func isAbsent(_ value: Base.Value?) -> Bool { value == nil }
  @inline(__always)
  package static func write(_ value: Base.Value?, to writer: inout ByteWriter) {
    if let value { Base.write(value, to: &writer) }
  }
  @inline(__always)
  @_lifetime(walk: copy walk)
  package static func read(_ walk: inout RecordWalk) throws(DecodingFault) -> Base.Value? {
    try Base.read(&walk)
  }
  @inline(__always)
  package static func isBeyond(_ byteCountMax: Int, _ value: Base.Value?) -> Bool {
    value.map { Base.isBeyond(byteCountMax, $0) } ?? false
  }
  package static func shown(_ value: Base.Value?, _ bytes: RawSpan) -> PropertyValue {
    value.map { Base.shown($0, bytes) } ?? .bytes([])
  }
  package typealias Apart = Base.Apart
  package static func apart(_ bytes: [UInt8]) throws(DecodingFault) -> Base.Apart {
    try Base.apart(bytes)
  }
  package static func bytes(_ apart: Base.Apart) -> [UInt8] { Base.bytes(apart) }
}

extension PropertyCoding {
  /// The coding of an optional value.
  @inline(__always)
  package static func optional<Base>(_ base: Base) -> Self where Self == OptionalCoding<Base> {
    Self()
  }
}

/// The coding of a list: a count and the elements; absent if empty.
package struct ListCoding<Element: ListElement>: DefaultedCoding {
  @inline(__always) init() {}
  @inline(__always) package static var standard: [Element] { [] }
  @inline(__always) package static func isAbsent(_ value: [Element]) -> Bool { value.isEmpty }
  @inline(__always)
  package static func write(_ value: [Element], to writer: inout ByteWriter) {
    writer.varint(UInt64(value.count))
    for element in value { element.write(to: &writer) }
  }
  @inline(__always)
  @_lifetime(walk: copy walk)
  package static func read(_ walk: inout RecordWalk) throws(DecodingFault) -> [Element] {
    var elements: [Element] = []
    for _ in 0..<(try walk.value.count()) { elements.append(try Element(from: &walk.value)) }
    return elements
  }
  package static func shown(_ value: [Element], _ bytes: RawSpan) -> PropertyValue {
    Element.shown(value) ?? .bytes(bytes.copied())
  }
}

/// An element that a list can contain.
package protocol ListElement: Hashable, Sendable, Codable {
  func write(to writer: inout ByteWriter)
  /// - Throws: `DecodingFault` if the element is damaged.
  @_lifetime(reader: copy reader)
  init(from reader: inout ByteReader) throws(DecodingFault)
  /// The list as shown in the history, or `nil` to show only that it changed.
  static func shown(_ list: [Self]) -> PropertyValue?
}

extension ListElement {
  /// Shows only that the list changed.
  package static func shown(_ list: [Self]) -> PropertyValue? { nil }
}

extension PropertyCoding {
  /// The coding of a list, which is absent if empty.
  @inline(__always)
  package static func list<Element>() -> Self where Self == ListCoding<Element> { Self() }
}

extension String: ListElement {
  @inline(__always)
  package func write(to writer: inout ByteWriter) { writer.string(self) }
  @inline(__always)
  @_lifetime(reader: copy reader)
  package init(from reader: inout ByteReader) throws(DecodingFault) { self = try reader.string() }
  package static func shown(_ list: [String]) -> PropertyValue? { .texts(list) }
}

extension Identifier: ListElement {
  @inline(__always)
  package func write(to writer: inout ByteWriter) { writer.id(rawValue) }
  @inline(__always)
  @_lifetime(reader: copy reader)
  package init(from reader: inout ByteReader) throws(DecodingFault) { self.init(try reader.id()) }
  package static func shown(_ list: [Self]) -> PropertyValue? { .entities(list.map(\.rawValue)) }
}
