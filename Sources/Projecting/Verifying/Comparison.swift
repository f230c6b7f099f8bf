internal import Entities
internal import Journal
internal import LMDB

/// Compares tables of the views with what history gives, on two threads.
///
/// Unchecked `Sendable`: each table is taken from the list, under a lock, by one thread.
final class Comparison: @unchecked Sendable {
  /// One table, and how its rows are had from history.
  struct Table {
    enum Source {
      /// A table of another environment.
      case database(Database, in: Environment)
      /// Rows that are drained in order.
      case sorter(TableSorter)
    }

    let name: String
    let live: Database
    var kind = TableKind.rows
    let source: Source
    let place: (RawSpan) -> RowDifference.Place
  }

  private let tables: [Table]
  private let next = Lock(0)
  private let found: Lock<(rowCount: Int, differences: [Int: RowDifference])>
  private let progress: @Sendable (Double) throws -> Void

  init(_ tables: [Table], progress: @escaping @Sendable (Double) throws -> Void) {
    self.tables = tables
    self.progress = progress
    found = Lock((rowCount: 0, differences: [:]))
  }

  /// How many rows are equal, and the first difference of each table, in the order of the tables.
  ///
  /// - Parameter views: The views as of one and the same commit, for a thread each.
  func run(_ views: [SampledViews]) throws -> (rowCount: Int, differences: [RowDifference]) {
    try runInParallel(
      views.map { views in
        let reader = Reader(views)
        return { try self.work(reader.views) }
      })
    return found.withLock { found in
      (found.rowCount, found.differences.sorted { $0.key < $1.key }.map(\.value))
    }
  }

  /// Hands views to the one thread that reads them.
  ///
  /// Unchecked `Sendable`: made by the thread that starts the reading one, which alone uses it.
  private final class Reader: @unchecked Sendable {
    let views: SampledViews

    init(_ views: SampledViews) { self.views = views }
  }

  private func work(_ views: SampledViews) throws {
    while true {
      let index = next.withLock { index in
        index += 1
        return index - 1
      }
      guard index < tables.count else { return }
      try progress(Double(index) / Double(tables.count))
      var rowCount = 0
      let difference = try firstDifference(of: tables[index], views, &rowCount)
      found.withLock { found in
        found.rowCount += rowCount
        found.differences[index] = difference
      }
    }
  }

  private func firstDifference(
    of table: Table, _ views: SampledViews, _ rowCount: inout Int
  ) throws -> RowDifference? {
    var batch = RowBatch()
    var difference: RowDifference?
    /// Compares what has gathered; whether it is equal.
    func compare(isLast: Bool = false) throws -> Bool {
      difference = try views.read { view in
        try Comparison.firstDifference(table, batch, view, isLast: isLast)
      }
      if difference == nil { rowCount += batch.count }
      batch.removeRows()
      return difference == nil
    }
    func isEqual(_ key: RawSpan, _ value: RawSpan) throws -> Bool {
      batch.append(key, value)
      return try !batch.isFull || compare()
    }
    switch table.source {
    case .database(let database, let environment):
      let transaction = try environment.beginRead()
      try transaction.view.forEach(in: database, isEqual)
    case .sorter(let sorter):
      do {
        try sorter.drain { key, value in
          guard try key.withBytes({ try isEqual($0, value) }) else { throw Differs() }
        }
      } catch is Differs {}
    }
    if difference == nil { _ = try compare(isLast: true) }
    return difference
  }

  /// Ends a drain.
  private struct Differs: Error {}

  /// Where the rows of a batch and those of the views, after what was compared before, differ first.
  ///
  /// - Parameter isLast: Whether the views are to have none after them.
  private static func firstDifference(
    _ table: Table, _ batch: RowBatch, _ view: TransactionView, isLast: Bool
  ) throws -> RowDifference? {
    var cursor = try view.cursor(in: table.live)
    if let before = batch.before { _ = try cursor.seek(atOrAfter: before.span.bytes) }
    for index in 0..<batch.count {
      let (key, value) = (batch.key(index), batch.value(index))
      guard let entry = try cursor.next() else { return missing(table, key, value) }
      let order = entry.key.compared(to: key)
      if order < 0 { return unexpected(table, entry.key, entry.value) }
      if order > 0 { return missing(table, key, value) }
      guard entry.value.compared(to: value) != 0 else { continue }
      return RowDifference(
        table: table.name,
        what:
          "the row with key \(hexadecimal(key)) holds \(hexadecimal(entry.value)) where history "
          + "gives \(hexadecimal(value))",
        place: place(table, key, entry.value, value))
    }
    guard isLast, let entry = try cursor.next() else { return nil }
    return unexpected(table, entry.key, entry.value)
  }

  private static func missing(
    _ table: Table, _ key: RawSpan, _ value: RawSpan
  ) -> RowDifference {
    RowDifference(
      table: table.name, what: "the row with key \(hexadecimal(key)) is missing",
      place: place(table, key, RawSpan(), value))
  }

  private static func unexpected(
    _ table: Table, _ key: RawSpan, _ value: RawSpan
  ) -> RowDifference {
    RowDifference(
      table: table.name, what: "the row with key \(hexadecimal(key)) should not be there",
      place: place(table, key, value, RawSpan()))
  }

  /// What to look for in history: of a row of places, the first that one of the two has alone.
  private static func place(
    _ table: Table, _ key: RawSpan, _ found: RawSpan, _ expected: RawSpan
  ) -> RowDifference.Place {
    guard table.kind == .places else { return table.place(key) }
    func places(_ value: RawSpan) -> Set<TableKey> {
      var places: Set<TableKey> = []
      _ = try? PlacePiece.forEachPlace(inRow: key, value) { places.insert($0) }
      return places
    }
    let (left, right) = (places(found), places(expected))
    let first = left.symmetricDifference(right).min() ?? left.min()
    return first.map { $0.withBytes { table.place($0) } } ?? table.place(key)
  }
}

/// Some rows, copied, so that a cursor is opened for many at a time.
private struct RowBatch {
  private var bytes: [UInt8] = []
  private var ends: [(key: Int, value: Int)] = []
  /// The last key of the rows before.
  private(set) var before: [UInt8]?

  private static let rowCountMax = 1_024

  var count: Int { ends.count }
  var isFull: Bool { ends.count >= RowBatch.rowCountMax }

  mutating func append(_ key: RawSpan, _ value: RawSpan) {
    unsafe key.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
    let end = bytes.count
    unsafe value.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
    ends.append((end, bytes.count))
  }

  /// Empties it; what comes next follows what was in it.
  mutating func removeRows() {
    if count > 0 { before = key(count - 1).copied() }
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
  }

  @_lifetime(borrow self)
  func key(_ index: Int) -> RawSpan {
    let start = index == 0 ? 0 : ends[index - 1].value
    return bytes.span.bytes.extracting(start..<ends[index].key)
  }

  @_lifetime(borrow self)
  func value(_ index: Int) -> RawSpan {
    bytes.span.bytes.extracting(ends[index].key..<ends[index].value)
  }
}
