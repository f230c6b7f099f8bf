import Entities

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

/// A random number of the operating system.
func randomNumber() -> UInt64 {
  var generator = SystemRandomNumberGenerator()
  return generator.next()
}
