import Crypto
import Entities

/// A SHA-256 value: a link of the log's chain, the digest of an entry, of State or of a chunk.
public struct WireHash: Hashable, Sendable {
  private let first: UInt64
  private let second: UInt64
  private let third: UInt64
  private let fourth: UInt64

  /// Bytes of a value.
  public static let byteCount = 32

  init(_ first: UInt64, _ second: UInt64, _ third: UInt64, _ fourth: UInt64) {
    self.first = first
    self.second = second
    self.third = third
    self.fourth = fourth
  }

  /// A value from its 32 bytes, or `nil` where the count is another.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count == WireHash.byteCount else { return nil }
    var words: [UInt64] = [0, 0, 0, 0]
    for (index, byte) in bytes.enumerated() {
      words[index / 8] = words[index / 8] << 8 | UInt64(byte)
    }
    self.init(words[0], words[1], words[2], words[3])
  }

  /// SHA-256 of some bytes.
  public init(hashing bytes: [UInt8]) {
    var function = SHA256()
    function.update(data: bytes)
    self.init(function.finalize())
  }

  init(_ digest: some Sequence<UInt8>) {
    // A digest has 32 bytes.
    self = WireHash(Array(digest)) ?? .zero
  }

  /// All zero: what stands where nothing was hashed.
  public static let zero = WireHash(0, 0, 0, 0)

  var words: [UInt64] { [first, second, third, fourth] }

  /// The 32 bytes.
  public var bytes: [UInt8] {
    var writer = ByteWriter(reserving: WireHash.byteCount)
    writer.hash(self)
    return writer.bytes
  }
}

extension WireHash: CustomStringConvertible {
  /// 64 hexadecimal digits.
  public var description: String {
    let digits = Array("0123456789abcdef".utf8)
    let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return String(decoding: text, as: UTF8.self)
  }

  /// A value from 64 hexadecimal digits, or `nil` where the text is anything else.
  public init?(_ text: some StringProtocol) {
    let digits = text.utf8.map { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count == 64 else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: 64, by: 2) {
      guard let high = digits[index], let low = digits[index + 1] else { return nil }
      bytes.append(UInt8(high << 4 | low))
    }
    self.init(bytes)
  }
}

extension WireHash: Codable {
  /// Reads the text form.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let value = WireHash(text) else {
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
