/// Bytes encoded as hexadecimal digits.
struct Hexadecimal: Codable {
  var bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Creates 16 hexadecimal digits from a number, because many JSON readers don't support integers
  /// of this size.
  init(_ number: UInt64) {
    bytes = (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * $0)) }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(hexText(bytes))
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let bytes = hexBytes(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "“\(text.excerpt)” aren't hexadecimal digits")
    }
    self.bytes = bytes
  }
}

/// Bytes that this version can't interpret as a value: `{"hex": "0a1b"}`.
struct RawValue: Codable {
  var hex: Hexadecimal
}

/// An idempotency key, as text or, if it isn't valid UTF-8, as raw bytes.
struct KeyText: Codable {
  var bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func encode(to encoder: any Encoder) throws {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      return try RawValue(hex: Hexadecimal(bytes)).encode(to: encoder)
    }
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }

  init(from decoder: any Decoder) throws {
    if let container = try? decoder.singleValueContainer(),
      let text = try? container.decode(String.self)
    {
      bytes = Array(text.utf8)
    } else {
      bytes = try RawValue(from: decoder).hex.bytes
    }
  }
}

extension KeyedDecodingContainer {
  /// Returns the error for a member that must have a given number of hexadecimal digits.
  func noDigits(_ count: Int, _ key: Key) -> DecodingError {
    .dataCorruptedError(
      forKey: key, in: self, debugDescription: "expected \(count) hexadecimal digits")
  }
}
