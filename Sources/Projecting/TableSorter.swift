internal import Entities

/// Sorts the rows of one table in bounded memory: full runs are sorted and put aside in a file, and
/// merged at the end.
///
/// Not `Sendable`: one thread fills and drains it.
final class TableSorter {
  /// What the rows are; totals with equal keys are added up, bitmaps with equal keys merged.
  let kind: TableKind
  private let fieldCount: Int
  private let folder: String
  private let runEntryCountMax: Int
  private var run = Run()
  private var file: SpillFile?
  private var runs: [SortedRun] = []

  private struct Keyed {
    var key: TableKey
    var start: UInt32
    var length: UInt32
  }

  /// The run that is being filled.
  private struct Run {
    var keys: [Keyed] = []
    var values: [UInt8] = []
    var isAscending = true

    @inline(__always)
    mutating func add(_ key: TableKey, _ value: RawSpan) {
      if isAscending, let last = keys.last, key <= last.key { isAscending = false }
      keys.append(
        Keyed(
          key: key, start: UInt32(truncatingIfNeeded: values.count),
          length: UInt32(truncatingIfNeeded: value.byteCount)))
      unsafe value.withUnsafeBytes { unsafe values.append(contentsOf: $0) }
    }

    mutating func removeAll() {
      keys.removeAll(keepingCapacity: true)
      values.removeAll(keepingCapacity: true)
      isAscending = true
    }

    mutating func sort() {
      if !isAscending { keys.sort { $0.key < $1.key } }
      isAscending = true
    }
  }

  /// The bytes of values that a run holds at most.
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

  /// Takes over the totals or bitmaps of a buffer, and empties it.
  func absorb(_ buffer: inout TableBuffer) throws {
    if kind == .bitmaps {
      let groups = buffer.flipGroups
      for position in buffer.keys.indices {
        let numbers = groups[position]
        if numbers.isEmpty { continue }
        let bytes = try Bitmap.flip(numbers, of: RawSpan())
        run.add(buffer.keys[position], bytes.span.bytes)
      }
      buffer.removeAll()
      return try putAsideIfFull()
    }
    var writer = ByteWriter(reserving: 80)
    for position in buffer.keys.indices {
      writer.bytes.removeAll(keepingCapacity: true)
      buffer.totals[position].write(to: &writer, fieldCount: fieldCount)
      run.add(buffer.keys[position], writer.bytes.span.bytes)
    }
    buffer.removeAll()
    try putAsideIfFull()
  }

  private func putAsideIfFull() throws {
    if run.keys.count >= runEntryCountMax || run.values.count >= TableSorter.runByteCountMax {
      try putAside()
    }
  }

  private func putAside() throws {
    run.sort()
    let file = try self.file ?? SpillFile(folder: folder)
    self.file = file
    var writer = SortedRunWriter(file)
    let full = run
    let span = full.values.span.bytes
    for entry in full.keys {
      let start = Int(entry.start)
      try writer.append(entry.key, span.extracting(start..<start + Int(entry.length)))
    }
    runs.append(try writer.finish())
    run.removeAll()
  }

  /// Sorts what has not been put aside; where some has, everything is, and the memory given back.
  func finishFilling() throws {
    if runs.isEmpty { return run.sort() }
    if !run.keys.isEmpty { try putAside() }
    run = Run()
  }

  // MARK: Draining, row by row

  private var drained = 0
  private var readers: [SortedRunReader] = []
  // The reader with the least head, and the least head of the others.
  private var least = 0
  private var runnerUp: TableKey?

  /// Turns from filling to draining and steps to the first row.
  func startDraining() throws {
    try finishFilling()
    drained = 0
    guard let file else { return }
    readers = try runs.map { try SortedRunReader($0, of: file) }.filter { !$0.isAtEnd }
    findLeast()
  }

  /// Of a few dozen runs the least head is found as fast by looking as by a heap, and mostly the same
  /// run has it again.
  private func findLeast() {
    runnerUp = nil
    guard var key = readers.first?.head else { return }
    least = 0
    for index in readers.indices.dropFirst() {
      let other = readers[index].head
      if other < key {
        runnerUp = key
        key = other
        least = index
      } else if runnerUp.map({ other < $0 }) ?? true {
        runnerUp = other
      }
    }
  }

  /// The key at hand, or `nil` when all rows have been drained.
  var head: TableKey? {
    if runs.isEmpty { return drained < run.keys.count ? run.keys[drained].key : nil }
    return readers.isEmpty ? nil : readers[least].head
  }

  /// Gives the value at hand to `body`.
  func withValue<R>(_ body: (RawSpan) throws -> R) rethrows -> R {
    if runs.isEmpty {
      let entry = run.keys[drained]
      let start = Int(entry.start)
      let held = run.values
      return try body(held.span.bytes.extracting(start..<start + Int(entry.length)))
    }
    return try readers[least].withValue(body)
  }

  /// Steps to the next row.
  func advance() throws {
    if runs.isEmpty {
      drained += 1
      return
    }
    try readers[least].advance()
    if readers[least].isAtEnd {
      readers.remove(at: least)
    } else if let runnerUp, readers[least].head < runnerUp {
      return
    } else if runnerUp == nil {
      return
    }
    findLeast()
  }

  /// Gives all rows in ascending order of keys to `body`, and empties the sorter.
  func drain(_ body: (TableKey, RawSpan) throws -> Void) throws {
    var totals = TotalsCombiner(fieldCount: fieldCount)
    var bitmaps = BitmapCombiner()
    try startDraining()
    while let key = head {
      try withValue { value in
        switch kind {
        case .rows: try body(key, value)
        case .sums: try totals.add(key, value, body)
        case .bitmaps: try bitmaps.add(key, value, body)
        }
      }
      try advance()
    }
    try totals.finish(body)
    try bitmaps.finish(body)
    run = Run()
    runs = []
    readers = []
    file = nil
  }
}

/// Adds up totals that come with equal keys, one after the other.
private struct TotalsCombiner {
  let fieldCount: Int
  private var key: TableKey?
  private var sums = Sums()
  private var writer = ByteWriter(reserving: 80)

  init(fieldCount: Int) { self.fieldCount = fieldCount }

  mutating func add(
    _ next: TableKey, _ value: RawSpan, _ body: (TableKey, RawSpan) throws -> Void
  ) throws {
    let more = try Sums(value, fieldCount: fieldCount)
    if key == next {
      sums += more
      return
    }
    try finish(body)
    key = next
    sums = more
  }

  mutating func finish(_ body: (TableKey, RawSpan) throws -> Void) throws {
    guard let key, !sums.isZero else { return }
    writer.bytes.removeAll(keepingCapacity: true)
    sums.write(to: &writer, fieldCount: fieldCount)
    try body(key, writer.bytes.span.bytes)
  }
}
