internal import DaybookEntities

// Encoding of positions in keys, and division of a list into pieces by the bits of its positions.

extension StatePosition {
  /// Returns the lowest level at which one piece can contain both this position and `other`.
  @inline(__always)
  func jointLevel(with other: StatePosition) -> Int {
    cluster != other.cluster
      ? 40 + UInt32.bitWidth - (cluster ^ other.cluster).leadingZeroBitCount
      : UInt64.bitWidth - (number ^ other.number).leadingZeroBitCount
  }

  /// Returns the position with its lower `level` bits cleared.
  @inline(__always)
  func start(ofLevel level: Int) -> StatePosition {
    level <= 40
      ? StatePosition(cluster: cluster, number: (number >> UInt64(level)) << UInt64(level))
      : StatePosition(
        cluster: level == PlacePiece.bitCount ? 0 : (cluster >> (level - 40)) << (level - 40),
        number: 0)
  }
}

extension TableKey {
  /// Returns whether the key and value are valid in a table of places.
  ///
  /// The key must be long enough to end in a position, and the value must be empty.
  func endsInPlace(_ value: [UInt8]) -> Bool {
    count >= PlacePiece.placeByteCount && value.isEmpty
  }

  /// Returns whether this is the key of a position in the list with the given head.
  @inline(__always)
  func isPlace(of head: TableKey) -> Bool {
    count == head.count + PlacePiece.placeByteCount && self.head == head
  }

  /// Returns whether the bytes are the key of a row in the list with the given head.
  static func isPlace(_ bytes: RawSpan, of head: TableKey) -> Bool {
    TableKey(loading: bytes)?.isPlace(of: head) ?? false
  }

  /// The key without the position at its end.
  @inline(__always)
  var head: TableKey { prefix(count - PlacePiece.placeByteCount) }

  /// The position at the end of the key.
  @inline(__always)
  var place: StatePosition {
    let start = count - PlacePiece.placeByteCount
    let tail = word(at: start)
    let last = UInt64(self[start + 8])
    return StatePosition(
      cluster: UInt32(truncatingIfNeeded: tail >> 32), number: (tail & 0xffff_ffff) << 8 | last)
  }

  /// Returns this key followed by a position.
  @inline(__always)
  func with(_ place: StatePosition) -> TableKey {
    var key = self
    key.append(u32: place.cluster)
    key.append(u40: place.number)
    return key
  }

  /// Returns the first `length` bytes.
  @inline(__always)
  private func prefix(_ length: Int) -> TableKey {
    func kept(_ word: UInt64, _ start: Int) -> UInt64 {
      let byteCount = length - start
      return byteCount >= 8
        ? word : byteCount <= 0 ? 0 : word & ~(UInt64.max >> UInt64(8 * byteCount))
    }
    return TableKey(
      kept(word0, 0), kept(word1, 8), kept(word2, 16), kept(word3, 24) & ~0xff | UInt64(length))
  }

  /// Returns the eight bytes from `offset` on, as a big-endian number.
  @inline(__always)
  private func word(at offset: Int) -> UInt64 {
    func word(_ index: Int) -> UInt64 {
      index == 0 ? word0 : index == 1 ? word1 : index == 2 ? word2 : word3
    }
    let (index, bits) = (offset >> 3, UInt64(8 * (offset & 7)))
    return bits == 0 ? word(index) : word(index) << bits | word(index + 1) >> (64 - bits)
  }
}
