import DaybookCrypto
import DaybookSpans

/// Bytes from hexadecimal digits; spaces and line breaks are skipped.
func bytes(_ hex: String) -> [UInt8] {
  let digits = hex.compactMap { $0.hexDigitValue }
  return stride(from: 0, to: digits.count - 1, by: 2).map {
    UInt8(digits[$0] << 4 | digits[$0 + 1])
  }
}

func text(_ text: String) -> [UInt8] { Array(text.utf8) }

func bytes(_ digest: SHA256.Digest) -> [UInt8] {
  [digest.0, digest.1, digest.2, digest.3].flatMap { word in
    (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * $0)) }
  }
}

func hash(_ pieces: [UInt8]...) -> [UInt8] {
  var function = SHA256()
  for piece in pieces { function.update(piece.span.bytes) }
  return bytes(function.finish())
}

/// A sealed text with everything that it takes to open it.
struct Sealed: Equatable {
  var text: [UInt8]
  var key: [UInt8]
  var nonce: [UInt8]
  var associated: [UInt8]

  func seal() throws(CryptoError) -> [UInt8] {
    try ChaCha20Poly1305.seal(
      text.span.bytes, key: key.span.bytes, nonce: nonce.span.bytes,
      authenticating: associated.span.bytes)
  }

  /// Opens `text`, an encrypted text with its tag.
  func open() throws(CryptoError) -> [UInt8] {
    try ChaCha20Poly1305.open(
      text.span.bytes, key: key.span.bytes, nonce: nonce.span.bytes,
      authenticating: associated.span.bytes)
  }
}
