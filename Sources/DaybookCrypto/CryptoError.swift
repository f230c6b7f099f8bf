/// The reason why a key or a sealed text was refused.
package enum CryptoError: Error, Hashable, Sendable {
  /// A key, a nonce or a tag has the wrong number of bytes.
  case wrongByteCount(found: Int, expected: Int)
  /// A text has more bytes than one call can encrypt.
  case tooLarge(byteCount: Int)
  /// The text, tag, associated data, nonce or key differs from the one used for sealing.
  case notAuthentic
  /// A public key has a low order: the shared secret would be all zeros, which anyone can compute.
  case lowOrderPublicKey
  /// The system's library reported a failure that isn't caused by the input, such as lack of
  /// memory.
  case libraryFailure
}

/// Throws unless there are exactly `expected` bytes.
func requireSize(_ bytes: RawSpan, byteCount expected: Int) throws(CryptoError) {
  guard bytes.byteCount == expected else {
    throw .wrongByteCount(found: bytes.byteCount, expected: expected)
  }
}
