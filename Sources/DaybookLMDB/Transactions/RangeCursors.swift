internal import DaybookCLMDB

/// Several independent cursors of one transaction, for walking ranges in parallel.
///
/// Create them with ``TransactionView/rangeCursors(reversed:)``; the number of cursors can be
/// determined at run time. All cursors move in the same direction and never back. Entries stay
/// valid until the transaction ends, even if a cursor moves.
///
/// Opening a cursor allocates; moving it doesn't.
public struct RangeCursors: ~Copyable, ~Escapable {
  /// A cursor and the end of its range.
  private struct Place: BitwiseCopyable {
    var core: CursorCore
    /// The offset in `stops` of the key at which the range ends: the least key of the range if
    /// reversed, otherwise the key after the range.
    let stop: Int
    let stopByteCount: Int
    /// The number of steps to try before a search from the root.
    var stepCount = Place.stepCountMin

    static let stepCountMin = 1
    static let stepCountMax = 16
  }

  private let view: TransactionView
  private let reversed: Bool
  // Allocated manually, because moving a cursor in an array would update reference counts.
  private var places: UnsafeMutableBufferPointer<Place>
  private var count = 0
  /// The keys at which ranges end, concatenated.
  private var stops: UnsafeMutableRawBufferPointer
  private var stopByteCount = 0

  @_lifetime(copy view)
  init(_ view: TransactionView, reversed: Bool) {
    self.view = view
    self.reversed = reversed
    places = .allocate(capacity: 8)
    stops = .allocate(byteCount: 256, alignment: 1)
  }

  deinit {
    for place in places.prefix(count) { mdb_cursor_close(place.core.raw) }
    places.deallocate()
    stops.deallocate()
  }

  /// Opens a cursor over the entries from `lower` up to, but not including, `upper`.
  ///
  /// The cursor starts at the first entry of the range, or at the last if reversed.
  ///
  /// - Returns: The cursor's index, counted from 0.
  /// - Complexity: O(log *n*).
  @_lifetime(self: copy self)
  public mutating func open(
    _ database: Database, from lower: RawSpan, to upper: RawSpan
  ) throws(LMDBError) -> Int {
    let start = reversed ? upper : lower
    let core = try CursorCore(view, database)
    if count == places.count { grow() }
    let key = reversed ? lower : upper
    let stop = keep(key)
    places.initializeElement(
      at: count, to: Place(core: core, stop: stop, stopByteCount: key.byteCount))
    count += 1
    let index = count - 1
    _ = try start.withUnsafeBytes { (start) throws(LMDBError) in
      reversed
        ? try places[index].core.seek(before: start) : try places[index].core.seek(atOrAfter: start)
    }
    return index
  }

  private mutating func grow() {
    let more = UnsafeMutableBufferPointer<Place>.allocate(capacity: 2 * places.count)
    _ = more.update(fromContentsOf: places)
    places.deallocate()
    places = more
  }

  /// Copies a key to `stops`, and returns its offset.
  private mutating func keep(_ key: RawSpan) -> Int {
    let range = stopByteCount..<stopByteCount + key.byteCount
    if range.upperBound > stops.count {
      let more = UnsafeMutableRawBufferPointer.allocate(
        byteCount: max(2 * stops.count, range.upperBound), alignment: 1)
      more.copyMemory(from: UnsafeRawBufferPointer(rebasing: stops[..<stopByteCount]))
      stops.deallocate()
      stops = more
    }
    key.withUnsafeBytes {
      UnsafeMutableRawBufferPointer(rebasing: stops[range]).copyMemory(from: $0)
    }
    stopByteCount = range.upperBound
    return range.lowerBound
  }

  /// Returns the current entry of a cursor, or nil at the end of its range.
  @_lifetime(copy self)
  public func entry(_ index: Int) -> Entry? {
    guard isInside(index) else { return nil }
    return _overrideLifetime(places[index].core.entry(), copying: self)
  }

  /// Moves a cursor by one entry.
  @_lifetime(copy self)
  @_lifetime(self: copy self)
  public mutating func step(_ index: Int) throws(LMDBError) -> Entry? {
    _ = try move(index)
    return entry(index)
  }

  /// Moves a cursor to the first entry, in its direction, that doesn't come before a key.
  ///
  /// If the current entry already qualifies, the cursor doesn't move. The cursor tries a few steps
  /// before it searches, and more steps if the previous keys were near.
  ///
  /// - Complexity: O(log *n*).
  @_lifetime(copy self)
  @_lifetime(self: copy self)
  public mutating func leap(_ index: Int, to key: RawSpan) throws(LMDBError) -> Entry? {
    try key.withUnsafeBytes { (key) throws(LMDBError) in try leap(index, to: key) }
    return entry(index)
  }

  /// Moves a cursor to the last entry whose key is at most `key`, regardless of the cursor's
  /// direction.
  ///
  /// If there is no such entry, the next forward step moves it to the first entry of the database.
  ///
  /// - Complexity: O(log *n*).
  @_lifetime(self: copy self)
  public mutating func seek(_ index: Int, atOrBefore key: RawSpan) throws(LMDBError) {
    _ = try key.withUnsafeBytes { (key) throws(LMDBError) in
      try places[index].core.seek(atOrBefore: key)
    }
  }

  private mutating func leap(_ index: Int, to key: UnsafeRawBufferPointer) throws(LMDBError) {
    guard isInside(index) else { return }
    let limit = places[index].stepCount
    var steps = 0
    while isBefore(key, index) {
      if steps == limit {
        places[index].stepCount = max(limit / 2, Place.stepCountMin)
        _ =
          reversed
          ? try places[index].core.seek(atOrBefore: key)
          : try places[index].core.seek(atOrAfter: key)
        return
      }
      steps += 1
      if try !move(index) { return }
    }
    if steps > 0 { places[index].stepCount = min(limit * 2, Place.stepCountMax) }
  }

  @inline(__always)
  private mutating func move(_ index: Int) throws(LMDBError) -> Bool {
    reversed ? try places[index].core.previous() : try places[index].core.next()
  }

  // Returns whether the current entry of a cursor comes before a key.
  @inline(__always)
  private func isBefore(_ key: UnsafeRawBufferPointer, _ index: Int) -> Bool {
    let order = compare(places[index].core.key.buffer, key)
    return reversed ? order > 0 : order < 0
  }

  @inline(__always)
  private func isInside(_ index: Int) -> Bool {
    precondition(index < count, "There is no such cursor.")
    guard case .onEntry = places[index].core.position else { return false }
    let start = stops.baseAddress.map { UnsafeRawPointer($0 + places[index].stop) }
    let stop = UnsafeRawBufferPointer(start: start, count: places[index].stopByteCount)
    let order = compare(places[index].core.key.buffer, stop)
    return reversed ? order >= 0 : order < 0
  }
}

extension TransactionView {
  /// Creates an empty set of range cursors.
  ///
  /// - Parameter reversed: Whether the cursors move from the last entry of a range to the first.
  @_lifetime(copy self)
  public func rangeCursors(reversed: Bool) -> RangeCursors {
    RangeCursors(self, reversed: reversed)
  }
}
