import Daybook

/// A value in a JSON document, with a record of the members that were decoded.
final class StrictNode {
  let value: JSONValue
  let path: [any CodingKey]
  private var asked: Set<String> = []
  private var members: [String: StrictNode] = [:]
  private var elements: [StrictNode] = []

  init(_ value: JSONValue, _ path: [any CodingKey]) {
    self.value = value
    self.path = path
  }

  /// The names of the members if the value is an object, otherwise `nil`.
  var names: [String]? {
    guard case .object(let members) = value else { return nil }
    return members.map(\.name)
  }

  /// Returns a member and marks it as decoded.
  func member(_ key: any CodingKey) -> StrictNode? {
    let name = key.stringValue
    asked.insert(name)
    if let known = members[name] { return known }
    guard let value = value[name] else { return nil }
    let node = StrictNode(value, path + [key])
    members[name] = node
    return node
  }

  /// Returns the elements if the value is a list, otherwise `nil`.
  func list() -> [StrictNode]? {
    guard case .array(let values) = value else { return nil }
    if elements.isEmpty {
      elements = values.indices.map { StrictNode(values[$0], path + [StrictKey(intValue: $0)]) }
    }
    return elements
  }

  /// Returns an error for the first member that was not decoded, or `nil` if all were decoded.
  func unread() -> DecodingError? {
    if wasRead, let name = names?.first(where: { !asked.contains($0) }) {
      return .dataCorrupted(
        .init(
          codingPath: path + [StrictKey(stringValue: name)],
          debugDescription: "the member “\(name.excerpt)” is unknown"))
    }
    for node in members.values.map(\.self) + elements {
      if let found = node.unread() { return found }
    }
    return nil
  }

  /// Whether the value was decoded as an object.
  var wasRead = false

  func mismatch(_ expected: String) -> DecodingError {
    .dataCorrupted(.init(codingPath: path, debugDescription: "expected \(expected)"))
  }
}

/// The name of a member or the index of an element.
struct StrictKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }
  init(intValue: Int) { (stringValue, self.intValue) = ("\(intValue)", intValue) }
}

struct StrictDecoder: Decoder, SingleValueDecodingContainer {
  let node: StrictNode
  var codingPath: [any CodingKey] { node.path }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(_ node: StrictNode) { self.node = node }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard node.names != nil else { throw node.mismatch("an object") }
    node.wasRead = true
    return KeyedDecodingContainer(StrictMembers(node: node))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard let nodes = node.list() else { throw node.mismatch("a list") }
    return StrictElements(node: node, nodes: nodes)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { node.value == .null }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if type == String.self, let text = node.value.text as? Value { return text }
    if type == Bool.self, let flag = node.value.flag as? Value { return flag }
    if type == String.self { throw node.mismatch("a string") }
    if type == Bool.self { throw node.mismatch("true or false") }
    if let type = type as? any FixedWidthInteger.Type {
      guard case .int(let number) = node.value, let value = type.init(exactly: number) as? Value
      else { throw node.mismatch("a whole number in the allowed range") }
      return value
    }
    return try Value(from: self)
  }
}

private struct StrictMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let node: StrictNode
  var codingPath: [any CodingKey] { node.path }
  var allKeys: [Key] { (node.names ?? []).compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { node.member(key) != nil }

  private func member(_ key: Key) throws -> StrictNode {
    if let found = node.member(key) { return found }
    throw DecodingError.keyNotFound(
      key, .init(codingPath: node.path, debugDescription: "“\(key.stringValue)” is missing"))
  }

  func decodeNil(forKey key: Key) throws -> Bool { try member(key).value == .null }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try StrictDecoder(try member(key)).decode(type)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try StrictDecoder(try member(key)).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try StrictDecoder(try member(key)).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { StrictDecoder(node) }
  func superDecoder(forKey key: Key) throws -> any Decoder { StrictDecoder(try member(key)) }
}

private struct StrictElements: UnkeyedDecodingContainer {
  let node: StrictNode
  let nodes: [StrictNode]
  var currentIndex = 0
  var codingPath: [any CodingKey] { node.path }
  var count: Int? { nodes.count }
  var isAtEnd: Bool { currentIndex >= nodes.count }

  private mutating func next() throws -> StrictNode {
    guard !isAtEnd else { throw node.mismatch("another element") }
    defer { currentIndex += 1 }
    return nodes[currentIndex]
  }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd, nodes[currentIndex].value == .null else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try StrictDecoder(try next()).decode(type)
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    try StrictDecoder(try next()).container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try StrictDecoder(try next()).unkeyedContainer()
  }

  mutating func superDecoder() throws -> any Decoder { StrictDecoder(try next()) }
}
