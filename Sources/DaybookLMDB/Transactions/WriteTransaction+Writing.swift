internal import DaybookCLMDB

/// Options for storing an entry; without options, an existing entry is replaced.
public struct PutFlags: OptionSet, Sendable {
  /// The flags as LMDB defines them.
  public let rawValue: UInt32

  /// Creates flags from LMDB's value.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// Adds the entry at the end without a search; its key must be greater than all other keys.
  ///
  /// Pages are filled completely. ``LMDBError/Kind/keyExist`` is thrown if the key isn't greater.
  public static let append = PutFlags(rawValue: UInt32(MDB_APPEND))

  /// Throws ``LMDBError/Kind/keyExist`` instead of replacing an existing entry.
  public static let noOverwrite = PutFlags(rawValue: UInt32(MDB_NOOVERWRITE))
}

extension WriteTransaction {
  /// Stores a value under a key.
  ///
  /// - Parameters:
  ///   - key: 1 to ``Limits/keyByteCountMax`` bytes.
  ///   - value: Up to ``Limits/valueByteCountMax`` bytes, preferably at most
  ///     ``Limits/valueByteCountSoft``.
  ///   - database: The database.
  ///   - flags: Options for storing the entry.
  /// - Complexity: O(log *n*).
  public mutating func put(
    _ key: RawSpan, _ value: RawSpan, in database: Database, flags: PutFlags = []
  ) throws(LMDBError) {
    let code = key.withUnsafeBytes { key in
      value.withUnsafeBytes { rawPut(key, $0, in: database, flags) }
    }
    if code != 0 { throw environment.failure(code, "mdb_put") }
  }

  /// Stores a value under a key.
  public mutating func put(
    _ key: [UInt8], _ value: [UInt8], in database: Database, flags: PutFlags = []
  ) throws(LMDBError) {
    try put(key.span.bytes, value.span.bytes, in: database, flags: flags)
  }

  /// Stores an entry after all others.
  ///
  /// - Throws: ``LMDBError/Kind/keyExist`` if the key isn't greater than all other keys.
  /// - Complexity: O(1) amortized.
  public mutating func append(
    _ key: RawSpan, _ value: RawSpan, in database: Database
  ) throws(LMDBError) {
    try put(key, value, in: database, flags: .append)
  }

  /// Stores a value that a closure writes in place, which avoids a copy.
  ///
  /// The span is initialised with zeros.
  public mutating func reserve(
    _ key: RawSpan, byteCount: Int, in database: Database, flags: PutFlags = [],
    _ body: (inout MutableRawSpan) -> Void
  ) throws(LMDBError) {
    requireOwn(database)
    guard (0...Limits.valueByteCountMax).contains(byteCount) else {
      throw environment.failure(MDB_BAD_VALSIZE, "mdb_put")
    }
    var room = MDB_val(mv_size: byteCount, mv_data: nil)
    let flags = flags.rawValue | UInt32(MDB_RESERVE)
    let code = key.withUnsafeBytes {
      var key = MDB_val($0)
      return mdb_put(raw, database.dbi, &key, &room, flags)
    }
    if code != 0 { throw environment.failure(code, "mdb_put") }
    let bytes = UnsafeMutableRawBufferPointer(start: room.mv_data, count: byteCount)
    bytes.initializeMemory(as: UInt8.self, repeating: 0)
    var span = MutableRawSpan(_unsafeBytes: bytes)
    body(&span)
  }

  /// Deletes an entry; returns false if there is no entry with the key.
  ///
  /// - Complexity: O(log *n*).
  @discardableResult
  public mutating func delete(_ key: RawSpan, in database: Database) throws(LMDBError) -> Bool {
    requireOwn(database)
    let code = key.withUnsafeBytes {
      var key = MDB_val($0)
      return mdb_del(raw, database.dbi, &key, nil)
    }
    if code == MDB_NOTFOUND || code == MDB_BAD_VALSIZE { return false }
    if code != 0 { throw environment.failure(code, "mdb_del") }
    return true
  }

  /// Deletes an entry; returns false if there is no entry with the key.
  @discardableResult
  public mutating func delete(_ key: [UInt8], in database: Database) throws(LMDBError) -> Bool {
    try delete(key.span.bytes, in: database)
  }

  @inline(__always)
  func requireOwn(_ database: Database) {
    precondition(
      database.environmentSerial == environment.serial,
      "This database belongs to another environment.")
  }

  @inline(__always)
  private func rawPut(
    _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, in database: Database,
    _ flags: PutFlags
  ) -> Int32 {
    requireOwn(database)
    if value.count > Limits.valueByteCountMax { return MDB_BAD_VALSIZE }
    var key = MDB_val(key)
    var value = MDB_val(value)
    return mdb_put(raw, database.dbi, &key, &value, flags.rawValue)
  }
}
