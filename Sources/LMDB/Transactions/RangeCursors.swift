internal import CLMDB

/// Places in databases of one transaction, each of which moves by itself: to walk ranges side by side.
///
/// Get them from ``TransactionView/rangeCursors(reversed:)``. There may be as many as a program finds
/// out while it runs. All go the same way, and never back. The entries live as long as the transaction,
/// not just until the next movement.
///
/// Opening one allocates, moving it does not.
public struct RangeCursors: ~Copyable, ~Escapable {
  /// One place, and where its range ends.
  private struct Place: BitwiseCopyable {
    var core: CursorCore
    /// Where the least key of the range is among the stops if reversed, otherwise the key behind it.
    let stop: Int
    let stopByteCount: Int
    /// How many steps are tried before an entry is looked for from the root.
    var stepCount = Place.stepCountMin

    static let stepCountMin = 1
    static let stepCountMax = 16
  }

  private let view: TransactionView
  private let reversed: Bool
  // By themselves and not in an array, which counts its references whenever one of them moves.
  private var places: UnsafeMutableBufferPointer<Place>
  private var count = 0
  /// The keys at which ranges stop, one after the other.
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

  /// Adds a cursor over the entries of a database from `lower` on and before `upper`; it stands on the
  /// first of them, which is the greatest if reversed.
  ///
  /// - Returns: What the cursor goes by, counted from 0.
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

  /// Adds a copy of a key to the stops; returns where it is.
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

  /// The entry that a cursor stands on, or nil at the end of its range.
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

  /// Moves a cursor to the first entry, the way it goes, that does not come before a key; it stays
  /// where that is already so.
  ///
  /// What is near is stepped to, if it was near before.
  ///
  /// - Complexity: O(log *n*).
  @_lifetime(copy self)
  @_lifetime(self: copy self)
  public mutating func leap(_ index: Int, to key: RawSpan) throws(LMDBError) -> Entry? {
    try key.withUnsafeBytes { (key) throws(LMDBError) in try leap(index, to: key) }
    return entry(index)
  }

  /// Moves a cursor to the last entry that does not come behind a key, whichever way it goes; where there
  /// is none, the next step takes it to the first of all.
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

  // Whether what a cursor stands on comes before a key.
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
  /// Cursors over ranges of databases, none yet.
  ///
  /// - Parameter reversed: Whether they go from the last entry of a range to the first.
  @_lifetime(copy self)
  public func rangeCursors(reversed: Bool) -> RangeCursors {
    RangeCursors(self, reversed: reversed)
  }
}
