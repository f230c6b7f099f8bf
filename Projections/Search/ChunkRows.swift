import Entities
import Projecting

/// Which rows of a chunk: a bitmap of as many bits as a chunk has rows, in place.
struct ChunkRows {
  static let wordCount = Int(SearchKey.chunkSize / 64)
  private var words = ChunkWords()

  /// No rows.
  init() {}

  /// What a row of a table of bitmaps holds.
  ///
  /// - Throws: `DecodingFault` where the bytes are no bitmap, or not one of a chunk.
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

  /// The rows whose bits are set in as many words as a chunk has, the first of `words`.
  init(_ words: ArraySlice<UInt64>) {
    self.words.withMutableSpan { mine in
      for (index, word) in words.prefix(ChunkRows.wordCount).enumerated() { mine[index] = word }
    }
  }

  /// Gives the words of the bitmap to `body`, each with its index.
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

  /// Gives the places to `body`, ascending.
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
