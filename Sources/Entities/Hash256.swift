package import DaybookCrypto

/// A SHA-256 value: a link of a chain, or the digest of a body, an entry or State.
public struct Hash256: Hashable, Sendable {
  package let first: UInt64
  package let second: UInt64
  package let third: UInt64
  package let fourth: UInt64

  /// The size of a value.
  public static let byteCount = 32

  /// All zeros: stands where nothing was hashed.
  public static let zero = Hash256((0, 0, 0, 0))

  /// The value that a hash function returned.
  package init(_ digest: SHA256.Digest) { (first, second, third, fourth) = digest }

  /// A value from its 32 bytes, or `nil` if there are more or fewer.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count == Hash256.byteCount else { return nil }
    var reader = ByteReader(bytes)
    guard let value = try? reader.hash() else { return nil }
    self = value
  }

  /// SHA-256 of some bytes.
  public init(hashing bytes: [UInt8]) { self.init(hashing: bytes.span.bytes) }

  /// SHA-256 of some bytes.
  package init(hashing bytes: RawSpan) {
    var stream = Stream()
    stream.update(bytes)
    self = stream.finish()
  }

  /// SHA-256 of bytes that arrive in pieces.
  package struct Stream: ~Copyable {
    private var function = SHA256()

    package init() {}

    /// Adds bytes.
    package mutating func update(_ bytes: RawSpan) { function.update(bytes) }

    /// The digest of all bytes added.
    package consuming func finish() -> Hash256 { Hash256(function.finish()) }
  }

  /// The 32 bytes.
  public var bytes: [UInt8] {
    var writer = ByteWriter(reserving: Hash256.byteCount)
    writer.hash(self)
    return writer.bytes
  }

  /// The first eight bytes as a number, which a token carries.
  public var prefix: UInt64 { first }
}

extension Hash256: CustomStringConvertible {
  /// 64 hexadecimal digits.
  public var description: String { hexText(bytes) }

  /// A value from 64 hexadecimal digits, or `nil` if the text is anything else.
  public init?(_ text: some StringProtocol) {
    guard let bytes = hexBytes(text) else { return nil }
    self.init(bytes)
  }
}

extension Hash256: Codable {
  /// Reads the text form.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let value = Hash256(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "a hash has 64 hexadecimal digits")
    }
    self = value
  }

  /// Writes the text form.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension ByteWriter {
  /// The 32 bytes of a SHA-256 value.
  package mutating func hash(_ value: Hash256) {
    u64be(value.first)
    u64be(value.second)
    u64be(value.third)
    u64be(value.fourth)
  }
}

extension ByteReader {
  /// The 32 bytes of a SHA-256 value.
  @_lifetime(self: copy self)
  package mutating func hash() throws(DecodingFault) -> Hash256 {
    Hash256((try u64be(), try u64be(), try u64be(), try u64be()))
  }
}
