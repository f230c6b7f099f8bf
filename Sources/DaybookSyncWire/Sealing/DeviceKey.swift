import DaybookCrypto
public import DaybookEntities

/// The public key of a device: X25519 (RFC 7748), 32 bytes.
public struct DevicePublicKey: Hashable, Sendable {
  /// The key's bytes.
  public let bytes: [UInt8]

  /// The size of a key in bytes.
  public static let byteCount = 32

  /// Creates a key from its bytes; returns `nil` if there aren't exactly 32 bytes.
  public init?(bytes: [UInt8]) {
    guard bytes.count == Self.byteCount else { return nil }
    self.bytes = bytes
  }
}

/// The key pair of a device; the private key never leaves the device.
public struct DeviceKey: Sendable {
  let key: SecretBytes

  /// The public key, for which other devices wrap ledger keys.
  public let publicKey: DevicePublicKey

  /// Creates a random key pair.
  public init() {
    self.init(unchecked: SecretBytes(randomBytes(X25519.byteCount)))
  }

  /// Creates a key pair from its private key; returns `nil` if that doesn't have exactly 32 bytes.
  public init?(secret: [UInt8]) {
    guard secret.count == X25519.byteCount else { return nil }
    self.init(unchecked: SecretBytes(secret))
  }

  private init(unchecked key: SecretBytes) {
    self.key = key
    do throws(CryptoError) {
      publicKey = DevicePublicKey(unchecked: try X25519.publicKey(of: key))
    } catch {
      preconditionFailure("A private key of 32 bytes was refused: \(error)")
    }
  }

  /// A copy of the private key; store it only in a secret store.
  public var secret: [UInt8] { key.copied() }

  /// Unwraps a key that was wrapped for this device.
  ///
  /// - Throws: ``WireError``.
  public func unwrap(
    _ wrap: KeyWrap, epoch: UInt32, ledger: EntityID
  ) throws(WireError) -> LedgerKey {
    let context = KeyWrap.context(
      epoch: epoch, replica: wrap.replica, ledger: ledger, ephemeral: wrap.ephemeralPublicKey,
      device: publicKey.bytes)
    do throws(CryptoError) {
      let shared = try X25519.sharedSecret(of: key, with: wrap.ephemeralPublicKey.span.bytes)
      let wrapping = KeyWrap.key(shared, context)
      let bytes = try wrapping.withBytes { (wrapping) throws(CryptoError) in
        try ChaCha20Poly1305.open(
          wrap.sealed.span.bytes, key: wrapping, nonce: KeyWrap.nonce.span.bytes,
          authenticating: context.span.bytes)
      }
      if let key = LedgerKey(bytes: bytes) { return key }
    } catch {
      // All causes share one error, because they have the same remedy.
    }
    throw WireError(.notAuthentic, "the key of epoch \(epoch) was not wrapped for this device")
  }
}

extension DevicePublicKey {
  init(unchecked bytes: [UInt8]) { self.bytes = bytes }
}

/// A ledger's key, wrapped for one device with X25519, HKDF-SHA-256 and ChaCha20-Poly1305.
///
/// Each wrap uses a new X25519 key pair.
public struct KeyWrap: Hashable, Sendable {
  /// The replica for which the key is wrapped.
  public var replica: UInt64
  /// The public key of the wrap's X25519 key pair: 32 bytes.
  public var ephemeralPublicKey: [UInt8]
  /// The sealed key and its tag: 48 bytes.
  public var sealed: [UInt8]

  static let sealedByteCount = LedgerKey.byteCount + SealedEntry.tagByteCount
  static let byteCount = 8 + 32 + sealedByteCount
  /// The nonce, which can be zero because the key of a wrap is used only once.
  static let nonce = [UInt8](repeating: 0, count: SealedEntry.nonceByteCount)

  /// Wraps a ledger's key for a device.
  ///
  /// - Throws: ``WireError`` if the device's public key is invalid.
  public init(
    _ key: LedgerKey, epoch: UInt32, ledger: EntityID, replica: UInt64, for device: DevicePublicKey
  ) throws(WireError) {
    try self.init(key, epoch: epoch, ledger: ledger, replica: replica, for: device, by: DeviceKey())
  }

  init(
    _ key: LedgerKey, epoch: UInt32, ledger: EntityID, replica: UInt64,
    for device: DevicePublicKey, by once: DeviceKey
  ) throws(WireError) {
    let ephemeral = once.publicKey.bytes
    let context = Self.context(
      epoch: epoch, replica: replica, ledger: ledger, ephemeral: ephemeral, device: device.bytes)
    do throws(CryptoError) {
      let shared = try X25519.sharedSecret(of: once.key, with: device.bytes.span.bytes)
      let wrapping = Self.key(shared, context)
      sealed = try wrapping.withBytes { (wrapping) throws(CryptoError) in
        try key.secret.withBytes { (key) throws(CryptoError) in
          try ChaCha20Poly1305.seal(
            key, key: wrapping, nonce: Self.nonce.span.bytes, authenticating: context.span.bytes)
        }
      }
      self.replica = replica
      ephemeralPublicKey = ephemeral
    } catch {
      throw WireError(.invalid, "the public key of replica \(replica) is not valid")
    }
  }

  init(_ reader: inout WireReader) throws(WireError) {
    replica = try reader.u64()
    ephemeralPublicKey = try reader.raw(DevicePublicKey.byteCount)
    sealed = try reader.raw(Self.sealedByteCount)
  }

  func write(to writer: inout ByteWriter) {
    writer.u64be(replica)
    writer.raw(ephemeralPublicKey)
    writer.raw(sealed)
  }

  /// Returns the context that the wrap authenticates, which consists of both public keys (RFC 7748,
  /// 6.1) and the wrap's purpose.
  static func context(
    epoch: UInt32, replica: UInt64, ledger: EntityID, ephemeral: [UInt8], device: [UInt8]
  ) -> [UInt8] {
    var writer = ByteWriter(reserving: 128)
    writer.raw("daybook wrap".utf8)
    writer.id(ledger)
    writer.u32be(epoch)
    writer.u64be(replica)
    writer.raw(ephemeral)
    writer.raw(device)
    return writer.bytes
  }

  /// Returns the key that seals a wrap.
  static func key(_ shared: SecretBytes, _ context: [UInt8]) -> SecretBytes {
    SHA256.derivedKey(from: shared, info: context.span.bytes)
  }
}
