import Entities

/// Cuts the bytes of a commit, which come piece by piece, into the values of its chunks.
struct ChunkWriter {
  private let byteCountMax: Int
  private var rest: [UInt8] = []
  private var chunkCount: UInt32 = 0
  /// How many bytes have come.
  private(set) var byteCount = 0

  /// - Parameter byteCountMax: How many bytes a chunk has; the last has what is left.
  init(byteCountMax: Int) { self.byteCountMax = byteCountMax }

  /// Gives the chunks of all bytes of a commit to `put`, with their numbers.
  static func cut(
    _ bytes: RawSpan, byteCountMax: Int, _ put: (UInt32, RawSpan) throws -> Void
  ) throws {
    var writer = ChunkWriter(byteCountMax: byteCountMax)
    try writer.add(bytes, put)
    try writer.finish(put)
  }

  /// Takes the bytes that come next, and gives the chunks that are full to `put`, with their numbers.
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

  /// Gives what is left to `put`.
  mutating func finish(_ put: (UInt32, RawSpan) throws -> Void) throws {
    if rest.isEmpty { return }
    try put(chunkCount, rest.span.bytes)
    chunkCount += 1
    rest.removeAll()
  }
}
