internal import Entities

/// Makes the rows of a table of places of the places, which come in the order of their keys.
struct PlacePacker {
  private var head = TableKey()
  private var waiting: [StatePosition] = []
  /// How many of those that wait are in rows already.
  private var packedCount = 0
  private var value: [UInt8] = []

  /// Takes the next place, and gives the row that is complete with it, if one is, to `body`.
  ///
  /// - Parameter key: ends in the place; not less than those before it, and put again where it is equal.
  @inline(__always)
  mutating func add(_ key: TableKey, _ body: (TableKey, RawSpan) throws -> Void) throws {
    let head = key.head
    if head != self.head {
      try finish(body)
      self.head = head
    }
    let place = key.place
    if waiting.last == place { return }
    waiting.append(place)
    if waiting.count - packedCount <= PlacePiece.countMax { return }
    try pack(within: PlacePiece.bitCount, body)
    if packedCount < 32 * PlacePiece.countMax { return }
    // The last place in a row stays.
    waiting.removeFirst(packedCount - 1)
    packedCount = 1
  }

  /// Gives the rows of the places that are waiting to `body`.
  mutating func finish(_ body: (TableKey, RawSpan) throws -> Void) throws {
    while packedCount < waiting.count { try pack(within: PlacePiece.bitCount, body) }
    waiting.removeAll(keepingCapacity: true)
    packedCount = 0
  }

  /// Gives the rows of all places of a piece, of which there may be too many for one, to `body`.
  mutating func pack(
    _ places: [StatePosition], _ piece: PlacePiece, of head: TableKey,
    _ body: (TableKey, RawSpan) throws -> Void
  ) throws {
    self.head = head
    waiting.append(contentsOf: places)
    while packedCount < waiting.count { try pack(within: piece.level, body) }
    try finish(body)
  }

  private mutating func pack(
    within levelMax: Int, _ body: (TableKey, RawSpan) throws -> Void
  ) throws {
    let places = waiting[packedCount...]
    let last = packedCount > 0 ? waiting[packedCount - 1] : nil
    let piece = PlacePiece(firstOf: places, after: last, levelMax: levelMax)
    let count = piece.count(of: places)
    piece.write(places.prefix(count), to: &value)
    packedCount += count
    try body(head.with(piece.start), value.span.bytes)
  }
}
