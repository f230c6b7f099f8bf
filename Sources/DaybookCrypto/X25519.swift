/// X25519 (RFC 7748), with which two devices agree on a secret, each using its private key and the
/// other device's public key.
package enum X25519 {
  /// The number of bytes of a private key, a public key and a shared secret.
  package static let byteCount = 32

  /// Returns the public key that belongs to a private key.
  package static func publicKey(of key: SecretBytes) throws(CryptoError) -> [UInt8] {
    try key.withBytes { (key) throws(CryptoError) in
      try requireSize(key, byteCount: byteCount)
      guard let publicKey = Platform.publicKey(of: key) else { throw .libraryFailure }
      return publicKey
    }
  }

  /// Returns the secret shared with the owner of a public key.
  ///
  /// - Throws: `lowOrderPublicKey` if the secret would be all zeros (RFC 7748, 6.1).
  package static func sharedSecret(
    of key: SecretBytes, with publicKey: RawSpan
  ) throws(CryptoError) -> SecretBytes {
    try requireSize(publicKey, byteCount: byteCount)
    return try key.withBytes { (key) throws(CryptoError) in
      try requireSize(key, byteCount: byteCount)
      // The libraries report an all-zero secret as a failure without a specific reason. With keys
      // of the right length, it is the only failure that the input can cause.
      guard let secret = Platform.sharedSecret(of: key, with: publicKey), secret != zero else {
        throw .lowOrderPublicKey
      }
      return secret
    }
  }

  private static let zero = SecretBytes([UInt8](repeating: 0, count: byteCount))
}
