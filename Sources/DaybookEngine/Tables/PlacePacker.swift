internal import DaybookEntities

/// Packs positions into the rows of a table of places; the positions must arrive in key order.
struct PlacePacker {
  private var head = TableKey()
  private var waiting: [StatePosition] = []
  /// The number of waiting positions that are in rows already.
  private var packedCount = 0
  private var value: [UInt8] = []

  /// Adds the next position, and calls `body` with a row if this completes one.
  ///
  /// - Parameter key: a key that ends in the position. It must not be less than the previous key;
  ///   an equal key is ignored.
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
    // Keep the last packed position, since it limits the next piece.
    waiting.removeFirst(packedCount - 1)
    packedCount = 1
  }

  /// Calls `body` with the rows of the positions not packed yet.
  mutating func finish(_ body: (TableKey, RawSpan) throws -> Void) throws {
    while packedCount < waiting.count { try pack(within: PlacePiece.bitCount, body) }
    waiting.removeAll(keepingCapacity: true)
    packedCount = 0
  }

  /// Packs the positions of a piece, which may have too many for one row, and calls `body` with
  /// each row.
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
