internal import DaybookEntities

/// Packs positions into rows of a table of places; the positions must arrive in the order of their
/// keys.
struct PlacePacker {
  private var head = TableKey()
  private var waiting: [StatePosition] = []
  /// The number of waiting positions that have already been packed.
  private var packedCount = 0
  private var value: [UInt8] = []

  /// Adds the next position, and calls `body` with a row if this completes one.
  ///
  /// - Parameter key: A key that ends in the position. It must not be less than the previous key; a
  ///   key that equals the previous one is ignored.
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
    // Keep the last packed position, because it limits the next piece.
    waiting.removeFirst(packedCount - 1)
    packedCount = 1
  }

  /// Packs the remaining positions and calls `body` with each row.
  mutating func finish(_ body: (TableKey, RawSpan) throws -> Void) throws {
    while packedCount < waiting.count { try pack(within: PlacePiece.bitCount, body) }
    waiting.removeAll(keepingCapacity: true)
    packedCount = 0
  }

  /// Packs the positions of a piece and calls `body` with each row; there may be several rows.
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
