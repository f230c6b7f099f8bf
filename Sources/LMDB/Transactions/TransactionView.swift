internal import CLMDB

/// The reading side of a transaction, whichever kind it is.
///
/// A function that only reads takes one of these and serves both ``ReadTransaction`` and
/// ``WriteTransaction``; both hand it out as `view`. It is copied freely but cannot outlive the
/// borrow of its transaction, and what it returns cannot either.
public struct TransactionView: ~Escapable, BitwiseCopyable {
  /// `MDB_txn`; nil never occurs while a view can exist.
  let raw: OpaquePointer?

  /// The environment, kept alive by the transaction that this view borrows.
  let owner: Unmanaged<Environment>

  let serial: UInt32

  @_lifetime(immortal)
  @inline(__always)
  init(_ raw: OpaquePointer?, _ owner: Environment) {
    self.raw = raw
    self.owner = .passUnretained(owner)
    serial = owner.serial
  }

  @inline(never)
  func failure(_ code: Int32, _ operation: String) -> LMDBError {
    owner.takeUnretainedValue().failure(code, operation)
  }

  @inline(__always)
  func check(_ code: Int32, _ operation: String) throws(LMDBError) {
    if code != 0 { throw failure(code, operation) }
  }

  @inline(__always)
  func requireOwn(_ database: Database) {
    precondition(
      database.environmentSerial == serial, "This database belongs to another environment.")
  }

  /// The bytes stored under a key, in place; nil if there is no such key.
  ///
  /// Nothing is copied or allocated. The span lives as long as the transaction is borrowed.
  ///
  /// - Complexity: O(log *n*).
  @_lifetime(copy self)
  public func get(_ key: RawSpan, in database: Database) throws(LMDBError) -> RawSpan? {
    requireOwn(database)
    var out = MDB_val()
    let code = key.withUnsafeBytes { rawGet(raw, database.dbi, $0, &out) }
    if code == 0 {
      return _overrideLifetime(
        RawSpan(_unsafeStart: out.start, byteCount: out.mv_size), copying: self)
    }
    // Nothing can be stored under an empty key, which is what LMDB complains of here.
    if code == MDB_NOTFOUND || code == MDB_BAD_VALSIZE { return nil }
    throw failure(code, "mdb_get")
  }

  /// Whether there is such a key.
  public func contains(_ key: RawSpan, in database: Database) throws(LMDBError) -> Bool {
    try get(key, in: database) != nil
  }

  /// How many entries a database has.
  ///
  /// - Complexity: O(1).
  public func count(of database: Database) throws(LMDBError) -> Int {
    try statistics(of: database).entryCount
  }

  /// How many entries and pages a database has.
  ///
  /// - Complexity: O(1).
  public func statistics(of database: Database) throws(LMDBError) -> DatabaseStatistics {
    requireOwn(database)
    var statistics = MDB_stat()
    try check(mdb_stat(raw, database.dbi, &statistics), "mdb_stat")
    return DatabaseStatistics(statistics)
  }

  /// A copy of the bytes stored under a key; nil if there is no such key.
  public func bytes(for key: [UInt8], in database: Database) throws(LMDBError) -> [UInt8]? {
    guard let found = try get(key.span.bytes, in: database) else { return nil }
    return Array(found)
  }

  /// A cursor over a database, before its first entry.
  @_lifetime(copy self)
  public func cursor(in database: Database) throws(LMDBError) -> Cursor {
    try Cursor(self, database)
  }
}

/// `mdb_get` with a key that may be empty.
@inline(__always)
func rawGet(
  _ transaction: OpaquePointer?, _ dbi: MDB_dbi, _ key: UnsafeRawBufferPointer,
  _ out: inout MDB_val
) -> Int32 {
  var key = MDB_val(key)
  return mdb_get(transaction, dbi, &key, &out)
}

extension MDB_val {
  /// LMDB only reads through the pointer of a key, or of a value that is put.
  @inline(__always)
  init(_ bytes: UnsafeRawBufferPointer) {
    self.init(mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
  }

  /// Where the bytes are; for an empty value, which may have no address, an address to name none.
  @inline(__always)
  var start: UnsafeRawPointer {
    UnsafeRawPointer(mv_data) ?? UnsafeRawPointer(bitPattern: 16).unsafelyUnwrapped
  }

  @inline(__always)
  var buffer: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: mv_data, count: mv_size)
  }
}

extension Array where Element == UInt8 {
  /// A copy of the bytes of a span.
  package init(_ span: RawSpan) {
    self = span.withUnsafeBytes { Array($0) }
  }
}
