/// 64 words in place, each 0 at first.
struct ChunkWords {
  private struct Eight {
    private var words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

    init() { words = (0, 0, 0, 0, 0, 0, 0, 0) }
  }

  private var words = (
    Eight(), Eight(), Eight(), Eight(), Eight(), Eight(), Eight(), Eight()
  )

  /// Gives the words to `body`.
  @inline(__always)
  func withSpan<Result, Failure: Error>(
    _ body: (Span<UInt64>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe withUnsafeBytes(of: words) { (bytes) throws(Failure) -> Result in
      try body(unsafe Span(_unsafeBytes: bytes))
    }
  }

  /// Gives the words to `body`, to be changed.
  @inline(__always)
  mutating func withMutableSpan<Result, Failure: Error>(
    _ body: (inout MutableSpan<UInt64>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe withUnsafeMutableBytes(of: &words) { (bytes) throws(Failure) -> Result in
      var span = unsafe MutableSpan<UInt64>(_unsafeBytes: bytes)
      return try body(&span)
    }
  }
}
