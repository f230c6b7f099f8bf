/// A key and its value, in place; valid as long as the transaction they were read in.
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
  /// Compares the bytes with others in the order of LMDB's keys: negative if they come first, 0 if
  /// equal.
  public func compared(to other: RawSpan) -> Int {
    withUnsafeBytes { mine in other.withUnsafeBytes { compare(mine, $0) } }
  }
}
