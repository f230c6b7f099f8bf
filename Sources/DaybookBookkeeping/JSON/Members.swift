// Methods that write and read members, which are omitted if they have their default value.

extension KeyedEncodingContainer {
  /// Writes a value unless it is the default.
  mutating func put<Value: Encodable & Equatable>(
    _ value: Value, unless absent: Value, _ key: Key
  ) throws {
    if value != absent { try encode(value, forKey: key) }
  }

  /// Writes a string unless it is empty.
  mutating func put(_ text: String, _ key: Key) throws { try put(text, unless: "", key) }
  /// Writes a flag if it is set.
  mutating func put(_ flag: Bool, _ key: Key) throws { try put(flag, unless: false, key) }
  /// Writes a list unless it is empty.
  mutating func put<Element: Encodable>(_ list: [Element], _ key: Key) throws {
    if !list.isEmpty { try encode(list, forKey: key) }
  }
  /// Writes a value unless it is `nil`.
  mutating func put(_ value: (some Encodable)?, _ key: Key) throws {
    try encodeIfPresent(value, forKey: key)
  }

  /// Writes a change: nothing for `nil`, `null` for `.some(nil)`, or the new value.
  mutating func put(change: (some Encodable)??, _ key: Key) throws {
    guard let change else { return }
    if let change { try encode(change, forKey: key) } else { try encodeNil(forKey: key) }
  }
}

extension KeyedDecodingContainer {
  /// Reads a value, or returns its default if the member is missing.
  func take<Value: Decodable>(_ key: Key, or absent: Value) throws -> Value {
    try decodeIfPresent(Value.self, forKey: key) ?? absent
  }

  /// Reads a string; empty if the member is missing.
  func take(_ key: Key) throws -> String { try take(key, or: "") }
  /// Reads a flag; `false` if the member is missing.
  func take(_ key: Key) throws -> Bool { try take(key, or: false) }
  /// Reads a list; empty if the member is missing.
  func take<Element: Decodable>(_ key: Key) throws -> [Element] { try take(key, or: []) }
  /// Reads a value; `nil` if the member is missing.
  func take<Value: Decodable>(_ key: Key) throws -> Value? {
    try decodeIfPresent(Value.self, forKey: key)
  }

  /// Reads a change: `nil` if the member is missing, `.some(nil)` for `null`, or the new value.
  func take<Value: Decodable>(change key: Key) throws -> Value?? {
    guard contains(key) else { return nil }
    return .some(try decodeIfPresent(Value.self, forKey: key))
  }

  /// A decoding error for a member.
  func fault(_ key: Key, _ reason: String) -> DecodingError {
    .dataCorruptedError(forKey: key, in: self, debugDescription: reason)
  }
}
