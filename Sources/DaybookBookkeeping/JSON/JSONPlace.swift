/// An encoder for a value at a given nesting depth.
struct JSONPlace<Sink: JSONSink>: Encoder {
  let writer: JSONWriter<Sink>
  let depth: Int

  var codingPath: [any CodingKey] { writer.path(to: depth) }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    writer.open(isObject: true, at: depth)
    return KeyedEncodingContainer(JSONMembers<Key, Sink>(writer: writer, depth: depth + 1))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    writer.open(isObject: false, at: depth)
    return JSONElements(writer: writer, depth: depth + 1)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

/// The members of an object; `depth` is the number of containers around its values.
private struct JSONMembers<Key: CodingKey, Sink: JSONSink>: KeyedEncodingContainerProtocol {
  let writer: JSONWriter<Sink>
  let depth: Int
  var codingPath: [any CodingKey] { writer.path(to: depth - 1) }

  private func member(_ key: some CodingKey) -> JSONPlace<Sink> {
    writer.begin(at: depth, key.stringValue)
    return JSONPlace(writer: writer, depth: depth)
  }

  mutating func encodeNil(forKey key: Key) { member(key).encodeNil() }
  mutating func encode(_ value: String, forKey key: Key) { member(key).encode(value) }
  mutating func encode(_ value: Bool, forKey key: Key) { member(key).encode(value) }
  mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    try member(key).encode(value)
  }
  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> { member(key).container(keyedBy: type) }
  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    member(key).unkeyedContainer()
  }
  mutating func superEncoder() -> any Encoder { member(MemberName("super")) }
  mutating func superEncoder(forKey key: Key) -> any Encoder { member(key) }
}

/// The elements of an array; `depth` is the number of containers around them.
private struct JSONElements<Sink: JSONSink>: UnkeyedEncodingContainer {
  let writer: JSONWriter<Sink>
  let depth: Int
  var codingPath: [any CodingKey] { writer.path(to: depth - 1) }
  var count: Int { writer.count(at: depth) }

  private func element() -> JSONPlace<Sink> {
    writer.begin(at: depth)
    return JSONPlace(writer: writer, depth: depth)
  }

  mutating func encodeNil() { element().encodeNil() }
  mutating func encode<Value: Encodable>(_ value: Value) throws { try element().encode(value) }
  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> { element().container(keyedBy: type) }
  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    element().unkeyedContainer()
  }
  mutating func superEncoder() -> any Encoder { element() }
}

// The standard library's strings, booleans and numbers encode themselves through these methods. All
// other values consist of these.
extension JSONPlace: SingleValueEncodingContainer {
  func encodeNil() { writer.null(at: depth) }
  func encode(_ value: String) { writer.text(value, at: depth) }
  func encode(_ value: Bool) { writer.flag(value, at: depth) }
  func encode(_ value: Int) throws { try writer.number(value, at: depth) }
  func encode(_ value: Int8) throws { try writer.number(value, at: depth) }
  func encode(_ value: Int16) throws { try writer.number(value, at: depth) }
  func encode(_ value: Int32) throws { try writer.number(value, at: depth) }
  func encode(_ value: Int64) throws { try writer.number(value, at: depth) }
  func encode(_ value: UInt) throws { try writer.number(value, at: depth) }
  func encode(_ value: UInt8) throws { try writer.number(value, at: depth) }
  func encode(_ value: UInt16) throws { try writer.number(value, at: depth) }
  func encode(_ value: UInt32) throws { try writer.number(value, at: depth) }
  func encode(_ value: UInt64) throws { try writer.number(value, at: depth) }
  func encode(_ value: Double) throws { throw inexact(value) }
  func encode(_ value: Float) throws { throw inexact(value) }
  func encode(_ value: some Encodable) throws { try writer.put(value) }

  private func inexact(_ value: Any) -> EncodingError {
    .invalidValue(
      value, .init(codingPath: codingPath, debugDescription: "floating point is not exact"))
  }
}
