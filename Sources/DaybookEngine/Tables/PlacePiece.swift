internal import DaybookEntities

// A table of places stores neighbouring positions of a list in one row, so that a position takes a
// few bytes and a row contains up to 64 positions. A list is divided like a binary trie over the
// bits of its positions. The pieces therefore depend only on the positions, not on the order in
// which they were inserted.

/// A part of a list of positions, stored as one row: all positions whose upper bits equal those of
/// the piece's start.
///
/// The positions of a list share a *head*, the part of their keys before the position. A list is
/// divided into the largest pieces with at most ``countMax`` positions each; empty pieces aren't
/// stored.
///
/// A row's key is the head, followed by the start as cluster (4 bytes) and number (5 bytes). The
/// value is the level (1 byte), followed by one difference per position, in ascending order: from
/// the start for the first position, and from the previous position for the others. If the clusters
/// are equal, the difference is twice the difference of the numbers. Otherwise, it is twice the
/// difference of the clusters plus one, followed by the zigzag-encoded difference of the numbers.
/// All differences are varints.
struct PlacePiece: Equatable {
  /// The least position that the piece can contain: its lower ``level`` bits are 0.
  let start: StatePosition
  /// The number of lower bits in which the piece's positions can differ.
  let level: Int

  /// The maximum number of positions in a piece.
  static let countMax = 64
  /// The number of bytes of a position at the end of a key.
  static let placeByteCount = 9
  /// The number of bits in a position: 32 for the cluster and 40 for the number.
  static let bitCount = 72

  /// Creates the piece of a level that contains a position.
  init(with place: StatePosition, level: Int) {
    start = place.start(ofLevel: level)
    self.level = level
  }

  /// Creates the first piece of a list's positions.
  ///
  /// It is the largest piece that contains at most ``countMax`` of the positions and doesn't
  /// contain `last`.
  ///
  /// - Parameters:
  ///   - places: Ascending positions: either all that the piece could contain, or more than
  ///     ``countMax``.
  ///   - last: The preceding position, if there is one.
  ///   - levelMax: The maximum level of the piece.
  init(
    firstOf places: ArraySlice<StatePosition>, after last: StatePosition?,
    levelMax: Int = PlacePiece.bitCount
  ) {
    let first = places[places.startIndex]
    var level = levelMax
    if let last { level = min(level, first.jointLevel(with: last) - 1) }
    if places.count > PlacePiece.countMax {
      let excess = places[places.startIndex + PlacePiece.countMax]
      level = min(level, first.jointLevel(with: excess) - 1)
    }
    self.init(with: first, level: level)
  }

  /// Returns whether this piece's range contains a position.
  @inline(__always)
  func covers(_ place: StatePosition) -> Bool { place.start(ofLevel: level) == start }

  /// Returns the number of the given positions that are in this piece.
  ///
  /// The positions must be ascending, and the first must be in the piece.
  func count(of places: ArraySlice<StatePosition>) -> Int {
    var (low, high) = (1, min(places.count, PlacePiece.countMax + 1))
    while low < high {
      let middle = (low + high) / 2
      if covers(places[places.startIndex + middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Replaces `bytes` with the value of this piece's row.
  ///
  /// - Parameter places: All positions of the piece.
  func write(_ places: ArraySlice<StatePosition>, to bytes: inout [UInt8]) {
    bytes = unsafe [UInt8](
      unsafeUninitializedCapacity: 1 + PlacePiece.stepByteCountMax * places.count
    ) { bytes, count in
      unsafe bytes[0] = UInt8(level)
      count = 1
      func append(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
          unsafe bytes[count] = UInt8(truncatingIfNeeded: rest) | 0x80
          count += 1
          rest >>= 7
        }
        unsafe bytes[count] = UInt8(truncatingIfNeeded: rest)
        count += 1
      }
      var last = start
      for place in places {
        if place.cluster == last.cluster {
          append((place.number - last.number) << 1)
        } else {
          append(UInt64(place.cluster - last.cluster) << 1 | 1)
          let step = Int64(place.number) - Int64(last.number)
          append(UInt64(bitPattern: (step << 1) ^ (step >> 63)))
        }
        last = place
      }
    }
  }

  /// The maximum number of bytes per position: a difference of clusters and a difference of
  /// numbers.
  private static let stepByteCountMax = 5 + 6

  /// Decodes the piece in a row, and replaces `places` with its positions.
  ///
  /// - Throws: `DecodingFault` if the row isn't a valid piece; `places` is then unchanged.
  init(
    key: RawSpan, value: RawSpan, into places: inout [StatePosition]
  ) throws(DecodingFault) {
    self = try unsafe withUnsafeTemporaryAllocation(
      of: StatePosition.self, capacity: PlacePiece.countMax
    ) { room throws(DecodingFault) in
      var count = 0
      let piece = try unsafe PlacePiece(key: key, value: value, into: room, count: &count)
      places.removeAll(keepingCapacity: true)
      unsafe places.append(contentsOf: room.prefix(count))
      return piece
    }
  }

  /// Decodes the piece in a row, and writes its positions to `room` in ascending order.
  ///
  /// - Parameters:
  ///   - end: The position before which to count; `nil` to count all positions.
  ///   - room: Space for ``countMax`` positions.
  ///   - count: Set to the number of positions before `end`.
  /// - Throws: `DecodingFault` if the row isn't a valid piece.
  init(
    key: RawSpan, value: RawSpan, before end: StatePosition? = nil,
    into room: UnsafeMutableBufferPointer<StatePosition>, count: inout Int
  ) throws(DecodingFault) {
    let start = try PlacePiece.start(ofKey: key)
    guard value.byteCount > 0 else { throw .truncated(atByte: 0) }
    let level = unsafe Int(value.unsafeLoad(fromByteOffset: 0, as: UInt8.self))
    guard level <= PlacePiece.bitCount, start.start(ofLevel: level) == start
    else { throw .invalidValue("list of places") }
    self.start = start
    self.level = level
    count = 0
    var readCount = 0
    var last = start
    var offset = 1
    while offset < value.byteCount {
      guard readCount < PlacePiece.countMax else { throw .invalidValue("list of places") }
      let step = try PlacePiece.number(in: value, at: &offset)
      if step & 1 == 0 {
        guard step > 0 || readCount == 0 else { throw .invalidValue("place") }
        last.number &+= step >> 1
      } else {
        guard step > 1, step >> 1 <= UInt64(UInt32.max - last.cluster)
        else { throw .invalidValue("place") }
        last.cluster += UInt32(truncatingIfNeeded: step >> 1)
        let folded = try PlacePiece.number(in: value, at: &offset)
        last.number &+= (folded >> 1) ^ (0 &- (folded & 1))
      }
      guard last.number <= StatePosition.greatest.number else { throw .invalidValue("place") }
      unsafe room.initializeElement(at: readCount, to: last)
      readCount &+= 1
      if end.map({ last < $0 }) ?? true { count = readCount }
    }
    guard readCount > 0, last.start(ofLevel: level) == start
    else { throw .invalidValue("list of places") }
  }

  /// Reads a varint, with a fast path for one and two bytes, by far the most frequent lengths.
  @inline(__always)
  private static func number(
    in value: RawSpan, at offset: inout Int
  ) throws(DecodingFault) -> UInt64 {
    guard offset < value.byteCount else { throw .truncated(atByte: offset) }
    let first = unsafe value.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
    if first < 0x80 {
      offset &+= 1
      return UInt64(first)
    }
    if offset &+ 1 < value.byteCount {
      let second = unsafe value.unsafeLoad(fromByteOffset: offset &+ 1, as: UInt8.self)
      if second < 0x80 {
        offset &+= 2
        return UInt64(first & 0x7f) | UInt64(second) << 7
      }
    }
    var reader = ByteReader(value)
    reader.offset = offset
    let number = try reader.varint()
    offset = reader.offset
    return number
  }

  /// Calls `body` with the key of each position of a row, in ascending order.
  ///
  /// - Returns: The row's piece.
  @discardableResult
  static func forEachPlace(
    inRow key: RawSpan, _ value: RawSpan, _ body: (TableKey) throws -> Void
  ) throws -> PlacePiece {
    var places: [StatePosition] = []
    let piece = try PlacePiece(key: key, value: value, into: &places)
    guard let head = TableKey(loading: key)?.head else { throw DecodingFault.invalidValue("key") }
    for place in places { try body(head.with(place)) }
    return piece
  }

  /// Decodes the start of a piece from its row's key.
  static func start(ofKey key: RawSpan) throws(DecodingFault) -> StatePosition {
    guard key.byteCount >= placeByteCount else { throw .truncated(atByte: key.byteCount) }
    var reader = ByteReader(key)
    reader.offset = key.byteCount - placeByteCount
    let cluster = try reader.u32be()
    let high = try reader.u8()
    return StatePosition(cluster: cluster, number: UInt64(high) << 32 | UInt64(try reader.u32be()))
  }
}
