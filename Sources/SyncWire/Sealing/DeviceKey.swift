import Crypto
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
  private let key: Curve25519.KeyAgreement.PrivateKey

  /// A new key pair.
  public init() { key = Curve25519.KeyAgreement.PrivateKey() }

  /// A key pair by the 32 bytes of its private half, or `nil` where they are none.
  public init?(secret: [UInt8]) {
    do {
      key = try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: secret)
    } catch {
      return nil
    }
  }

  /// The private half; keep it where secrets are kept.
  public var secret: [UInt8] { Array(key.rawRepresentation) }

  /// What other devices wrap keys for.
  public var publicKey: DevicePublicKey {
    DevicePublicKey(unchecked: Array(key.publicKey.rawRepresentation))
  }

  /// Takes the key that was wrapped for this device.
  ///
  /// - Throws: ``WireError``.
  public func unwrap(
    _ wrap: KeyWrap, epoch: UInt32, ledger: EntityID
  ) throws(WireError) -> LedgerKey {
    let context = KeyWrap.context(
      epoch: epoch, replica: wrap.replica, ledger: ledger, ephemeral: wrap.ephemeral,
      device: publicKey.bytes)
    do {
      let ephemeral = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: wrap.ephemeral)
      let shared = try key.sharedSecretFromKeyAgreement(with: ephemeral)
      let box = try ChaChaPoly.SealedBox(combined: KeyWrap.nonce + wrap.sealed)
      let bytes = Array(
        try ChaChaPoly.open(box, using: try KeyWrap.key(shared, context), authenticating: context))
      if let key = LedgerKey(bytes: bytes) { return key }
    } catch {
      // What the cryptography says of it helps nobody.
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
    do {
      let shared = try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: once.secret)
        .sharedSecretFromKeyAgreement(with: .init(rawRepresentation: device.bytes))
      let box = try ChaChaPoly.seal(
        key.bytes, using: try Self.key(shared, context), nonce: ChaChaPoly.Nonce(data: Self.nonce),
        authenticating: context)
      self.replica = replica
      self.ephemeral = ephemeral
      sealed = Array(box.ciphertext) + Array(box.tag)
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
  ///
  /// A public key of low order gives a secret of zeros, which everybody knows
  /// (RFC 7748, 6.1): it is refused.
  static func key(_ shared: SharedSecret, _ context: [UInt8]) throws(WireError) -> SymmetricKey {
    guard shared.withUnsafeBytes({ unsafe $0.contains { $0 != 0 } }) else {
      throw WireError(.invalid, "a public key of low order")
    }
    return shared.hkdfDerivedSymmetricKey(
      using: SHA256.self, salt: [UInt8](), sharedInfo: context, outputByteCount: 32)
  }
}
