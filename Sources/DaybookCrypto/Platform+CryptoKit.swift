#if canImport(CryptoKit)
  import CryptoKit
  import Foundation

  /// The five operations, implemented with CryptoKit.
  enum Platform {
    struct SHA256State: ~Copyable {
      private var function = CryptoKit.SHA256()

      mutating func update(_ bytes: RawSpan) {
        unsafe bytes.withUnsafeBytes { unsafe function.update(bufferPointer: $0) }
      }

      consuming func finish() -> SHA256.Digest {
        unsafe function.finalize().withUnsafeBytes { unsafe words($0) }
      }
    }

    static func hmacSHA256(_ message: RawSpan, key: RawSpan) -> SHA256.Digest {
      let code = HMAC<CryptoKit.SHA256>.authenticationCode(
        for: data(message), using: symmetric(key))
      return unsafe code.withUnsafeBytes { unsafe words($0) }
    }

    static func hkdfSHA256(
      _ secret: RawSpan, salt: RawSpan?, info: RawSpan, byteCount: Int
    ) -> SecretBytes {
      let derived = HKDF<CryptoKit.SHA256>.deriveKey(
        inputKeyMaterial: symmetric(secret), salt: salt.map { data($0) } ?? Data(),
        info: data(info), outputByteCount: byteCount)
      return unsafe derived.withUnsafeBytes { unsafe SecretBytes($0.bytes) }
    }

    static func publicKey(of key: RawSpan) -> [UInt8]? {
      privateKey(key).map { Array($0.publicKey.rawRepresentation) }
    }

    static func sharedSecret(of key: RawSpan, with publicKey: RawSpan) -> SecretBytes? {
      guard let pair = privateKey(key),
        let peer = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: data(publicKey)),
        let secret = try? pair.sharedSecretFromKeyAgreement(with: peer)
      else { return nil }
      return unsafe secret.withUnsafeBytes { unsafe SecretBytes($0.bytes) }
    }

    static func seal(
      _ text: RawSpan, _ key: RawSpan, _ nonce: RawSpan, _ associated: RawSpan
    ) -> [UInt8]? {
      guard let nonce = try? ChaChaPoly.Nonce(data: data(nonce)),
        let box = try? ChaChaPoly.seal(
          data(text), using: symmetric(key), nonce: nonce, authenticating: data(associated))
      else { return nil }
      return Array(box.ciphertext) + Array(box.tag)
    }

    static func open(
      _ text: RawSpan, _ tag: RawSpan, _ key: RawSpan, _ nonce: RawSpan, _ associated: RawSpan
    ) -> [UInt8]? {
      guard let nonce = try? ChaChaPoly.Nonce(data: data(nonce)),
        let box = try? ChaChaPoly.SealedBox(nonce: nonce, ciphertext: data(text), tag: data(tag)),
        let opened = try? ChaChaPoly.open(
          box, using: symmetric(key), authenticating: data(associated))
      else { return nil }
      return Array(opened)
    }

    static func areEqual(_ left: RawSpan, _ right: RawSpan) -> Bool {
      unsafe left.withUnsafeBytes { left in
        unsafe right.withUnsafeBytes { right in
          guard left.count == right.count else { return false }
          guard let first = left.baseAddress, let second = right.baseAddress else { return true }
          return unsafe timingsafe_bcmp(first, second, left.count) == 0
        }
      }
    }

    static func wipe(_ buffer: UnsafeMutableRawBufferPointer) {
      guard let start = buffer.baseAddress else { return }
      _ = unsafe memset_s(start, buffer.count, 0, buffer.count)
    }

    private static func privateKey(_ key: RawSpan) -> Curve25519.KeyAgreement.PrivateKey? {
      try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: symmetric(key))
    }

    private static func symmetric(_ key: RawSpan) -> SymmetricKey {
      unsafe key.withUnsafeBytes { unsafe SymmetricKey(data: $0) }
    }

    private static func data(_ bytes: RawSpan) -> Data {
      unsafe bytes.withUnsafeBytes { unsafe Data($0) }
    }

    private static func words(_ bytes: UnsafeRawBufferPointer) -> SHA256.Digest {
      let words = unsafe bytes.loadUnaligned(as: SHA256.Digest.self)
      return (words.0.bigEndian, words.1.bigEndian, words.2.bigEndian, words.3.bigEndian)
    }
  }
#endif
