import DaybookCrypto
public import DaybookEntities

/// An entry in the form that is sent and stored: a readable header and encrypted content.
///
/// The content is padded to hide its length, and sealed with ChaCha20-Poly1305 (RFC 8439) and a
/// random nonce. The seal also authenticates the ledger's id and the header.
public struct SealedEntry: Hashable, Sendable {
  /// The header, which is readable without a key.
  public let header: EntryHeader
  /// The bytes of the whole entry: header, nonce, encrypted content, tag.
  public let bytes: [UInt8]

  /// The SHA-256 hash of ``bytes``, which identifies the entry in the chain.
  public var digest: Hash256 { Hash256(hashing: bytes) }

  static let nonceByteCount = ChaCha20Poly1305.nonceByteCount
  static let tagByteCount = ChaCha20Poly1305.tagByteCount
  static let leastByteCount =
    EntryHeader.byteCount + nonceByteCount + Padding.byteCountLeast + tagByteCount

  /// Reads a received entry.
  ///
  /// - Throws: ``WireError``; authenticity isn't checked before the entry is opened.
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
  ///   - content: The content: at most ``WireLimits/contentByteCountMax`` bytes.
  ///   - header: The entry's header.
  ///   - ledger: The ledger's id.
  ///   - key: The key of the header's epoch.
  /// - Throws: ``WireError``.
  public static func seal(
    _ content: [UInt8], _ header: EntryHeader, ledger: EntityID, key: LedgerKey
  ) throws(WireError) -> SealedEntry {
    try seal(content, header, ledger: ledger, key: key, nonce: randomBytes(nonceByteCount))
  }

  /// Seals content with a given nonce, for test vectors.
  ///
  /// A nonce must never be used twice.
  static func seal(
    _ content: [UInt8], _ header: EntryHeader, ledger: EntityID, key: LedgerKey, nonce: [UInt8]
  ) throws(WireError) -> SealedEntry {
    guard content.count <= WireLimits.contentByteCountMax else {
      throw WireError(.tooLarge, "\(content.count) bytes to be sealed")
    }
    try header.check()
    let head = header.bytes
    do throws(CryptoError) {
      let padded = Padding.pad(content)
      let associated = associated(head, ledger)
      let box = try key.secret.withBytes { (key) throws(CryptoError) in
        try ChaCha20Poly1305.seal(
          padded.span.bytes, key: key, nonce: nonce.span.bytes,
          authenticating: associated.span.bytes)
      }
      return SealedEntry(header: header, sealed: head + nonce + box)
    } catch {
      throw WireError(.invalid, "sealing failed: \(error)")
    }
  }

  /// Decrypts the content.
  ///
  /// - Returns: The content, without padding.
  /// - Throws: ``WireError``; ``WireError/Code/notAuthentic`` if any byte was changed.
  public func open(ledger: EntityID, key: LedgerKey) throws(WireError) -> [UInt8] {
    let padded: [UInt8]
    do throws(CryptoError) {
      let nonceEnd = EntryHeader.byteCount + Self.nonceByteCount
      let associated = Self.associated(Array(bytes[..<EntryHeader.byteCount]), ledger)
      padded = try key.secret.withBytes { (key) throws(CryptoError) in
        let span = bytes.span.bytes
        return try ChaCha20Poly1305.open(
          span.extracting(nonceEnd..<span.byteCount), key: key,
          nonce: span.extracting(EntryHeader.byteCount..<nonceEnd),
          authenticating: associated.span.bytes)
      }
    } catch {
      throw WireError(
        .notAuthentic, at: EntryHeader.byteCount,
        "the key of epoch \(header.epoch) does not open entry \(header.number) of replica "
          + "\(header.replica)")
    }
    return try Padding.unpad(padded)
  }

  /// Decrypts the content with the key of the header's epoch.
  ///
  /// - Throws: ``WireError``; ``WireError/Code/missingKey`` if the ring lacks the key. Content that
  ///   isn't sealed is never accepted.
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
