/// Why a key or a sealed text was refused.
package enum CryptoError: Error, Hashable, Sendable {
  /// A key, a nonce or a tag has the wrong number of bytes.
  case wrongByteCount(found: Int, expected: Int)
  /// A text has more bytes than one call encrypts.
  case tooLarge(byteCount: Int)
  /// The text, its tag, the associated data, the nonce or the key is not the one that was sealed.
  case notAuthentic
  /// A public key of low order: the shared secret would be all zeros, which anyone can compute.
  case lowOrderPublicKey
  /// The system's library reported a failure that the input doesn't explain, such as lack of memory.
  case libraryFailure
}

/// Throws unless there are exactly `expected` bytes.
func requireSize(_ bytes: RawSpan, byteCount expected: Int) throws(CryptoError) {
  guard bytes.byteCount == expected else {
    throw .wrongByteCount(found: bytes.byteCount, expected: expected)
  }
}
