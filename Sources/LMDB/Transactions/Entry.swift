/// A key and its value, in place: both live as long as the transaction they were read in.
public struct Entry: ~Escapable, BitwiseCopyable {
  /// The bytes of the key.
  public let key: RawSpan

  /// The bytes of the value.
  public let value: RawSpan

  @_lifetime(copy key, copy value)
  @inline(__always)
  init(key: RawSpan, value: RawSpan) {
    self.key = key
    self.value = value
  }
}

extension RawSpan {
  /// How the bytes lie to others in the order of LMDB's keys: negative if before them, 0 if equal.
  public func compared(to other: RawSpan) -> Int {
    withUnsafeBytes { mine in other.withUnsafeBytes { compare(mine, $0) } }
  }
}
