import DaybookCrypto
public import Entities

/// The public key of a device: X25519 (RFC 7748), 32 bytes.
public struct DevicePublicKey: Hashable, Sendable {
  /// The key's bytes.
  public let bytes: [UInt8]

  /// Bytes of a key.
  public static let byteCount = 32

  /// A key by its 32 bytes, or `nil` where the count is another.
  public init?(bytes: [UInt8]) {
    guard bytes.count == Self.byteCount else { return nil }
    self.bytes = bytes
  }
}

/// The key pair of a device; its private half never leaves the device.
public struct DeviceKey: Sendable {
  let key: SecretBytes

  /// The public half, for which other devices wrap keys.
  public let publicKey: DevicePublicKey

  /// A new key pair.
  public init() {
    self.init(unchecked: SecretBytes(randomBytes(X25519.byteCount)))
  }

  /// A key pair by the 32 bytes of its private half, or `nil` if there are more or fewer.
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

  /// A copy of the private half; keep it where secrets are kept.
  public var secret: [UInt8] { key.copied() }

  /// Takes the key that was wrapped for this device.
  ///
  /// - Throws: ``WireError``.
  public func unwrap(
    _ wrap: KeyWrap, epoch: UInt32, ledger: EntityID
  ) throws(WireError) -> LedgerKey {
    let context = KeyWrap.context(
      epoch: epoch, replica: wrap.replica, ledger: ledger, ephemeral: wrap.ephemeral,
      device: publicKey.bytes)
    do throws(CryptoError) {
      let shared = try X25519.sharedSecret(of: key, with: wrap.ephemeral.span.bytes)
      let wrapping = KeyWrap.key(shared, context)
      let bytes = try wrapping.withBytes { (wrapping) throws(CryptoError) in
        try ChaCha20Poly1305.open(
          wrap.sealed.span.bytes, key: wrapping, nonce: KeyWrap.nonce.span.bytes,
          authenticating: context.span.bytes)
      }
      if let key = LedgerKey(bytes: bytes) { return key }
    } catch {
      // Every reason leads to the same remedy.
    }
    throw WireError(.notAuthentic, "the key of epoch \(epoch) was not wrapped for this device")
  }
}

extension DevicePublicKey {
  init(unchecked bytes: [UInt8]) { self.bytes = bytes }
}

/// A ledger's key, wrapped for one device: X25519 with a key pair made for this one wrap, HKDF-SHA-256,
/// ChaCha20-Poly1305.
public struct KeyWrap: Hashable, Sendable {
  /// The replica it is for.
  public var replica: UInt64
  /// The public key that was made for this wrap: 32 bytes.
  public var ephemeral: [UInt8]
  /// The key as it was sealed, and the tag: 48 bytes.
  public var sealed: [UInt8]

  static let sealedByteCount = LedgerKey.byteCount + SealedEntry.tagByteCount
  static let byteCount = 8 + 32 + sealedByteCount
  /// The key of a wrap is used once, so its nonce can be zero.
  static let nonce = [UInt8](repeating: 0, count: SealedEntry.nonceByteCount)

  /// Wraps a ledger's key for a device.
  ///
  /// - Throws: ``WireError`` where the device's key is not one.
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
      self.ephemeral = ephemeral
    } catch {
      throw WireError(.invalid, "the public key of replica \(replica) is not one")
    }
  }

  init(_ reader: inout WireReader) throws(WireError) {
    replica = try reader.u64()
    ephemeral = try reader.raw(DevicePublicKey.byteCount)
    sealed = try reader.raw(Self.sealedByteCount)
  }

  func write(to writer: inout ByteWriter) {
    writer.u64be(replica)
    writer.raw(ephemeral)
    writer.raw(sealed)
  }

  /// Both public keys belong to it (RFC 7748, 6.1), and all that the wrap is for.
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

  /// The key of a wrap.
  static func key(_ shared: SecretBytes, _ context: [UInt8]) -> SecretBytes {
    SHA256.derivedKey(from: shared, info: context.span.bytes)
  }
}
