// How types with defaults write and read their members: what stands at its default is left out.

extension KeyedEncodingContainer {
  /// Writes a value unless it is the default.
  mutating func put<Value: Encodable & Equatable>(
    _ value: Value, unless absent: Value, _ key: Key
  ) throws {
    if value != absent { try encode(value, forKey: key) }
  }

  /// Writes a text, a list or a flag unless it is empty or unset.
  mutating func put(_ text: String, _ key: Key) throws { try put(text, unless: "", key) }
  /// Writes a flag where it is set.
  mutating func put(_ flag: Bool, _ key: Key) throws { try put(flag, unless: false, key) }
  /// Writes a list unless it is empty.
  mutating func put<Element: Encodable>(_ list: [Element], _ key: Key) throws {
    if !list.isEmpty { try encode(list, forKey: key) }
  }
  /// Writes a value where there is one.
  mutating func put(_ value: (some Encodable)?, _ key: Key) throws {
    try encodeIfPresent(value, forKey: key)
  }

  /// Writes nothing to leave a property as it is, `null` to take it away, or the value to set it.
  mutating func put(change: (some Encodable)??, _ key: Key) throws {
    guard let change else { return }
    if let change { try encode(change, forKey: key) } else { try encodeNil(forKey: key) }
  }
}

extension KeyedDecodingContainer {
  /// Reads a value, or its default where the member is missing.
  func take<Value: Decodable>(_ key: Key, or absent: Value) throws -> Value {
    try decodeIfPresent(Value.self, forKey: key) ?? absent
  }

  /// Reads a text, a list or a flag, or an empty or unset one where the member is missing.
  func take(_ key: Key) throws -> String { try take(key, or: "") }
  /// Reads a flag, unset where the member is missing.
  func take(_ key: Key) throws -> Bool { try take(key, or: false) }
  /// Reads a list, empty where the member is missing.
  func take<Element: Decodable>(_ key: Key) throws -> [Element] { try take(key, or: []) }
  /// Reads a value where there is one.
  func take<Value: Decodable>(_ key: Key) throws -> Value? {
    try decodeIfPresent(Value.self, forKey: key)
  }

  /// Reads nothing to leave a property as it is, `null` to take it away, or the value to set it.
  func take<Value: Decodable>(change key: Key) throws -> Value?? {
    guard contains(key) else { return nil }
    return .some(try decodeIfPresent(Value.self, forKey: key))
  }

  /// What is wrong with a member.
  func fault(_ key: Key, _ reason: String) -> DecodingError {
    .dataCorruptedError(forKey: key, in: self, debugDescription: reason)
  }
}
