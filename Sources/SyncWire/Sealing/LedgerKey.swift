import DaybookCrypto
public import Entities

/// The key that a ledger's entries are sealed with during one epoch: 32 random bytes.
public struct LedgerKey: Hashable, Sendable {
  let secret: SecretBytes

  /// A copy of the key's bytes; keep it where secrets are kept.
  public var bytes: [UInt8] { secret.copied() }

  /// Bytes of a key.
  public static let byteCount = 32

  /// A new key, from the system's source of randomness.
  public init() { secret = SecretBytes(randomBytes(Self.byteCount)) }

  /// A key by its 32 bytes, or `nil` where the count is another.
  public init?(bytes: [UInt8]) {
    guard bytes.count == Self.byteCount else { return nil }
    self.init(secret: SecretBytes(bytes))
  }

  private init(secret: SecretBytes) { self.secret = secret }

  /// The key that a secret derives for one purpose, by HKDF-SHA-256 without salt.
  init(from secret: SecretBytes, info: [UInt8]) {
    self.init(secret: SHA256.derivedKey(from: secret, info: info.span.bytes))
  }

  /// What devices compare instead of State's digest itself: HMAC-SHA-256 over position and digest.
  ///
  /// Whoever lacks the key cannot tell whether two States are equal.
  public func proof(ofState digest: Hash256, at position: UInt64) -> Hash256 {
    var writer = ByteWriter(reserving: 64)
    writer.raw("daybook state".utf8)
    writer.u64be(position)
    writer.hash(digest)
    return Hash256(SHA256.authenticationCode(of: writer.bytes.span.bytes, key: secret))
  }
}

extension LedgerKey: CustomStringConvertible, CustomDebugStringConvertible {
  /// Says nothing of the key, so that no log does.
  public var description: String { "LedgerKey(…)" }
  /// Says nothing of the key, so that no log does.
  public var debugDescription: String { description }
}

/// The keys of a ledger that a device holds, by epoch.
public struct KeyRing: Hashable, Sendable {
  private var keys: [UInt32: LedgerKey] = [:]

  /// A ring without keys.
  public init() {}

  /// A ring with the first key of a ledger.
  public init(first key: LedgerKey) { keys = [1: key] }

  /// The key of an epoch.
  public subscript(epoch: UInt32) -> LedgerKey? {
    get { keys[epoch] }
    set { keys[epoch] = newValue }
  }

  /// The epochs whose keys are there, in order.
  public var epochs: [UInt32] { keys.keys.sorted() }

  /// The newest epoch; 0 where there is no key.
  public var newest: UInt32 { keys.keys.max() ?? 0 }

  /// The ring as it is handed to another device, which must be sealed.
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
