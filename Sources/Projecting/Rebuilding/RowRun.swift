internal import Entities

/// Rows in memory: keys, and the bytes of their values one after the other.
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
  /// The bytes of all values.
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

  /// The key of a row.
  @inline(__always)
  func key(at index: Int) -> TableKey { rows[index].key }

  /// Where the value of a row is.
  @inline(__always)
  private func place(of index: Int) -> Range<Int> {
    let start = Int(rows[index].start)
    return start..<start + Int(rows[index].byteCount)
  }

  /// Gives the value of a row to `body`.
  @inline(__always)
  func withValue<R>(at index: Int, _ body: (RawSpan) throws -> R) rethrows -> R {
    try body(values.span.bytes.extracting(place(of: index)))
  }

  /// Gives rows to `body` as they stand, from `index` on and for as long as a condition holds; where equal
  /// keys follow each other and can be combined, one row for all of them.
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

/// Makes one value of those that rows with equal keys have: totals are added up, bitmaps flipped.
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

  /// Gives what was added to `body`, unless it came to nothing, and begins anew.
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
