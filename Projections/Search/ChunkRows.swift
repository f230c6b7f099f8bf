import Entities
import Projecting

/// Which rows of a chunk: a bitmap of as many bits as a chunk has rows, in place.
struct ChunkRows {
  static let wordCount = Int(SearchKey.chunkSize / 64)
  private var words = InlineArray<64, UInt64>(repeating: 0)

  /// No rows.
  init() {}

  /// What a row of a table of bitmaps holds.
  ///
  /// - Throws: `DecodingFault` where the bytes are no bitmap, or not one of a chunk.
  init(_ value: RawSpan) throws(DecodingFault) {
    // Through a span: the array would be copied for each bit.
    var span = words.mutableSpan
    try Bitmap.flip(value, in: &span)
  }

  var count: Int {
    var count = 0
    let span = words.span
    for index in 0..<ChunkRows.wordCount { count += span[index].nonzeroBitCount }
    return count
  }

  /// The rows whose bits are set in as many words as a chunk has, the first of `words`.
  init(_ words: ArraySlice<UInt64>) {
    var span = self.words.mutableSpan
    for (index, word) in words.prefix(ChunkRows.wordCount).enumerated() { span[index] = word }
  }

  /// Gives the words of the bitmap to `body`, each with its index.
  func forEachWord(_ body: (Int, UInt64) -> Void) {
    let span = words.span
    for index in 0..<ChunkRows.wordCount { body(index, span[index]) }
  }

  mutating func formUnion(_ other: ChunkRows) {
    var span = words.mutableSpan
    let others = other.words.span
    for index in 0..<ChunkRows.wordCount { span[index] |= others[index] }
  }

  mutating func formIntersection(_ other: ChunkRows) {
    var span = words.mutableSpan
    let others = other.words.span
    for index in 0..<ChunkRows.wordCount { span[index] &= others[index] }
  }

  /// Gives the places to `body`, ascending.
  func forEachPlace(_ body: (Int) throws -> Void) rethrows {
    for index in 0..<ChunkRows.wordCount {
      var rest = words[index]
      while rest != 0 {
        try body(index << 6 + rest.trailingZeroBitCount)
        rest &= rest - 1
      }
    }
  }
}
