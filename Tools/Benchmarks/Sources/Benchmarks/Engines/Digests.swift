import CYardstick

/// SHA-256 for all engines except Daybook, which has its own implementation.
struct Digest {
  private var state = ys_sha256()

  init() { ys_sha256_begin(&state) }

  mutating func add(_ bytes: [UInt8]) { ys_sha256_add(&state, bytes, bytes.count) }

  mutating func add(_ text: String) {
    var text = text
    text.withUTF8 { ys_sha256_add(&state, $0.baseAddress, $0.count) }
  }

  mutating func add(_ number: Int64) {
    withUnsafeBytes(of: number) { ys_sha256_add(&state, $0.baseAddress, $0.count) }
  }

  /// Overwrites the 32 bytes of `digest`, so that a loop can reuse one buffer.
  mutating func finish(into digest: inout [UInt8]) { ys_sha256_end(&state, &digest) }
}

/// Writes a salt of sixteen bytes that is different for every event.
func writeSalt(of event: Int64, into salt: inout [UInt8]) {
  var z = UInt64(bitPattern: event) &* 0x9e37_79b9_7f4a_7c15
  for i in 0..<16 {
    if i == 8 { z = (z ^ z >> 30) &* 0xbf58_476d_1ce4_e5b9 }
    salt[i] = UInt8(truncatingIfNeeded: z >> UInt64(i % 8 * 8))
  }
}
