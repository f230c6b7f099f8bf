import DaybookEngine
import DaybookEntities

/// A set of rows of one chunk, stored inline as a bitmap with one bit for each row.
struct ChunkRows {
  static let wordCount = Int(SearchKey.chunkSize / 64)
  private var words = ChunkWords()

  /// Creates an empty set.
  init() {}

  /// Reads a set from a value in a table of bitmaps.
  ///
  /// - Throws: `DecodingFault` if the bytes aren't a bitmap of a chunk.
  init(_ value: RawSpan) throws(DecodingFault) {
    try words.withMutableSpan { (words) throws(DecodingFault) -> Void in
      try Bitmap.flip(value, in: &words)
    }
  }

  var count: Int {
    words.withSpan { words in
      var count = 0
      for index in 0..<ChunkRows.wordCount { count += words[index].nonzeroBitCount }
      return count
    }
  }

  /// Creates a set from the first words of `words`, as many as a chunk has.
  init(_ words: ArraySlice<UInt64>) {
    self.words.withMutableSpan { mine in
      for (index, word) in words.prefix(ChunkRows.wordCount).enumerated() { mine[index] = word }
    }
  }

  /// Calls `body` with each word of the bitmap and its index.
  func forEachWord(_ body: (Int, UInt64) -> Void) {
    words.withSpan { words in
      for index in 0..<ChunkRows.wordCount { body(index, words[index]) }
    }
  }

  mutating func formUnion(_ other: ChunkRows) {
    words.withMutableSpan { words in
      other.words.withSpan { others in
        for index in 0..<ChunkRows.wordCount { words[index] |= others[index] }
      }
    }
  }

  mutating func formIntersection(_ other: ChunkRows) {
    words.withMutableSpan { words in
      other.words.withSpan { others in
        for index in 0..<ChunkRows.wordCount { words[index] &= others[index] }
      }
    }
  }

  /// Calls `body` with the position of each row in the chunk, in ascending order.
  func forEachPlace<Failure: Error>(_ body: (Int) throws(Failure) -> Void) throws(Failure) {
    try words.withSpan { (words) throws(Failure) -> Void in
      for index in 0..<ChunkRows.wordCount {
        var rest = words[index]
        while rest != 0 {
          try body(index << 6 + rest.trailingZeroBitCount)
          rest &= rest - 1
        }
      }
    }
  }
}
