import CSQLite

/// A connection with its prepared statements, using SQLite's C interface directly.
///
/// Not thread-safe: the owner must serialise access.
final class SQLiteConnection {
  private let database: OpaquePointer
  private var statements: [OpaquePointer] = []
  private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  init(path: String, indexesTexts: Bool) throws {
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let code = sqlite3_open_v2(path, &opened, flags, nil)
    guard code == SQLITE_OK, let opened else {
      throw BenchmarkError("SQLite cannot open \(path) (\(code))")
    }
    database = opened
    try execute(SQLSchema.settings)
    if try !hasTables() { try execute(SQLSchema.creation(indexesTexts: indexesTexts)) }
    for statement in indexesTexts ? SQLStatement.allCases[...] : SQLStatement.plain {
      var prepared: OpaquePointer?
      try check(
        sqlite3_prepare_v3(
          database, statement.text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil))
      guard let prepared else { throw BenchmarkError("SQLite prepared nothing") }
      statements.append(prepared)
    }
  }

  func close() {
    for statement in statements { sqlite3_finalize(statement) }
    sqlite3_close(database)
  }

  func execute(_ text: String) throws {
    try check(sqlite3_exec(database, text, nil, nil, nil))
  }

  private func hasTables() throws -> Bool {
    var statement: OpaquePointer?
    try check(
      sqlite3_prepare_v2(
        database, "SELECT 1 FROM sqlite_master WHERE name = 'calendar'", -1, &statement, nil))
    defer { sqlite3_finalize(statement) }
    return sqlite3_step(statement) == SQLITE_ROW
  }

  private func check(_ code: Int32) throws {
    guard code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW else {
      throw BenchmarkError("SQLite: \(String(cString: sqlite3_errmsg(database))) (\(code))")
    }
  }

  /// Binds integers and runs the statement to completion.
  func run(_ statement: SQLStatement, _ values: Int64...) throws {
    let prepared = statements[statement.rawValue]
    for (index, value) in values.enumerated() {
      sqlite3_bind_int64(prepared, Int32(index + 1), value)
    }
    try finish(prepared)
  }

  /// Binds values with a closure and runs the statement to completion.
  func run(_ statement: SQLStatement, binding: (borrowing Binder) -> Void) throws {
    let prepared = statements[statement.rawValue]
    binding(Binder(statement: prepared))
    try finish(prepared)
  }

  /// Binds values, then calls `body` for each row.
  func query(
    _ statement: SQLStatement, binding: (borrowing Binder) -> Void,
    _ body: (borrowing Columns) throws -> Void
  ) throws {
    let prepared = statements[statement.rawValue]
    binding(Binder(statement: prepared))
    defer { sqlite3_reset(prepared) }
    while true {
      let code = sqlite3_step(prepared)
      guard code == SQLITE_ROW else { return try check(code) }
      try body(Columns(statement: prepared))
    }
  }

  private func finish(_ prepared: OpaquePointer) throws {
    let code = sqlite3_step(prepared)
    sqlite3_reset(prepared)
    try check(code)
  }

  /// Binds values to a statement.
  struct Binder: ~Copyable {
    fileprivate let statement: OpaquePointer

    func bind(_ index: Int32, _ value: Int64?) {
      if let value {
        sqlite3_bind_int64(statement, index, value)
      } else {
        sqlite3_bind_null(statement, index)
      }
    }

    func bind(_ index: Int32, _ bytes: [UInt8]) {
      sqlite3_bind_blob(statement, index, bytes, Int32(bytes.count), SQLiteConnection.transient)
    }

    func bind(_ index: Int32, _ text: String?) {
      guard var text else {
        sqlite3_bind_null(statement, index)
        return
      }
      text.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) {
          _ = sqlite3_bind_text(
            statement, index, $0.baseAddress, Int32($0.count), SQLiteConnection.transient)
        }
      }
    }
  }

  /// Reads values from a row.
  struct Columns: ~Copyable {
    fileprivate let statement: OpaquePointer

    func integer(_ index: Int32) -> Int64 { sqlite3_column_int64(statement, index) }

    func text(_ index: Int32) -> String {
      guard let text = sqlite3_column_text(statement, index) else { return "" }
      let count = Int(sqlite3_column_bytes(statement, index))
      return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
    }

    func withBytes<R>(_ index: Int32, _ body: (UnsafeRawBufferPointer) -> R) -> R {
      let bytes = sqlite3_column_blob(statement, index)
      let count = Int(sqlite3_column_bytes(statement, index))
      return body(UnsafeRawBufferPointer(start: bytes, count: count))
    }

    func id(_ index: Int32) -> WorkID { withBytes(index, WorkID.init(bytes:)) }
  }
}

extension WorkID {
  /// Reads an id from sixteen bytes in big-endian order.
  init(bytes: UnsafeRawBufferPointer) {
    guard bytes.count == 16 else {
      self.init(high: 0, low: 0)
      return
    }
    self.init(
      high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
      low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
  }
}
