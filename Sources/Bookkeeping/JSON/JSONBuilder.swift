extension JSONValue {
  /// The JSON form of a value, its members in the order in which the type writes them.
  ///
  /// - Throws: `EncodingError` for floating point and numbers beyond `Int64`, and what the type throws.
  public init(_ value: some Encodable) throws {
    let builder = JSONBuilder(path: [])
    try builder.put(value)
    self = builder.value
  }
}

/// Gathers what a value writes about itself.
///
/// A tree rather than text at once: a container does not say when it is complete.
private final class JSONBuilder: Encoder {
  enum Content {
    case nothing
    case value(JSONValue)
    case array([JSONBuilder])
    case object([(String, JSONBuilder)])
  }

  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }
  var content = Content.nothing

  init(path: [any CodingKey]) { codingPath = path }

  var value: JSONValue {
    switch content {
    case .nothing: .object([])
    case .value(let value): value
    case .array(let elements): .array(elements.map(\.value))
    case .object(let members): .object(members.map { .init($0.0, $0.1.value) })
    }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if case .object = content {} else { content = .object([]) }
    return KeyedEncodingContainer(JSONObjectContainer<Key>(builder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if case .array = content {} else { content = .array([]) }
    return JSONArrayContainer(builder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    JSONValueContainer(builder: self)
  }

  /// The builder of a new member.
  func member(_ key: some CodingKey) -> JSONBuilder {
    let builder = JSONBuilder(path: codingPath + [key])
    if case .object(var members) = content {
      content = .nothing
      members.append((key.stringValue, builder))
      content = .object(members)
    }
    return builder
  }

  /// The builder of a new element.
  func element() -> JSONBuilder {
    let builder = JSONBuilder(path: codingPath)
    if case .array(var elements) = content {
      content = .nothing
      elements.append(builder)
      content = .array(elements)
    }
    return builder
  }

  /// Takes a value: those that JSON has as they are, all others by what they write.
  func put(_ value: some Encodable) throws {
    switch value {
    case let value as String: content = .value(.string(value))
    case let value as Bool: content = .value(.bool(value))
    case let value as any BinaryInteger:
      guard let number = Int64(exactly: value) else {
        throw EncodingError.invalidValue(
          value, .init(codingPath: codingPath, debugDescription: "the number is too large"))
      }
      content = .value(.int(number))
    case is any BinaryFloatingPoint:
      throw EncodingError.invalidValue(
        value, .init(codingPath: codingPath, debugDescription: "floating point is not exact"))
    default: try value.encode(to: self)
    }
  }
}

private struct JSONObjectContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let builder: JSONBuilder
  var codingPath: [any CodingKey] { builder.codingPath }

  mutating func encodeNil(forKey key: Key) { builder.member(key).content = .value(.null) }
  mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    try builder.member(key).put(value)
  }
  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> { builder.member(key).container(keyedBy: type) }
  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    builder.member(key).unkeyedContainer()
  }
  mutating func superEncoder() -> any Encoder { builder.member(MemberName("super")) }
  mutating func superEncoder(forKey key: Key) -> any Encoder { builder.member(key) }
}

private struct JSONArrayContainer: UnkeyedEncodingContainer {
  let builder: JSONBuilder
  var codingPath: [any CodingKey] { builder.codingPath }
  var count: Int {
    if case .array(let elements) = builder.content { elements.count } else { 0 }
  }

  mutating func encodeNil() { builder.element().content = .value(.null) }
  mutating func encode<Value: Encodable>(_ value: Value) throws { try builder.element().put(value) }
  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> { builder.element().container(keyedBy: type) }
  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    builder.element().unkeyedContainer()
  }
  mutating func superEncoder() -> any Encoder { builder.element() }
}

private struct JSONValueContainer: SingleValueEncodingContainer {
  let builder: JSONBuilder
  var codingPath: [any CodingKey] { builder.codingPath }

  mutating func encodeNil() { builder.content = .value(.null) }
  mutating func encode<Value: Encodable>(_ value: Value) throws { try builder.put(value) }
}
