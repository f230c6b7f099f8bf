internal import DaybookCLMDB

/// A write transaction, which sees its own changes; there is only one at a time.
///
/// It belongs to the thread that began it, like LMDB's write lock, and isn't `Sendable`; ending it
/// on another thread traps. It ends with `commit`. If it is dropped without a commit, it rolls
/// back.
///
/// Drop it after any error other than ``LMDBError/Kind/keyExist`` and ``LMDBError/Kind/notFound``.
public struct WriteTransaction: ~Copyable {
  /// The environment being written.
  public let environment: Environment

  /// `MDB_txn`; nil once the transaction has ended.
  var raw: OpaquePointer?

  /// Whether this transaction has opened databases; until it ends, no other transaction may open
  /// any.
  var isOpeningDatabases = false

  /// The number of pages that the commit will add to the file, or 0 if it is unknown; see
  /// ``FileGrowth``.
  package var expectedPageCount = 0

  init(_ environment: Environment, _ raw: OpaquePointer?) {
    self.environment = environment
    self.raw = raw
  }

  deinit {
    guard let raw else { return }
    environment.gate.requireWriter()
    mdb_txn_abort(raw)
    environment.gate.leave(fromWrite: true, closingDatabaseOpening: isOpeningDatabases)
  }

  /// Commits the changes: makes them visible and, if the environment's durability is `durable`,
  /// permanent.
  ///
  /// - Parameter flushing: Whether a durable commit is flushed. If not, the next flushed commit, or
  ///   ``Environment/flush()``, makes it permanent.
  /// - Throws: ``LMDBError``. Nothing has been committed then, with one exception: after
  ///   ``LMDBError/Kind/io`` or ``LMDBError/Kind/panic``, the outcome is unknown until the
  ///   environment is opened again.
  package consuming func commit(flushing: Bool = true) throws(LMDBError) {
    environment.gate.requireWriter()
    let ending = raw
    raw = nil
    if let refusal = environment.options.disk?.refusal, refusal != 0 {
      mdb_txn_abort(ending)
      environment.gate.leave(fromWrite: true, closingDatabaseOpening: isOpeningDatabases)
      throw LMDBError(code: refusal, operation: "mdb_txn_commit", path: environment.path)
    }
    let isDurable = environment.options.durability == .durable
    let flushes = isDurable && flushing
    if flushes { environment.options.disk?.delayFlush() }
    if !flushes {
      environment.growth.withLock { $0.prepare(environment, expecting: expectedPageCount) }
    }
    // LMDB reads this flag during a commit, and only the writer changes it.
    if isDurable, !flushing { mdb_env_set_flags(environment.raw, UInt32(MDB_NOSYNC), 1) }
    let code = mdb_txn_commit(ending)
    if isDurable, !flushing { mdb_env_set_flags(environment.raw, UInt32(MDB_NOSYNC), 0) }
    let flushCode = code == 0 && flushes ? environment.emptyDriveCache() : 0
    environment.gate.leave(fromWrite: true, closingDatabaseOpening: isOpeningDatabases)
    try environment.check(environment.meaning(ofCommit: code), "mdb_txn_commit")
    try environment.check(flushCode, "fcntl")
  }

  /// The read view, for functions that accept both kinds of transaction.
  ///
  /// Finish using anything read through it before the next change.
  public var view: TransactionView {
    @_lifetime(borrow self)
    @inline(__always)
    get {
      let view = TransactionView(raw, environment)
      return _overrideLifetime(view, borrowing: self)
    }
  }

  /// The number of the commit that this transaction will make.
  public var transactionID: Int { Int(mdb_txn_id(raw)) }

  /// Returns the bytes stored under the given key, in place; nil if there is no such key.
  ///
  /// - Complexity: O(log *n*).
  @_lifetime(borrow self)
  public func get(_ key: RawSpan, in database: Database) throws(LMDBError) -> RawSpan? {
    try view.get(key, in: database)
  }

  /// Returns whether a key exists.
  public func contains(_ key: RawSpan, in database: Database) throws(LMDBError) -> Bool {
    try view.contains(key, in: database)
  }

  /// Returns the number of entries of a database.
  public func count(of database: Database) throws(LMDBError) -> Int {
    try view.count(of: database)
  }

  /// Returns a copy of the bytes stored under the given key; nil if there is no such key.
  public func bytes(for key: [UInt8], in database: Database) throws(LMDBError) -> [UInt8]? {
    try view.bytes(for: key, in: database)
  }

  /// Creates a read-only cursor over a database, before its first entry.
  @_lifetime(borrow self)
  public func cursor(in database: Database) throws(LMDBError) -> Cursor {
    try view.cursor(in: database)
  }
}
