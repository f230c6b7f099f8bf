import DaybookCSQLite
import DaybookFormats

/// A read-only, in-memory SQLite database whose contents are untrusted.
final class SQLiteDatabase {
  private var handle: OpaquePointer?
  private let path: String
  /// The number of progress callbacks left, which is limited so that a damaged file can't keep
  /// SQLite busy forever.
  private let budget: UnsafeMutablePointer<Int>

  private static let stepsPerCall: Int32 = 10_000

  /// Returns whether the bytes begin with the header of a database.
  static func begins(_ bytes: [UInt8]) -> Bool { bytes.starts(with: "SQLite format 3\u{0}".utf8) }

  /// Opens a database in memory.
  /// - Throws: `InterchangeError` with code `format`.
  init(_ bytes: [UInt8], path: String) throws(InterchangeError) {
    self.path = path
    budget = .allocate(capacity: 1)
    // Reading a row takes a few steps per value, and each value takes at least one byte.
    budget.initialize(to: 2_000 + bytes.count / 200)
    guard sqlite3_open_v2(":memory:", &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else {
      throw fault("There is not enough memory for the database.")
    }
    guard SQLiteDatabase.begins(bytes), let copy = sqlite3_malloc64(UInt64(bytes.count)) else {
      throw fault("The database has an invalid format.")
    }
    bytes.withUnsafeBytes { source in
      guard let start = source.baseAddress else { return }
      copy.copyMemory(from: start, byteCount: source.count)
    }
    let data = copy.assumingMemoryBound(to: UInt8.self)
    // Disable WAL mode in the header, because there is no WAL file.
    if bytes.count > 19 {
      data[18] = 1
      data[19] = 1
    }
    let size = Int64(bytes.count)
    let flags = UInt32(SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY)
    guard sqlite3_deserialize(handle, "main", data, size, size, flags) == SQLITE_OK,
      daybook_sqlite_distrust(handle) == SQLITE_OK
    else { throw fault("The database can’t be opened.") }
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, 1 << 24)
    sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0)
    sqlite3_progress_handler(
      handle, SQLiteDatabase.stepsPerCall,
      { budget in
        guard let budget = budget?.assumingMemoryBound(to: Int.self) else { return 1 }
        budget.pointee -= 1
        return budget.pointee > 0 ? 0 : 1
      }, budget)
  }

  deinit {
    sqlite3_close_v2(handle)
    budget.deallocate()
  }

  /// A row of a result.
  struct Row {
    fileprivate let statement: OpaquePointer?

    /// Returns an integer, or `nil` if the column has a different type.
    func number(_ column: Int) -> Int64? {
      let column = Int32(column)
      guard sqlite3_column_type(statement, column) == SQLITE_INTEGER else { return nil }
      return sqlite3_column_int64(statement, column)
    }

    /// Returns whether a column is an integer other than 0.
    func flag(_ column: Int) -> Bool { (number(column) ?? 0) != 0 }

    /// Returns whether a column is NULL.
    func isNull(_ column: Int) -> Bool {
      sqlite3_column_type(statement, Int32(column)) == SQLITE_NULL
    }

    /// Returns a text, or an empty text if the column is NULL.
    func text(_ column: Int) -> String {
      guard let text = sqlite3_column_text(statement, Int32(column)) else { return "" }
      let count = Int(sqlite3_column_bytes(statement, Int32(column)))
      return String(
        decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
    }
  }

  /// Returns the names of a table's columns, in lowercase; none if the table doesn't exist.
  ///
  /// Views and virtual tables are ignored.
  func columns(_ table: String) throws(InterchangeError) -> Set<String> {
    var isTable = false
    try forEach(
      "SELECT 1 FROM sqlite_master WHERE type = 'table' AND lower(name) = '\(table)' "
        + "AND rootpage > 0"
    ) { _ in isTable = true }
    guard isTable else { return [] }
    var names: Set<String> = []
    try forEach("PRAGMA table_info(\"\(table)\")") { names.insert($0.text(1).lowercased()) }
    return names
  }

  /// Calls `body` for each row of a table, in storage order.
  ///
  /// A column that the table lacks is read as NULL.
  ///
  /// - Returns: `false` if the table doesn't exist.
  @discardableResult
  func read(
    _ table: String, _ columns: [String], _ body: (Row) -> Void
  ) throws(InterchangeError) -> Bool {
    let known = try self.columns(table)
    guard !known.isEmpty else { return false }
    let list = columns.map { known.contains($0.lowercased()) ? "\"\($0)\"" : "NULL" }
    try forEach("SELECT \(list.joined(separator: ", ")) FROM \"\(table)\"", body)
    return true
  }

  private func forEach(_ query: String, _ body: (Row) -> Void) throws(InterchangeError) {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(handle, query, -1, &statement, nil) == SQLITE_OK else {
      throw fault("The database can’t be read: \(message).")
    }
    defer { sqlite3_finalize(statement) }
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: body(Row(statement: statement))
      case SQLITE_DONE: return
      default: throw fault("The database is damaged: \(message).")
      }
    }
  }

  private var message: String {
    sqlite3_errmsg(handle).map { String(cString: $0) } ?? "unknown"
  }

  private func fault(_ message: String) -> InterchangeError {
    InterchangeError(
      .format, message, remedy: "Export the budget again, and import the whole file.", path: path)
  }
}
