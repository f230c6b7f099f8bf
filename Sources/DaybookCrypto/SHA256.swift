/// The SHA-256 hash (FIPS 180-4) of bytes that arrive in pieces.
package struct SHA256: ~Copyable {
  /// A digest as four numbers; the most significant byte comes first.
  package typealias Digest = (UInt64, UInt64, UInt64, UInt64)

  private var state = Platform.SHA256State()

  package init() {}

  /// Adds bytes to the hash.
  package mutating func update(_ bytes: RawSpan) { state.update(bytes) }

  /// Returns the digest of all added bytes.
  package consuming func finish() -> Digest { state.finish() }

  /// Returns the authentication code of a message: HMAC-SHA-256 (RFC 2104).
  package static func authenticationCode(of message: RawSpan, key: SecretBytes) -> Digest {
    key.withBytes { Platform.hmacSHA256(message, key: $0) }
  }

  /// Derives a key from a secret with HKDF-SHA-256 (RFC 5869).
  ///
  /// - Precondition: `secret` isn't empty, and `byteCount` is from 1 to 8,160, which is HKDF's
  ///   maximum.
  package static func derivedKey(
    from secret: SecretBytes, salt: RawSpan? = nil, info: RawSpan, byteCount: Int = 32
  ) -> SecretBytes {
    precondition(secret.byteCount > 0, "HKDF derives no key from an empty secret.")
    precondition((1...255 * 32).contains(byteCount), "HKDF derives 1...8,160 bytes.")
    return secret.withBytes { secret in
      Platform.hkdfSHA256(secret, salt: salt, info: info, byteCount: byteCount)
    }
  }
}
