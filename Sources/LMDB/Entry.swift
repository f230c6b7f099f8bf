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
