/// ChaCha20-Poly1305 (RFC 8439), which encrypts a text and detects changes to the text and to its
/// associated data.
package enum ChaCha20Poly1305 {
  package static let keyByteCount = 32
  package static let nonceByteCount = 12
  package static let tagByteCount = 16
  /// The maximum number of bytes of a text, which is limited because the library counts in 32-bit
  /// integers.
  package static let textByteCountMax = 1 << 30

  /// Encrypts a text.
  ///
  /// A nonce must never be used twice with the same key.
  /// - Returns: The encrypted text, followed by the tag.
  package static func seal(
    _ text: RawSpan, key: RawSpan, nonce: RawSpan, authenticating associated: RawSpan
  ) throws(CryptoError) -> [UInt8] {
    try requireSize(key, byteCount: keyByteCount)
    try requireSize(nonce, byteCount: nonceByteCount)
    try check(text, associated)
    guard let sealed = Platform.seal(text, key, nonce, associated) else { throw .libraryFailure }
    return sealed
  }

  /// Decrypts an encrypted text that is followed by its tag.
  ///
  /// - Throws: `notAuthentic` if any input differs from the input that was sealed.
  package static func open(
    _ sealed: RawSpan, key: RawSpan, nonce: RawSpan, authenticating associated: RawSpan
  ) throws(CryptoError) -> [UInt8] {
    try requireSize(key, byteCount: keyByteCount)
    try requireSize(nonce, byteCount: nonceByteCount)
    let textByteCount = sealed.byteCount - tagByteCount
    guard textByteCount >= 0 else {
      throw .wrongByteCount(found: sealed.byteCount, expected: tagByteCount)
    }
    let text = sealed.extracting(0..<textByteCount)
    try check(text, associated)
    let tag = sealed.extracting(textByteCount..<sealed.byteCount)
    guard let opened = Platform.open(text, tag, key, nonce, associated) else { throw .notAuthentic }
    return opened
  }

  private static func check(_ text: RawSpan, _ associated: RawSpan) throws(CryptoError) {
    let largest = max(text.byteCount, associated.byteCount)
    guard largest <= textByteCountMax else { throw .tooLarge(byteCount: largest) }
  }
}
