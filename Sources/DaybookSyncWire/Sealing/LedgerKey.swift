import DaybookCrypto
public import DaybookEntities

/// The key that seals a ledger's entries during one epoch: 32 random bytes.
public struct LedgerKey: Hashable, Sendable {
  let secret: SecretBytes

  /// A copy of the key's bytes; store it only in a secret store.
  public var bytes: [UInt8] { secret.copied() }

  /// The size of a key in bytes.
  public static let byteCount = 32

  /// Creates a random key from the system's source of randomness.
  public init() { secret = SecretBytes(randomBytes(Self.byteCount)) }

  /// Creates a key from its bytes; returns `nil` if there aren't exactly 32 bytes.
  public init?(bytes: [UInt8]) {
    guard bytes.count == Self.byteCount else { return nil }
    self.init(secret: SecretBytes(bytes))
  }

  private init(secret: SecretBytes) { self.secret = secret }

  /// Derives a key for one purpose from a secret, using HKDF-SHA-256 without salt.
  init(from secret: SecretBytes, info: [UInt8]) {
    self.init(secret: SHA256.derivedKey(from: secret, info: info.span.bytes))
  }

  /// Returns the proof of State, which devices compare instead of the digest.
  ///
  /// The proof is HMAC-SHA-256 over the position and the digest.
  ///
  /// Without the key, a proof doesn't reveal whether two States are equal.
  public func proof(ofState digest: Hash256, at position: UInt64) -> Hash256 {
    var writer = ByteWriter(reserving: 64)
    writer.raw("daybook state".utf8)
    writer.u64be(position)
    writer.hash(digest)
    return Hash256(SHA256.authenticationCode(of: writer.bytes.span.bytes, key: secret))
  }
}

extension LedgerKey: CustomStringConvertible, CustomDebugStringConvertible {
  /// A placeholder, so that the key never appears in logs.
  public var description: String { "LedgerKey(…)" }
  /// A placeholder, so that the key never appears in logs.
  public var debugDescription: String { description }
}

/// A device's keys for a ledger, by epoch.
public struct KeyRing: Hashable, Sendable {
  private var keys: [UInt32: LedgerKey] = [:]

  /// Creates an empty key ring.
  public init() {}

  /// Creates a key ring with the first key of a ledger.
  public init(first key: LedgerKey) { keys = [1: key] }

  /// The key of an epoch.
  public subscript(epoch: UInt32) -> LedgerKey? {
    get { keys[epoch] }
    set { keys[epoch] = newValue }
  }

  /// The epochs for which the ring contains a key, in ascending order.
  public var epochs: [UInt32] { keys.keys.sorted() }

  /// The newest epoch for which the ring contains a key; 0 if the ring is empty.
  public var newest: UInt32 { keys.keys.max() ?? 0 }

  /// The encoded ring for another device; it must be sealed before it is sent.
  var bytes: [UInt8] {
    var writer = ByteWriter(reserving: 8 + keys.count * 36)
    writer.varint(UInt64(keys.count))
    for epoch in epochs {
      writer.u32be(epoch)
      writer.raw(keys[epoch]?.bytes ?? [])
    }
    return writer.bytes
  }

  init(_ reader: inout WireReader) throws(WireError) {
    let count = try reader.count("keys", most: WireLimits.keyCountMax, eachAtLeast: 36)
    var last: UInt32 = 0
    for _ in 0..<count {
      let start = reader.offset
      let epoch = try reader.u32()
      guard epoch > last else {
        throw WireError(.invalid, at: start, "epoch \(epoch) after \(last)")
      }
      last = epoch
      keys[epoch] = LedgerKey(bytes: try reader.raw(LedgerKey.byteCount))
    }
  }
}
