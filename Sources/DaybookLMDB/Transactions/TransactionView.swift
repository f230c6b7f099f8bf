internal import DaybookCLMDB

/// A read view of a read or write transaction.
///
/// A function that only reads takes a view, and therefore works with both ``ReadTransaction`` and
/// ``WriteTransaction``, which have a `view` property. A view can be copied freely, but neither a
/// view nor anything it returns can outlive the borrow of its transaction.
public struct TransactionView: ~Escapable, BitwiseCopyable {
  /// `MDB_txn`; never nil while a view exists.
  let raw: OpaquePointer?

  /// The environment, which the borrowed transaction keeps alive.
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

  /// Returns the bytes stored under the given key, in place; nil if there is no such key.
  ///
  /// Nothing is copied or allocated. The span is valid while the transaction is borrowed.
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
    // LMDB reports this error for an empty key, which no entry can have.
    if code == MDB_NOTFOUND || code == MDB_BAD_VALSIZE { return nil }
    throw failure(code, "mdb_get")
  }

  /// Returns whether a key exists.
  public func contains(_ key: RawSpan, in database: Database) throws(LMDBError) -> Bool {
    try get(key, in: database) != nil
  }

  /// Returns the number of entries of a database.
  ///
  /// - Complexity: O(1).
  public func count(of database: Database) throws(LMDBError) -> Int {
    try statistics(of: database).entryCount
  }

  /// Returns the numbers of entries and pages of a database.
  ///
  /// - Complexity: O(1).
  public func statistics(of database: Database) throws(LMDBError) -> DatabaseStatistics {
    requireOwn(database)
    var statistics = MDB_stat()
    try check(mdb_stat(raw, database.dbi, &statistics), "mdb_stat")
    return DatabaseStatistics(statistics)
  }

  /// Returns a copy of the bytes stored under the given key; nil if there is no such key.
  public func bytes(for key: [UInt8], in database: Database) throws(LMDBError) -> [UInt8]? {
    guard let found = try get(key.span.bytes, in: database) else { return nil }
    return Array(found)
  }

  /// Creates a cursor over a database, before its first entry.
  @_lifetime(copy self)
  public func cursor(in database: Database) throws(LMDBError) -> Cursor {
    try Cursor(self, database)
  }
}

/// Calls `mdb_get` with a key that may be empty.
@inline(__always)
func rawGet(
  _ transaction: OpaquePointer?, _ dbi: MDB_dbi, _ key: UnsafeRawBufferPointer,
  _ out: inout MDB_val
) -> Int32 {
  var key = MDB_val(key)
  return mdb_get(transaction, dbi, &key, &out)
}

extension MDB_val {
  /// Creates an `MDB_val` from a buffer; LMDB never writes through a pointer to a key or stored
  /// value.
  @inline(__always)
  init(_ bytes: UnsafeRawBufferPointer) {
    self.init(mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
  }

  /// Returns the address of the bytes, or an arbitrary nonzero address for an empty value without
  /// one.
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
  /// Creates a copy of the bytes of a span.
  package init(_ span: RawSpan) {
    self = span.withUnsafeBytes { Array($0) }
  }
}
