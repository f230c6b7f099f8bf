import ProjectionSupport

/// Rows of any chunks, in bitmaps one after another: those that are asked for, then those of them that
/// are found.
struct AskedRows {
  private var words: [UInt64] = []
  /// Where the bitmap of a chunk begins.
  private var starts: [UInt32: Int] = [:]
  /// Where the bit of each row is that was asked for, in their order.
  private var bits: [Int] = []

  /// All rows of these keys.
  init(_ keys: [RowKey]) {
    bits.reserveCapacity(keys.count)
    // Most are in few chunks, and nearly each of the others is in one by itself.
    words.reserveCapacity(ChunkRows.wordCount * min(keys.count / 32, 128))
    // Rows come mostly soon after others of their chunk, or of one next to it.
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

  /// Where the bitmap of a chunk begins, an empty one if it had none.
  private mutating func room(for chunk: UInt32) -> Int {
    if let start = starts[chunk] { return start }
    let start = words.count
    starts[chunk] = start
    words.append(contentsOf: repeatElement(0, count: ChunkRows.wordCount))
    return start
  }

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

  /// Which of the rows that were asked for are left, in their order.
  var areLeft: [Bool] { bits.map { words[$0 >> 6] >> UInt64($0 & 63) & 1 == 1 } }
}
