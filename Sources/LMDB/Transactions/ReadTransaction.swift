internal import CLMDB

/// One commit, to read from: what is written meanwhile is not seen.
///
/// It never waits for a writer, nor a writer for it; but while it lives, pages that are freed
/// cannot be used again, so it should not live for long.
///
/// It may be used on any thread, but by one at a time: it is not `Sendable`. It ends when it goes out of scope.
public struct ReadTransaction: ~Copyable {
  /// The environment that is read.
  public let environment: Environment

  let raw: OpaquePointer

  /// Whether it is the reading side of a write transaction, which ends by itself.
  private let isLent: Bool

  init(_ environment: Environment, _ raw: OpaquePointer, isLent: Bool = false) {
    self.environment = environment
    self.raw = raw
    self.isLent = isLent
  }

  deinit {
    if isLent { return }
    mdb_txn_reset(raw)
    if !environment.gate.leave(keeping: raw) {
      mdb_txn_abort(raw)
      environment.gate.leave()
    }
  }

  /// The reading side, for functions that serve both kinds of transaction.
  public var view: TransactionView {
    @_lifetime(borrow self)
    @inline(__always)
    get {
      let view = TransactionView(raw, environment)
      return _overrideLifetime(view, borrowing: self)
    }
  }

  /// The number of the commit that is read: that of the write transaction that made it.
  public var transactionID: Int { Int(mdb_txn_id(raw)) }

  /// The bytes stored under a key, in place; nil if there is no such key.
  ///
  /// - Complexity: O(log *n*).
  @_lifetime(borrow self)
  public func get(_ key: RawSpan, in database: Database) throws(LMDBError) -> RawSpan? {
    try view.get(key, in: database)
  }

  /// Whether there is such a key.
  public func contains(_ key: RawSpan, in database: Database) throws(LMDBError) -> Bool {
    try view.contains(key, in: database)
  }

  /// How many entries a database has.
  public func count(of database: Database) throws(LMDBError) -> Int {
    try view.count(of: database)
  }

  /// A copy of the bytes stored under a key; nil if there is no such key.
  public func bytes(for key: [UInt8], in database: Database) throws(LMDBError) -> [UInt8]? {
    try view.bytes(for: key, in: database)
  }

  /// A cursor over a database, before its first entry.
  @_lifetime(borrow self)
  public func cursor(in database: Database) throws(LMDBError) -> Cursor {
    try view.cursor(in: database)
  }
}
