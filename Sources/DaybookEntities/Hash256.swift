package import DaybookCrypto

/// A SHA-256 value, such as a link of the hash chain or the digest of a body, an entry or State.
public struct Hash256: Hashable, Sendable {
  package let first: UInt64
  package let second: UInt64
  package let third: UInt64
  package let fourth: UInt64

  /// The size of a value, in bytes.
  public static let byteCount = 32

  /// A value of 32 zero bytes, used where nothing has been hashed.
  public static let zero = Hash256((0, 0, 0, 0))

  /// Creates a value from the result of the hash function.
  package init(_ digest: SHA256.Digest) { (first, second, third, fourth) = digest }

  /// Creates a value from its 32 bytes, or returns `nil` if the number of bytes differs.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count == Hash256.byteCount else { return nil }
    var reader = ByteReader(bytes)
    guard let value = try? reader.hash() else { return nil }
    self = value
  }

  /// Computes the SHA-256 hash of bytes.
  public init(hashing bytes: [UInt8]) { self.init(hashing: bytes.span.bytes) }

  /// Computes the SHA-256 hash of bytes.
  package init(hashing bytes: RawSpan) {
    var stream = Stream()
    stream.update(bytes)
    self = stream.finish()
  }

  /// Computes the SHA-256 hash of bytes that arrive in pieces.
  package struct Stream: ~Copyable {
    private var function = SHA256()

    package init() {}

    /// Adds bytes to the hash.
    package mutating func update(_ bytes: RawSpan) { function.update(bytes) }

    /// Returns the digest of all added bytes.
    package consuming func finish() -> Hash256 { Hash256(function.finish()) }
  }

  /// The 32 bytes of the value.
  public var bytes: [UInt8] {
    var writer = ByteWriter(reserving: Hash256.byteCount)
    writer.hash(self)
    return writer.bytes
  }

  /// The first eight bytes as a number, which is part of a token.
  public var prefix: UInt64 { first }
}

extension Hash256: CustomStringConvertible {
  /// The value as 64 hexadecimal digits.
  public var description: String { hexText(bytes) }

  /// Parses 64 hexadecimal digits, or returns `nil` if the text isn't valid.
  public init?(_ text: some StringProtocol) {
    guard let bytes = hexBytes(text) else { return nil }
    self.init(bytes)
  }
}

extension Hash256: Codable {
  /// Decodes a value from its text form.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let value = Hash256(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "a hash has 64 hexadecimal digits")
    }
    self = value
  }

  /// Encodes the text form.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension ByteWriter {
  /// Appends the 32 bytes of a SHA-256 value.
  package mutating func hash(_ value: Hash256) {
    u64be(value.first)
    u64be(value.second)
    u64be(value.third)
    u64be(value.fourth)
  }
}

extension ByteReader {
  /// Reads the 32 bytes of a SHA-256 value.
  @_lifetime(self: copy self)
  package mutating func hash() throws(DecodingFault) -> Hash256 {
    Hash256((try u64be(), try u64be(), try u64be(), try u64be()))
  }
}
