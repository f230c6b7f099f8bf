import DaybookSpans

/// The bytes of a key, whose memory is overwritten when the last copy of this value is destroyed.
///
/// Copies share the memory. `==` takes the same time wherever two values of equal length differ.
package struct SecretBytes: Sendable {
  private let memory: Memory

  /// Creates a copy of bytes; the caller is responsible for overwriting the original.
  package init(_ bytes: RawSpan) {
    memory = Memory(byteCount: bytes.byteCount)
    unsafe bytes.withUnsafeBytes { unsafe memory.buffer.copyMemory(from: $0) }
  }

  /// Creates a copy of bytes; the caller is responsible for overwriting the original.
  package init(_ bytes: [UInt8]) { self.init(bytes.span.bytes) }

  /// Creates `count` bytes that `fill` writes, or returns `nil` if `fill` returns `false`.
  init?(count: Int, fill: (UnsafeMutableRawBufferPointer) -> Bool) {
    memory = Memory(byteCount: count)
    guard unsafe fill(memory.buffer) else { return nil }
  }

  package var byteCount: Int { unsafe memory.buffer.count }

  /// Calls `body` with the bytes in place.
  package func withBytes<Result: ~Copyable, Failure: Error>(
    _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // Without this, the optimiser may end the object's lifetime, and overwrite the bytes, before
    // `body` returns.
    defer { withExtendedLifetime(memory) {} }
    let buffer = unsafe memory.buffer
    return try unsafe body(buffer.bytes)
  }

  /// Returns a plain copy, which isn't overwritten automatically.
  package func copied() -> [UInt8] {
    withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe [UInt8]($0) } }
  }
}

extension SecretBytes: Hashable {
  package static func == (left: SecretBytes, right: SecretBytes) -> Bool {
    guard left.byteCount == right.byteCount else { return false }
    return left.withBytes { left in right.withBytes { Platform.areEqual(left, $0) } }
  }

  package func hash(into hasher: inout Hasher) {
    withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) } }
  }
}

/// `@unchecked Sendable`: only the initializers of ``SecretBytes`` write to the buffer, before any
/// other thread can access it.
private final class Memory: @unchecked Sendable {
  let buffer: UnsafeMutableRawBufferPointer

  init(byteCount: Int) {
    unsafe buffer = .allocate(byteCount: byteCount, alignment: 8)
    unsafe buffer.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit {
    unsafe Platform.wipe(buffer)
    unsafe buffer.deallocate()
  }
}
