/// Returns random bytes from the operating system.
package func systemRandomBytes(_ count: Int) -> [UInt8] {
  var bytes = [UInt8](repeating: 0, count: count)
  #if canImport(Darwin)
    unsafe arc4random_buf(&bytes, count)
  #else
    // getentropy returns at most 256 bytes at a time. If it fails, the standard library's generator
    // uses a different system call, eight bytes at a time.
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
