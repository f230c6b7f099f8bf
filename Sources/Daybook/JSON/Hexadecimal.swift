/// Bytes as a text of hexadecimal digits.
struct Hexadecimal: Codable {
  var bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// A number as 16 digits: readers of JSON take no whole number of that size.
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
        in: container, debugDescription: "“\(text.excerpt)” are no hexadecimal digits")
    }
    self.bytes = bytes
  }
}

/// Bytes that are no value which this version knows: `{"hex": "0a1b"}`.
struct RawValue: Codable {
  var hex: Hexadecimal
}

/// An idempotency key: a text, or bytes that are none.
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
  /// What is wrong with a member that is to have so many hexadecimal digits.
  func noDigits(_ count: Int, _ key: Key) -> DecodingError {
    .dataCorruptedError(
      forKey: key, in: self, debugDescription: "\(count) hexadecimal digits are expected")
  }
}
