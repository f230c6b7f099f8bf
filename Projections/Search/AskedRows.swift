/// A set of rows in any chunks, stored as consecutive bitmaps.
///
/// The bitmaps first contain the requested rows, and later only the requested rows that were found.
struct AskedRows {
  private var words: [UInt64] = []
  /// The index of the first word of each chunk's bitmap.
  private var starts: [UInt32: Int] = [:]
  /// The bit of each requested row, in the order of the request.
  private var bits: [Int] = []

  /// Creates bitmaps that contain the rows with the given keys.
  init(_ keys: [RowKey]) {
    bits.reserveCapacity(keys.count)
    // Most rows are in a few chunks. Nearly all other rows are the only row in their chunk.
    words.reserveCapacity(ChunkRows.wordCount * min(keys.count / 32, 128))
    // Consecutive keys usually belong to the same chunk or to a neighbouring one, so recent chunks
    // are cached.
    var near = [(chunk: UInt32, start: Int)](repeating: (.max, 0), count: 8)
    for key in keys {
      let chunk = SearchKey.chunk(key.number)
      let slot = Int(chunk & 7)
      if near[slot].chunk != chunk { near[slot] = (chunk, room(for: chunk)) }
      let start = near[slot].start
      let place = SearchKey.place(key.number)
      words[start + place >> 6] |= 1 << UInt64(place & 63)
      bits.append(start << 6 + place)
    }
  }

  /// Returns the index of the first word of a chunk's bitmap, creating an empty bitmap if
  /// necessary.
  private mutating func room(for chunk: UInt32) -> Int {
    if let start = starts[chunk] { return start }
    let start = words.count
    starts[chunk] = start
    words.append(contentsOf: repeatElement(0, count: ChunkRows.wordCount))
    return start
  }

  /// The chunks with requested rows.
  var chunks: [UInt32] { Array(starts.keys) }

  /// The requested rows of a chunk.
  subscript(chunk: UInt32) -> ChunkRows {
    get { ChunkRows(words[(starts[chunk] ?? 0)...]) }
    set {
      let start = starts[chunk] ?? 0
      newValue.forEachWord { words[start + $0] = $1 }
    }
  }

  /// Whether each requested row is still in the bitmaps, in the order of the request.
  var areLeft: [Bool] { bits.map { words[$0 >> 6] >> UInt64($0 & 63) & 1 == 1 } }
}
