/// Rows of any chunks, in bitmaps one after another.
struct AskedRows {
  private var words: [UInt64] = []
  // Where the bitmap of a chunk begins.
  private var starts: [UInt32: Int] = [:]
  // Rows come mostly after others of their chunk.
  private var last: (chunk: UInt32, start: Int)?

  /// The chunks that have rows.
  var chunks: [UInt32] { Array(starts.keys) }

  /// The rows of a chunk that has some.
  subscript(chunk: UInt32) -> ChunkRows {
    get { ChunkRows(words[(starts[chunk] ?? 0)...]) }
    set {
      let start = starts[chunk] ?? 0
      newValue.forEachWord { words[start + $0] = $1 }
    }
  }

  mutating func insert(_ number: UInt64) {
    let chunk = SearchKey.chunk(number)
    let start = start(of: chunk) ?? words.count
    if start == words.count {
      starts[chunk] = start
      words.append(contentsOf: repeatElement(0, count: ChunkRows.wordCount))
    }
    let place = SearchKey.place(number)
    words[start + place >> 6] |= 1 << UInt64(place & 63)
  }

  mutating func contains(_ number: UInt64) -> Bool {
    guard let start = start(of: SearchKey.chunk(number)) else { return false }
    let place = SearchKey.place(number)
    return words[start + place >> 6] >> UInt64(place & 63) & 1 == 1
  }

  private mutating func start(of chunk: UInt32) -> Int? {
    if let last, last.chunk == chunk { return last.start }
    guard let start = starts[chunk] else { return nil }
    last = (chunk, start)
    return start
  }
}
