/// A fixed array of 64 words, stored inline and initially 0.
struct ChunkWords {
  private struct Eight {
    private var words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

    init() { words = (0, 0, 0, 0, 0, 0, 0, 0) }
  }

  private var words = (
    Eight(), Eight(), Eight(), Eight(), Eight(), Eight(), Eight(), Eight()
  )

  /// Calls `body` with the words.
  @inline(__always)
  func withSpan<Result, Failure: Error>(
    _ body: (Span<UInt64>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe withUnsafeBytes(of: words) { (bytes) throws(Failure) -> Result in
      try body(unsafe Span(_unsafeBytes: bytes))
    }
  }

  /// Calls `body` with the words for modification.
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
