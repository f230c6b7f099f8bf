import Crypto
package import Entities

/// A SHA-256 value: a link of the chain, a digest of a body.
public struct Hash256: Hashable, Sendable {
  let first: UInt64
  let second: UInt64
  let third: UInt64
  let fourth: UInt64

  /// Bytes of a value on disk.
  public static let byteCount = 32

  /// All zero: what stands where nothing was hashed.
  public static let zero = Hash256(0, 0, 0, 0)

  init(_ first: UInt64, _ second: UInt64, _ third: UInt64, _ fourth: UInt64) {
    self.first = first
    self.second = second
    self.third = third
    self.fourth = fourth
  }

  /// A value from its 32 bytes, or `nil` where the count is another.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count == Hash256.byteCount else { return nil }
    var reader = ByteReader(bytes.span.bytes)
    guard let value = try? reader.hash() else { return nil }
    self = value
  }

  /// SHA-256 of some bytes.
  package init(hashing bytes: RawSpan) {
    var stream = Stream()
    stream.update(bytes)
    self = stream.digest
  }

  /// SHA-256 of bytes that come one after the other.
  package struct Stream {
    private var function = SHA256()

    package init() {}

    package mutating func update(_ bytes: RawSpan) {
      // `Crypto` takes bytes as a buffer pointer only, or through Foundation's protocols, which cost
      // more than the hashing of a short text.
      unsafe bytes.withUnsafeBytes { unsafe function.update(bufferPointer: $0) }
    }

    /// The digest of what has come so far.
    package var digest: Hash256 {
      unsafe function.finalize().withUnsafeBytes { buffer in
        unsafe Hash256(
          UInt64(bigEndian: buffer.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
          UInt64(bigEndian: buffer.loadUnaligned(fromByteOffset: 8, as: UInt64.self)),
          UInt64(bigEndian: buffer.loadUnaligned(fromByteOffset: 16, as: UInt64.self)),
          UInt64(bigEndian: buffer.loadUnaligned(fromByteOffset: 24, as: UInt64.self)))
      }
    }
  }

  /// SHA-256 of some bytes.
  package init(hashing bytes: [UInt8]) { self.init(hashing: bytes.span.bytes) }

  /// The 32 bytes.
  public var bytes: [UInt8] {
    var writer = ByteWriter(reserving: Hash256.byteCount)
    writer.hash(self)
    return writer.bytes
  }

  /// The first eight bytes as a number: what a token carries.
  public var prefix: UInt64 { first }
}

extension Hash256: CustomStringConvertible {
  /// 64 hexadecimal digits.
  public var description: String { hexText(bytes) }
}

extension ByteWriter {
  mutating func hash(_ value: Hash256) {
    u64be(value.first)
    u64be(value.second)
    u64be(value.third)
    u64be(value.fourth)
  }

  mutating func span(_ value: RawSpan) {
    unsafe value.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
  }

  mutating func span(_ value: RawSpan, _ range: Range<Int>) {
    span(value.extracting(range))
  }
}

extension ByteReader {
  /// The 32 bytes of a SHA-256 value.
  @_lifetime(self: copy self)
  package mutating func hash() throws(DecodingFault) -> Hash256 {
    let first = try u64be()
    let second = try u64be()
    let third = try u64be()
    let fourth = try u64be()
    return Hash256(first, second, third, fourth)
  }
}

/// Bytes in lowercase hexadecimal digits.
package func hexText(_ bytes: [UInt8]) -> String {
  let digits = Array("0123456789abcdef".utf8)
  var text: [UInt8] = []
  text.reserveCapacity(bytes.count * 2)
  for byte in bytes {
    text.append(digits[Int(byte >> 4)])
    text.append(digits[Int(byte & 15)])
  }
  return String(decoding: text, as: UTF8.self)
}

/// Bytes from hexadecimal digits, or `nil` where the text is anything else.
package func hexBytes(_ text: some StringProtocol) -> [UInt8]? {
  let digits = Array(text.utf8)
  guard digits.count.isMultiple(of: 2) else { return nil }
  var bytes: [UInt8] = []
  bytes.reserveCapacity(digits.count / 2)
  for index in stride(from: 0, to: digits.count, by: 2) {
    guard let high = hexValue(digits[index]), let low = hexValue(digits[index + 1]) else {
      return nil
    }
    bytes.append(high << 4 | low)
  }
  return bytes
}

private func hexValue(_ digit: UInt8) -> UInt8? {
  switch digit {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
  default: nil
  }
}
