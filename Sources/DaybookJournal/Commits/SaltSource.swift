import DaybookEntities

/// A source of random salts, which requests many at a time from the operating system.
package struct SaltSource: Sendable {
  private var buffer: [UInt8] = []
  private var offset = 0
  private let source: @Sendable (_ byteCount: Int) -> [UInt8]

  /// Creates a source that uses random bytes from the operating system.
  package init() { source = randomBytes }

  /// Creates a source that uses the given bytes; only for test vectors.
  package init(_ source: @escaping @Sendable (_ byteCount: Int) -> [UInt8]) {
    self.source = source
  }

  /// Appends a new salt to `writer`.
  mutating func put(into writer: inout ByteWriter) {
    if offset + Layout.saltByteCount > buffer.count { refill() }
    let end = offset + Layout.saltByteCount
    writer.bytes.append(contentsOf: buffer[offset..<end])
    // Overwrite the used salt, so that no second copy of it stays in memory.
    for index in offset..<end { buffer[index] = 0 }
    offset = end
  }

  private mutating func refill() {
    buffer = source(4_096)
    offset = 0
  }
}

/// Returns a random number from the operating system.
func randomNumber() -> UInt64 {
  var generator = SystemRandomNumberGenerator()
  return generator.next()
}
