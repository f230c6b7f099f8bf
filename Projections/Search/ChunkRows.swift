import Entities
import Projecting

/// Which rows of a chunk: a bitmap of as many bits as a chunk has rows, in place.
struct ChunkRows {
  private static let wordCount = Int(SearchKey.chunkSize / 64)
  private var words = InlineArray<64, UInt64>(repeating: 0)

  /// No rows.
  init() {}

  /// What a row of a table of bitmaps holds.
  ///
  /// - Throws: `DecodingFault` where the bytes are no bitmap, or not one of a chunk.
  init(_ value: RawSpan) throws(DecodingFault) {
    var numbers = BitmapNumbers(value)
    // Through a span: the array would be copied for each bit.
    var span = words.mutableSpan
    while let number = try numbers.next() {
      guard number < Int(SearchKey.chunkSize) else { throw .invalidValue("bitmap of a chunk") }
      span[number >> 6] |= 1 << UInt64(number & 63)
    }
  }

  var count: Int {
    var count = 0
    let span = words.span
    for index in 0..<ChunkRows.wordCount { count += span[index].nonzeroBitCount }
    return count
  }

  mutating func insert(_ place: Int) {
    var span = words.mutableSpan
    span[place >> 6] |= 1 << UInt64(place & 63)
  }

  func contains(_ place: Int) -> Bool {
    words.span[place >> 6] >> UInt64(place & 63) & 1 == 1
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

/// Rows of any chunks: a bitmap for each chunk that has some.
struct AskedRows {
  /// The bitmaps.
  var rows: [ChunkRows] = []
  /// Which bitmap is a chunk's.
  private(set) var indices: [UInt32: Int] = [:]
  // Rows come mostly after others of their chunk.
  private var last: (chunk: UInt32, index: Int)?

  mutating func insert(_ number: UInt64) {
    let index = index(of: SearchKey.chunk(number)) ?? rows.count
    if index == rows.count {
      indices[SearchKey.chunk(number)] = index
      rows.append(ChunkRows())
    }
    rows[index].insert(SearchKey.place(number))
  }

  mutating func contains(_ number: UInt64) -> Bool {
    guard let index = index(of: SearchKey.chunk(number)) else { return false }
    return rows[index].contains(SearchKey.place(number))
  }

  private mutating func index(of chunk: UInt32) -> Int? {
    if let last, last.chunk == chunk { return last.index }
    guard let index = indices[chunk] else { return nil }
    last = (chunk, index)
    return index
  }
}
