internal import DaybookEntities

/// Sorts the rows of one table in bounded memory.
///
/// When a run is full, it is sorted and written to a file; the runs are merged at the end. Not
/// `Sendable`: it is filled and drained by one thread at a time.
final class TableSorter {
  /// The kind of the rows, which determines whether rows with equal keys are combined.
  let kind: TableKind
  private let fieldCount: Int
  private let folder: String
  private let runEntryCountMax: Int
  private var run = RowRun()
  private var order = KeyOrder()
  private var file: SpillFile?
  // If rows can be combined, no run contains a key twice.
  private var runs: [SortedRun] = []

  /// The maximum number of bytes of values in a run.
  static let runByteCountMax = 64 << 20

  init(_ kind: TableKind, folder: String, runEntryCountMax: Int = 1 << 16) {
    self.kind = kind
    fieldCount = if case .sums(let fields) = kind { fields } else { 0 }
    self.folder = folder
    self.runEntryCountMax = runEntryCountMax
  }

  @inline(__always)
  func add(_ key: TableKey, _ value: RawSpan) throws {
    run.add(key, value)
    try putAsideIfFull()
  }

  func add(_ key: TableKey, _ value: [UInt8]) throws { try add(key, value.span.bytes) }

  /// Moves the totals or bitmaps of a buffer into the sorter.
  func absorb(_ buffer: inout TableBuffer) throws {
    try absorb(&buffer.packedFlips)
    if buffer.isEmpty { return }
    if kind == .bitmaps {
      let groups = buffer.flipGroups
      for position in buffer.keys.indices {
        let numbers = groups[position]
        if numbers.isEmpty { continue }
        let bytes = try Bitmap.flip(numbers, of: RawSpan())
        run.add(buffer.keys[position], bytes.span.bytes)
      }
    } else {
      var writer = ByteWriter(reserving: 80)
      for position in buffer.keys.indices where !buffer.totals[position].isZero {
        writer.bytes.removeAll(keepingCapacity: true)
        buffer.totals[position].write(to: &writer, fieldCount: fieldCount)
        run.add(buffer.keys[position], writer.bytes.span.bytes)
      }
    }
    buffer.removeAll()
    try putAsideIfFull()
  }

  /// Sorts and moves the flips of a buffer into the sorter; the flips of a full buffer become a
  /// separate run.
  private func absorb(_ flips: inout PackedFlips) throws {
    if flips.isEmpty { return }
    var value: [UInt8] = []
    guard flips.isFull else {
      return try flips.drain { key, numbers in
        value.removeAll(keepingCapacity: true)
        Bitmap.write(numbers, to: &value)
        try add(key, value.span.bytes)
      }
    }
    var writer = SortedRunWriter(try openFile())
    try flips.drain { key, numbers in
      value.removeAll(keepingCapacity: true)
      Bitmap.write(numbers, to: &value)
      try writer.append(key, value.span.bytes)
    }
    runs.append(try writer.finish())
  }

  private func openFile() throws -> SpillFile {
    let file = try self.file ?? SpillFile(folder: folder)
    self.file = file
    return file
  }

  private func putAsideIfFull() throws {
    if run.count >= runEntryCountMax || run.valueByteCount >= TableSorter.runByteCountMax {
      try putAside()
    }
  }

  private func putAside() throws {
    run.sort(&order)
    var writer = SortedRunWriter(try openFile())
    var combiner = RowCombiner(kind, fieldCount: fieldCount)
    var place = 0
    try run.forEach(from: &place, &combiner) {
      true
    } _: {
      try writer.append($0, $1)
    }
    runs.append(try writer.finish())
    run.removeAll()
  }

  /// Sorts the rows in memory; if the file already contains runs, also writes the rows to the file
  /// and frees their memory.
  func finishFilling() throws {
    if runs.isEmpty {
      run.sort(&order)
    } else {
      if run.count > 0 { try putAside() }
      run = RowRun()
    }
    order = KeyOrder()
  }

  /// Moves the rows of another sorter of the same table into this one.
  func take(over other: TableSorter) throws {
    if other.run.count > 0 { try other.putAside() }
    runs += other.runs
    other.empty()
    try finishFilling()
  }

  /// Discards all rows.
  func empty() {
    run = RowRun()
    runs = []
    merge = nil
    file = nil
  }

  // MARK: Draining, row by row

  private var drained = 0
  private var merge: RunMerge?
  /// Packs positions into rows, for a table of places.
  private var packer: PlacePacker?

  /// Finishes filling and moves to the first row.
  func startDraining() throws {
    try finishFilling()
    drained = 0
    merge = try RunMerge(runs)
    packer = kind == .places ? PlacePacker() : nil
  }

  /// The current key, or `nil` after the last row.
  var head: TableKey? {
    if let merge { return merge.head }
    return drained < run.count ? run.key(at: drained) : nil
  }

  /// Calls `body` with the current value.
  func withValue<R>(_ body: (RawSpan) throws -> R) rethrows -> R {
    if let merge { return try merge.withValue(body) }
    return try run.withValue(at: drained, body)
  }

  /// Moves to the next row.
  func advance() throws {
    if merge == nil { drained += 1 } else { try merge?.advance() }
  }

  /// Calls `body` with each row as it is stored, in ascending order of keys, and empties the
  /// sorter.
  func drain(_ body: (TableKey, RawSpan) throws -> Void) throws {
    try startDraining()
    try drain(while: { true }, body)
    empty()
  }

  /// Adds rows to a block until the block has `count` rows or no rows remain.
  ///
  /// - Precondition: ``startDraining()`` has been called.
  func drain(into block: inout RowRun, upTo count: Int) throws {
    var rows = block
    block = RowRun()
    defer { block = rows }
    try drain(while: { rows.count < count }, { rows.add($0, $1) })
  }

  private func drain(
    while condition: () -> Bool, _ body: (TableKey, RawSpan) throws -> Void
  ) throws {
    guard var packer else { return try drainUnpacked(while: condition, body) }
    self.packer = nil
    defer { self.packer = packer }
    try drainUnpacked(while: condition) { key, _ in try packer.add(key, body) }
    // The condition still holds only if no rows remain.
    if condition() { try packer.finish(body) }
  }

  private func drainUnpacked(
    while condition: () -> Bool, _ body: (TableKey, RawSpan) throws -> Void
  ) throws {
    var combiner = RowCombiner(kind, fieldCount: fieldCount)
    guard var merge else {
      return try run.forEach(from: &drained, &combiner, while: condition, body)
    }
    self.merge = nil
    defer { self.merge = merge }
    try merge.forEach(&combiner, while: condition, body)
  }
}
