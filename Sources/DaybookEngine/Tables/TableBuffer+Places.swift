internal import DaybookEntities
internal import DaybookLMDB

extension TableBuffer {
  /// Merges the buffered differences into the stored pieces of the lists.
  ///
  /// - Returns: Whether the table changed.
  func writePlaces(_ order: [Int], with cursor: inout WriteCursor) throws -> Bool {
    var editor = PlaceEditor()
    var hasWritten = false
    var index = 0
    while index < order.count {
      let key = keys[order[index]]
      try editor.open(key, with: &cursor)
      repeat {
        editor.set(keys[order[index]].place, isThere: values[order[index]] != nil)
        index += 1
      } while index < order.count && editor.covers(keys[order[index]])
      if try editor.close(with: &cursor) { hasWritten = true }
    }
    return hasWritten
  }
}

/// Edits lists of positions, one piece at a time.
private struct PlaceEditor {
  private var head = TableKey()
  private var piece = PlacePiece(with: StatePosition(cluster: 0, number: 0), level: 0)
  /// The positions in the stored piece; empty if no such piece is stored.
  private var stored: [StatePosition] = []
  /// Whether the piece's positions differ from the stored ones.
  private var hasChanged = false
  /// The number of stored positions before the current one.
  private var passedCount = 0
  /// The piece's new positions, up to the last one that was set.
  private var places: [StatePosition] = []
  private var others: [StatePosition] = []
  private var packer = PlacePacker()
  private var value: [UInt8] = []

  /// Opens the piece that contains the key's position or would contain it.
  mutating func open(_ key: TableKey, with cursor: inout WriteCursor) throws {
    head = key.head
    let place = key.place
    stored.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
    passedCount = 0
    hasChanged = false
    // Only the preceding stored piece can contain this position.
    let before = try PlaceEditor.read(.before(key, orAt: true), of: head, &others, with: &cursor)
    if let before, before.covers(place) {
      piece = before
      swap(&stored, &others)
      return
    }
    let after = try PlaceEditor.read(.after(key, orAt: false), of: head, &others, with: &cursor)
    piece = PlacePiece(with: place, level: level(of: place, between: before, after))
  }

  /// Returns whether the open piece contains the key's position or would contain it.
  func covers(_ key: TableKey) -> Bool { key.head == head && piece.covers(key.place) }

  /// Inserts a position into the piece or removes it; positions must arrive in ascending order.
  mutating func set(_ place: StatePosition, isThere: Bool) {
    while passedCount < stored.count, stored[passedCount] < place {
      places.append(stored[passedCount])
      passedCount += 1
    }
    let wasThere = passedCount < stored.count && stored[passedCount] == place
    if wasThere { passedCount += 1 }
    if isThere { places.append(place) }
    if isThere != wasThere { hasChanged = true }
  }

  /// Writes the piece and returns whether the list has changed.
  mutating func close(with cursor: inout WriteCursor) throws -> Bool {
    if !hasChanged { return false }
    places.append(contentsOf: stored[passedCount...])
    if places.count < stored.count {
      try delete(piece, with: &cursor)
      try merge(with: &cursor)
      if !places.isEmpty { try put(with: &cursor) }
    } else if places.count > PlacePiece.countMax {
      if !stored.isEmpty { try delete(piece, with: &cursor) }
      try packer.pack(places, piece, of: head) { key, value in
        let words = key.words
        try cursor.put(words.span.bytes.extracting(first: key.count), value)
      }
    } else {
      try put(with: &cursor)
    }
    return true
  }

  /// Merges neighbours into the open piece, which has lost positions and isn't stored.
  ///
  /// Merging stops when the result would have more than ``PlacePiece/countMax`` positions.
  private mutating func merge(with cursor: inout WriteCursor) throws {
    while piece.level < PlacePiece.bitCount {
      let key = head.with(piece.start)
      let before = try PlaceEditor.read(.before(key, orAt: false), of: head, &others, with: &cursor)
      let after = try PlaceEditor.read(.after(key, orAt: false), of: head, &others, with: &cursor)
      let level = level(of: piece.start, between: before, after)
      piece = PlacePiece(with: piece.start, level: level)
      if level == PlacePiece.bitCount { return }
      let joint = PlacePiece(with: piece.start, level: level + 1)
      guard let pieces = try neighbours(in: joint, with: &cursor) else { return }
      for other in pieces { try delete(other, with: &cursor) }
      places += others
      places.sort()
      piece = joint
    }
  }

  /// Returns the other pieces within a larger one, or `nil` if the larger one would have too many
  /// positions.
  ///
  /// `others` is set to the positions of the returned pieces.
  private mutating func neighbours(
    in joint: PlacePiece, with cursor: inout WriteCursor
  ) throws -> [PlacePiece]? {
    var found: [PlacePiece] = []
    var gathered: [StatePosition] = []
    var next = try PlaceEditor.read(
      .after(head.with(joint.start), orAt: true), of: head, &others, with: &cursor)
    while let other = next, joint.covers(other.start) {
      gathered += others
      if places.count + gathered.count > PlacePiece.countMax { return nil }
      found.append(other)
      next = try PlaceEditor.read(
        .after(head.with(other.start), orAt: false), of: head, &others, with: &cursor)
    }
    others = gathered
    return found
  }

  /// Returns the level of the largest piece that contains a position and overlaps neither neighbour.
  private func level(
    of place: StatePosition, between before: PlacePiece?, _ after: PlacePiece?
  ) -> Int {
    var level = PlacePiece.bitCount
    if let before { level = min(level, place.jointLevel(with: before.start) - 1) }
    if let after { level = min(level, place.jointLevel(with: after.start) - 1) }
    return level
  }

  // MARK: Rows

  private enum Way {
    case before(TableKey, orAt: Bool)
    case after(TableKey, orAt: Bool)
  }

  /// Reads the next piece of a list before or after a key, and replaces `places` with its
  /// positions.
  private static func read(
    _ way: Way, of head: TableKey, _ places: inout [StatePosition],
    with cursor: inout WriteCursor
  ) throws -> PlacePiece? {
    let key =
      switch way {
      case .before(let key, _), .after(let key, _): key
      }
    let words = key.words
    let bytes = words.span.bytes.extracting(first: key.count)
    switch way {
    case .before(_, orAt: true):
      guard let entry = try cursor.seek(atOrBefore: bytes) else { return nil }
      return try piece(entry, of: head, &places)
    case .before(_, orAt: false):
      guard let entry = try cursor.seek(before: bytes) else { return nil }
      return try piece(entry, of: head, &places)
    case .after(_, let orAt):
      guard let entry = try cursor.seek(atOrAfter: bytes) else { return nil }
      if orAt || entry.key.compared(to: bytes) != 0 { return try piece(entry, of: head, &places) }
    }
    guard let entry = try cursor.next() else { return nil }
    return try piece(entry, of: head, &places)
  }

  private static func piece(
    _ entry: Entry, of head: TableKey, _ places: inout [StatePosition]
  ) throws -> PlacePiece? {
    guard TableKey.isPlace(entry.key, of: head) else { return nil }
    return try PlacePiece(key: entry.key, value: entry.value, into: &places)
  }

  private func delete(_ piece: PlacePiece, with cursor: inout WriteCursor) throws {
    let key = head.with(piece.start)
    let words = key.words
    guard try cursor.seek(exactly: words.span.bytes.extracting(first: key.count)) != nil
    else { return }
    try cursor.deleteCurrent()
  }

  private mutating func put(with cursor: inout WriteCursor) throws {
    piece.write(places[...], to: &value)
    let key = head.with(piece.start)
    let words = key.words
    try cursor.put(words.span.bytes.extracting(first: key.count), value.span.bytes)
  }
}
