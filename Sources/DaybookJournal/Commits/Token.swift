public import DaybookEntities

/// A position in the history of one ledger, between two commits.
///
/// A token is opaque to applications: store it as `text` or through `Codable`, and pass it back
/// unchanged. It contains the first bytes of the link of the preceding commit, so that a diverged
/// copy of the ledger is detected.
public struct Token: Hashable, Sendable {
  /// The ledger's identity.
  public var store: EntityID
  /// The lineage; every restore begins a new one.
  public var lineage: UInt64
  /// The sequence of the commit before this position, or 0 at the start of history.
  public var sequence: UInt64
  /// The first eight bytes of the link of the commit with this sequence.
  public var linkPrefix: UInt64

  private static let version: UInt8 = 1
  private static let byteCount = 45

  /// Creates a token.
  public init(store: EntityID, lineage: UInt64, sequence: UInt64, linkPrefix: UInt64) {
    self.store = store
    self.lineage = lineage
    self.sequence = sequence
    self.linkPrefix = linkPrefix
  }

  /// The token as 60 characters of base64url.
  public var text: String {
    var writer = ByteWriter(reserving: Token.byteCount)
    writer.u8(Token.version)
    writer.id(store)
    writer.u64be(lineage)
    writer.u64be(sequence)
    writer.u64be(linkPrefix)
    let check = Hash256(hashing: writer.bytes)
    writer.u32be(UInt32(truncatingIfNeeded: check.first >> 32))
    return base64URLText(writer.bytes)
  }

  /// Parses a token; returns `nil` if the text isn't a token or its checksum doesn't match.
  public init?(_ text: some StringProtocol) {
    guard let bytes = base64URLBytes(text), bytes.count == Token.byteCount else { return nil }
    var reader = ByteReader(bytes.span.bytes)
    guard let version = try? reader.u8(), version == Token.version, let store = try? reader.id(),
      let lineage = try? reader.u64be(), let sequence = try? reader.u64be(),
      let linkPrefix = try? reader.u64be(), let check = try? reader.u32be()
    else { return nil }
    let expected = Hash256(hashing: Array(bytes.dropLast(4)))
    guard check == UInt32(truncatingIfNeeded: expected.first >> 32) else { return nil }
    self.init(store: store, lineage: lineage, sequence: sequence, linkPrefix: linkPrefix)
  }
}

extension Token: CustomStringConvertible {
  /// The token in its text form.
  public var description: String { text }
}

extension Token: Codable {
  /// Decodes a token from its text form.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let token = Token(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "“\(text)” is not a token of a ledger")
    }
    self = token
  }

  /// Encodes the token in its text form.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

private let alphabet = Array(
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

private func base64URLText(_ bytes: [UInt8]) -> String {
  var text: [UInt8] = []
  text.reserveCapacity((bytes.count * 4 + 2) / 3)
  var bits: UInt32 = 0
  var bitCount = 0
  for byte in bytes {
    bits = bits << 8 | UInt32(byte)
    bitCount += 8
    while bitCount >= 6 {
      bitCount -= 6
      text.append(alphabet[Int(bits >> UInt32(bitCount)) & 63])
    }
  }
  if bitCount > 0 { text.append(alphabet[Int(bits << UInt32(6 - bitCount)) & 63]) }
  return String(decoding: text, as: UTF8.self)
}

private func base64URLBytes(_ text: some StringProtocol) -> [UInt8]? {
  var bytes: [UInt8] = []
  var bits: UInt32 = 0
  var bitCount = 0
  for character in text.utf8 {
    guard bytes.count <= 64, let value = alphabet.firstIndex(of: character) else { return nil }
    bits = bits << 6 | UInt32(value)
    bitCount += 6
    if bitCount >= 8 {
      bitCount -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
    }
  }
  guard bitCount < 6, bits & (1 << UInt32(bitCount) - 1) == 0 else { return nil }
  return bytes
}
