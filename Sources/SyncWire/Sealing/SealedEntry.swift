import Crypto
public import Entities

/// An entry as it is sent and kept: a header that everybody can read, and what only the ledger's
/// devices can.
///
/// ChaCha20-Poly1305 (RFC 8439) with a random nonce; the ledger's identity and the header are
/// authenticated with it. What is sealed is padded, so that its length says little.
public struct SealedEntry: Hashable, Sendable {
  /// What everybody can read.
  public let header: EntryHeader
  /// The whole entry: header, nonce, what is sealed, tag.
  public let bytes: [UInt8]

  /// SHA-256 of ``bytes``: what the chain and the acknowledgement name it by.
  public var digest: WireHash { WireHash(hashing: bytes) }

  static let nonceByteCount = 12
  static let tagByteCount = 16
  static let leastByteCount =
    EntryHeader.byteCount + nonceByteCount + Padding.byteCountLeast + tagByteCount

  /// Takes the bytes of an entry that came in.
  ///
  /// - Throws: ``WireError``; whether it is authentic shows when it is opened.
  public init(bytes: [UInt8]) throws(WireError) {
    guard bytes.count <= WireLimits.entryByteCountMax else {
      throw WireError(.tooLarge, at: 0, "an entry of \(bytes.count) bytes")
    }
    header = try EntryHeader(of: bytes)
    guard bytes.count >= Self.leastByteCount else {
      throw WireError(.truncated, at: bytes.count, "an entry of \(bytes.count) bytes")
    }
    self.bytes = bytes
  }

  private init(header: EntryHeader, sealed: [UInt8]) {
    self.header = header
    bytes = sealed
  }

  /// Seals content.
  ///
  /// - Parameters:
  ///   - content: At most ``WireLimits/contentByteCountMax`` bytes.
  ///   - ledger: The ledger's identity.
  ///   - key: The key of the header's epoch.
  /// - Throws: ``WireError``.
  public static func seal(
    _ content: [UInt8], _ header: EntryHeader, ledger: EntityID, key: LedgerKey
  ) throws(WireError) -> SealedEntry {
    try seal(content, header, ledger: ledger, key: key, nonce: randomBytes(nonceByteCount))
  }

  /// Seals content with a nonce that must never have been used; for test vectors.
  static func seal(
    _ content: [UInt8], _ header: EntryHeader, ledger: EntityID, key: LedgerKey, nonce: [UInt8]
  ) throws(WireError) -> SealedEntry {
    guard content.count <= WireLimits.contentByteCountMax else {
      throw WireError(.tooLarge, "\(content.count) bytes to be sealed")
    }
    try header.check()
    let head = header.bytes
    do {
      let box = try ChaChaPoly.seal(
        Padding.pad(content), using: key.symmetric, nonce: ChaChaPoly.Nonce(data: nonce),
        authenticating: associated(head, ledger))
      return SealedEntry(header: header, sealed: head + Array(box.combined))
    } catch {
      throw WireError(.invalid, "sealing failed: \(error)")
    }
  }

  /// Opens it.
  ///
  /// - Returns: What was sealed, without padding.
  /// - Throws: ``WireError``; ``WireError/Code/notAuthentic`` where anything of it was changed.
  public func open(ledger: EntityID, key: LedgerKey) throws(WireError) -> [UInt8] {
    let padded: [UInt8]
    do {
      let box = try ChaChaPoly.SealedBox(combined: bytes[EntryHeader.byteCount...])
      let associated = Self.associated(Array(bytes[..<EntryHeader.byteCount]), ledger)
      padded = Array(try ChaChaPoly.open(box, using: key.symmetric, authenticating: associated))
    } catch {
      throw WireError(
        .notAuthentic, at: EntryHeader.byteCount,
        "the key of epoch \(header.epoch) does not open entry \(header.number) of replica "
          + "\(header.replica)")
    }
    return try Padding.unpad(padded)
  }

  /// Opens it with the key of its epoch.
  ///
  /// - Throws: ``WireError``; ``WireError/Code/missingKey`` where the ring has none: never is
  ///   anything taken that is not sealed.
  public func open(ledger: EntityID, ring: KeyRing) throws(WireError) -> [UInt8] {
    guard let key = ring[header.epoch] else {
      throw WireError(.missingKey, at: 42, "there is no key of epoch \(header.epoch)")
    }
    return try open(ledger: ledger, key: key)
  }

  private static func associated(_ header: [UInt8], _ ledger: EntityID) -> [UInt8] {
    var writer = ByteWriter(reserving: 80)
    writer.raw("daybook entry".utf8)
    writer.id(ledger)
    writer.raw(header)
    return writer.bytes
  }
}

/// Bytes from the system's source of randomness.
func randomBytes(_ count: Int) -> [UInt8] {
  var generator = SystemRandomNumberGenerator()
  return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
}
