import Entities

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Random bytes of the operating system, fetched for many salts at once.
package struct SaltSource: Sendable {
  private var buffer: [UInt8] = []
  private var offset = 0
  private let source: @Sendable (_ byteCount: Int) -> [UInt8]

  /// Salts of the operating system's random bytes.
  package init() { source = randomBytes }

  /// Salts of given bytes: for test vectors only.
  package init(_ source: @escaping @Sendable (_ byteCount: Int) -> [UInt8]) {
    self.source = source
  }

  /// Appends a fresh salt to `writer`.
  mutating func put(into writer: inout ByteWriter) {
    if offset + Layout.saltByteCount > buffer.count { refill() }
    let end = offset + Layout.saltByteCount
    writer.bytes.append(contentsOf: buffer[offset..<end])
    // A salt that was used is not kept in memory a second time.
    for index in offset..<end { buffer[index] = 0 }
    offset = end
  }

  private mutating func refill() {
    buffer = source(4_096)
    offset = 0
  }
}

/// Random bytes of the operating system.
@Sendable func randomBytes(_ count: Int) -> [UInt8] {
  var bytes = [UInt8](repeating: 0, count: count)
  #if canImport(Darwin)
    unsafe arc4random_buf(&bytes, count)
  #else
    // getentropy gives at most 256 bytes at a time; where there is none, the generator of the
    // standard library does the same, eight bytes at a time.
    var filled = 0
    while filled < count {
      let part = min(256, count - filled)
      let failed = unsafe bytes.withUnsafeMutableBytes { buffer in
        guard let base = buffer.baseAddress else { return false }
        return unsafe getentropy(base + filled, part) != 0
      }
      if failed {
        var generator = SystemRandomNumberGenerator()
        for index in filled..<filled + part {
          bytes[index] = UInt8.random(in: 0...255, using: &generator)
        }
      }
      filled += part
    }
  #endif
  return bytes
}

/// A random number of the operating system.
func randomNumber() -> UInt64 {
  var generator = SystemRandomNumberGenerator()
  return generator.next()
}
