public import Entities

/// How one value stands in a record, in JSON and in history.
public protocol PropertyCoding: Sendable {
  /// The type of the value; its `Codable` form is the one of JSON.
  associatedtype Value: Hashable & Sendable & Codable
  /// What an absent property means; `nil` where every record has it.
  static var absent: Value? { get }
  /// Stands for a value where none is wanted.
  static var blank: Value { get }
  /// Whether the value is the default, and not written.
  static func isAbsent(_ value: Value) -> Bool
  /// Whether JSON leaves the value out.
  static func isLeftOutOfJSON(_ value: Value) -> Bool
  /// Writes the value, without tag and length.
  static func write(_ value: Value, to writer: inout ByteWriter)
  /// Reads the value, to its end.
  ///
  /// - Throws: `DecodingFault` where it is damaged.
  @_lifetime(walk: copy walk)
  static func read(_ walk: inout RecordWalk) throws(DecodingFault) -> Value
  /// What history shows, of the value and the bytes it was read from.
  static func shown(_ value: Value, _ bytes: RawSpan) -> PropertyValue
  /// The value as the JSON of history has it, which knows nothing of the entity's other properties.
  associatedtype Apart: Codable = Value
  /// Reads the value alone.
  ///
  /// - Throws: `DecodingFault` where it is damaged.
  static func apart(_ bytes: [UInt8]) throws(DecodingFault) -> Apart
  /// Writes the value alone.
  static func bytes(_ apart: Apart) -> [UInt8]
}

extension PropertyCoding where Apart == Value {
  /// Reads the value alone.
  ///
  /// - Throws: `DecodingFault` where it is damaged.
  public static func apart(_ bytes: [UInt8]) throws(DecodingFault) -> Value {
    var walk = RecordWalk(value: bytes.span.bytes)
    return try read(&walk)
  }
  /// Writes the value alone.
  public static func bytes(_ apart: Value) -> [UInt8] {
    var writer = ByteWriter()
    write(apart, to: &writer)
    return writer.bytes
  }
}

extension PropertyCoding {
  /// What a record leaves out.
  public static func isLeftOutOfJSON(_ value: Value) -> Bool { isAbsent(value) }
  /// Only that it changed.
  public static func shown(_ value: Value, _ bytes: RawSpan) -> PropertyValue {
    .bytes(bytes.copied())
  }
}

/// A value that every record has.
package protocol RequiredCoding: PropertyCoding {}

extension RequiredCoding {
  @inline(__always) package static var absent: Value? { nil }
  @inline(__always) package static func isAbsent(_ value: Value) -> Bool { false }
}

/// A value that is left out where it is the default.
package protocol DefaultedCoding: PropertyCoding {
  static var standard: Value { get }
}

extension DefaultedCoding {
  @inline(__always) package static var absent: Value? { standard }
  @inline(__always) package static var blank: Value { standard }
  @inline(__always) package static func isAbsent(_ value: Value) -> Bool { value == standard }
}

/// A value that may be missing: absent where `nil`.
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
  /// A value that may be missing.
  @inline(__always)
  package static func optional<Base>(_ base: Base) -> Self where Self == OptionalCoding<Base> {
    Self()
  }
}

/// Something counted, absent where there is none.
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

/// What a list may hold: it writes and reads itself.
package protocol ListElement: Hashable, Sendable, Codable {
  func write(to writer: inout ByteWriter)
  ///
  /// - Throws: `DecodingFault` where it is damaged.
  @_lifetime(reader: copy reader)
  init(from reader: inout ByteReader) throws(DecodingFault)
  /// What history shows of a list, or `nil` to show only that it changed.
  static func shown(_ list: [Self]) -> PropertyValue?
}

extension ListElement {
  /// Only that it changed.
  package static func shown(_ list: [Self]) -> PropertyValue? { nil }
}

extension PropertyCoding {
  /// Something counted, absent where there is none.
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
}
