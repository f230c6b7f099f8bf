internal import Entities

// A table of places keeps the places of a list together: an index of a million rows is a few bytes a
// row, and one row is read for a hundred. The places of a list are divided as a binary trie divides
// their bits, so that how they are stored follows from what they are, in whatever order they came.

/// A part of a list of places that is stored as one row: those whose upper bits are those of its start.
///
/// The places of a list are those with an equal *head*, which is what their keys begin with. A list is divided
/// into the largest pieces that have at most ``countMax`` places each; pieces without any are not kept.
///
/// A row's key is the head, then the start as cluster (4 bytes) and number (5). The value is the level (1
/// byte), then for each place, ascending, what lies between it and the one before (the start, for the
/// first): where the cluster is the same, twice the difference of the numbers; where it is not, twice the
/// difference of the clusters plus one, then the difference of the numbers, zigzag; all as varints.
struct PlacePiece: Equatable {
  /// The least place there could be in it: the lower ``level`` bits are 0.
  let start: StatePosition
  /// How many of the lower bits of its places may be any.
  let level: Int

  /// The most places of a piece.
  static let countMax = 64
  /// The bytes of a place at the end of a key.
  static let placeByteCount = 9
  /// The bits of a place: those of a cluster and of a number.
  static let bitCount = 72

  /// The piece of a level that has a place.
  init(with place: StatePosition, level: Int) {
    start = place.start(ofLevel: level)
    self.level = level
  }

  /// The first piece of a list's places: the largest that has neither one too many nor the last place of
  /// the piece before.
  ///
  /// - Parameters:
  ///   - places: ascending; all that the piece may have, or more than ``countMax``.
  ///   - last: the place before them, if there is one.
  ///   - levelMax: what the piece must not be larger than.
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

  /// Whether a place would be in this piece.
  @inline(__always)
  func covers(_ place: StatePosition) -> Bool { place.start(ofLevel: level) == start }

  /// How many of the ascending places, of which the first is in this piece, are.
  func count(of places: ArraySlice<StatePosition>) -> Int {
    var (low, high) = (1, min(places.count, PlacePiece.countMax + 1))
    while low < high {
      let middle = (low + high) / 2
      if covers(places[places.startIndex + middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Puts the value of the row with these places, which are all that there are in this piece, in place of what
  /// is in `bytes`.
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

  /// The most bytes of one place: a difference of clusters and one of numbers.
  private static let stepByteCountMax = 5 + 6

  /// The piece of a row, whose places take the place of what is in `places`.
  ///
  /// - Throws: `DecodingFault` where no program wrote such a row; `places` are then as before.
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

  /// The piece of a row, whose places are put into `room`, ascending.
  ///
  /// - Parameters:
  ///   - room: for ``countMax`` places.
  ///   - count: how many of them are before `end`.
  /// - Throws: `DecodingFault` where no program wrote such a row.
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

  /// A varint; nearly all have a byte or two.
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

  /// Gives the key of each place of a row to `body`, ascending.
  ///
  /// - Returns: the piece.
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

  /// The start in a row's key.
  static func start(ofKey key: RawSpan) throws(DecodingFault) -> StatePosition {
    guard key.byteCount >= placeByteCount else { throw .truncated(atByte: key.byteCount) }
    var reader = ByteReader(key)
    reader.offset = key.byteCount - placeByteCount
    let cluster = try reader.u32be()
    let high = try reader.u8()
    return StatePosition(cluster: cluster, number: UInt64(high) << 32 | UInt64(try reader.u32be()))
  }
}
