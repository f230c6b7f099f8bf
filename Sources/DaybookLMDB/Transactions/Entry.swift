/// A key and its value, read in place; valid until the transaction ends.
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
  /// Compares these bytes with other bytes in LMDB's key order.
  ///
  /// - Returns: A negative number if these bytes come first, 0 if they are equal, otherwise a
  ///   positive number.
  public func compared(to other: RawSpan) -> Int {
    withUnsafeBytes { mine in other.withUnsafeBytes { compare(mine, $0) } }
  }
}
