import DaybookEntities

/// Splits the bytes of a commit into chunks as they arrive.
struct ChunkWriter {
  private let byteCountMax: Int
  private var rest: [UInt8] = []
  private var chunkCount: UInt32 = 0
  /// The number of bytes added so far.
  private(set) var byteCount = 0

  /// Creates a writer.
  ///
  /// - Parameter byteCountMax: The size of each chunk; the last chunk may be smaller.
  init(byteCountMax: Int) { self.byteCountMax = byteCountMax }

  /// Calls `put` with the chunks of a complete commit and their indices.
  static func cut(
    _ bytes: RawSpan, byteCountMax: Int, _ put: (UInt32, RawSpan) throws -> Void
  ) throws {
    var writer = ChunkWriter(byteCountMax: byteCountMax)
    try writer.add(bytes, put)
    try writer.finish(put)
  }

  /// Adds bytes, and calls `put` with each full chunk and its index.
  mutating func add(_ bytes: RawSpan, _ put: (UInt32, RawSpan) throws -> Void) throws {
    byteCount += bytes.byteCount
    var start = 0
    if !rest.isEmpty {
      start = min(byteCountMax - rest.count, bytes.byteCount)
      unsafe bytes.extracting(0..<start).withUnsafeBytes { unsafe rest.append(contentsOf: $0) }
      if rest.count < byteCountMax { return }
      try put(chunkCount, rest.span.bytes)
      chunkCount += 1
      rest.removeAll(keepingCapacity: true)
    }
    while bytes.byteCount - start >= byteCountMax {
      try put(chunkCount, bytes.extracting(start..<start + byteCountMax))
      chunkCount += 1
      start += byteCountMax
    }
    unsafe bytes.extracting(start..<bytes.byteCount).withUnsafeBytes {
      unsafe rest.append(contentsOf: $0)
    }
  }

  /// Calls `put` with the last, incomplete chunk, if there is one.
  mutating func finish(_ put: (UInt32, RawSpan) throws -> Void) throws {
    if rest.isEmpty { return }
    try put(chunkCount, rest.span.bytes)
    chunkCount += 1
    rest.removeAll()
  }
}
