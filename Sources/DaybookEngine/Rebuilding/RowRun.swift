internal import DaybookEntities

/// Rows in memory: an array of keys, and the concatenated bytes of their values.
struct RowRun {
  private var rows: [Row] = []
  private var values: [UInt8] = []
  private var isAscending = true

  private struct Row {
    let key: TableKey
    let start: UInt32
    let byteCount: UInt32
  }

  var count: Int { rows.count }
  /// The total number of bytes of the values.
  var valueByteCount: Int { values.count }

  @inline(__always)
  mutating func add(_ key: TableKey, _ value: RawSpan) {
    if isAscending, let last = rows.last, key <= last.key { isAscending = false }
    rows.append(
      Row(
        key: key, start: UInt32(truncatingIfNeeded: values.count),
        byteCount: UInt32(truncatingIfNeeded: value.byteCount)))
    unsafe value.withUnsafeBytes { unsafe values.append(contentsOf: $0) }
  }

  mutating func removeAll() {
    rows.removeAll(keepingCapacity: true)
    values.removeAll(keepingCapacity: true)
    isAscending = true
  }

  mutating func sort(_ order: inout KeyOrder) {
    if isAscending { return }
    let unsorted = rows
    rows = order.positions(rows.count) { unsorted[$0].key }.map { unsorted[$0] }
    isAscending = true
  }

  @inline(__always)
  func key(at index: Int) -> TableKey { rows[index].key }

  /// Returns the range of a row's value in `values`.
  @inline(__always)
  private func place(of index: Int) -> Range<Int> {
    let start = Int(rows[index].start)
    return start..<start + Int(rows[index].byteCount)
  }

  /// Calls `body` with the value of a row.
  @inline(__always)
  func withValue<R>(at index: Int, _ body: (RawSpan) throws -> R) rethrows -> R {
    try body(values.span.bytes.extracting(place(of: index)))
  }

  /// Calls `body` with each row from `index` on, while a condition holds.
  ///
  /// Consecutive rows with equal keys are combined if their kind allows it.
  @inline(__always)
  func forEach(
    from index: inout Int, _ combiner: inout RowCombiner, while condition: () -> Bool,
    _ body: (TableKey, RawSpan) throws -> Void
  ) throws {
    let bytes = values.span.bytes
    while index < rows.count, condition() {
      let key = rows[index].key
      var end = index + 1
      if combiner.doesCombine { while end < rows.count, rows[end].key == key { end += 1 } }
      if end == index + 1 {
        try body(key, bytes.extracting(place(of: index)))
      } else {
        for index in index..<end { try combiner.add(bytes.extracting(place(of: index))) }
        try combiner.finish { try body(key, $0) }
      }
      index = end
    }
  }
}

/// Combines the values of rows with equal keys: adds totals, and flips bitmaps.
struct RowCombiner {
  private let kind: TableKind
  private let fieldCount: Int
  private var sums = Sums()
  private var bitmap = Bitmap()
  private var writer = ByteWriter(reserving: Bitmap.byteCount)

  init(_ kind: TableKind, fieldCount: Int) {
    self.kind = kind
    self.fieldCount = fieldCount
  }

  /// Whether rows of this kind can be combined.
  var doesCombine: Bool { !kind.isPut }

  mutating func add(_ value: RawSpan) throws {
    switch kind {
    case .rows, .places: break
    case .sums:
      if sums.addReportingOverflow(try Sums(value, fieldCount: fieldCount)) {
        throw TableFault(.overflow)
      }
    case .bitmaps: try bitmap.flip(contentsOf: value)
    }
  }

  /// Calls `body` with the combined value and resets the combiner; an empty or zero value is
  /// skipped.
  mutating func finish(_ body: (RawSpan) throws -> Void) rethrows {
    writer.bytes.removeAll(keepingCapacity: true)
    switch kind {
    case .rows, .places: break
    case .sums:
      if !sums.isZero { sums.write(to: &writer, fieldCount: fieldCount) }
      sums = Sums()
    case .bitmaps:
      writer.raw(bitmap.bytes)
      bitmap.removeAll()
    }
    if !writer.bytes.isEmpty { try body(writer.bytes.span.bytes) }
  }
}
