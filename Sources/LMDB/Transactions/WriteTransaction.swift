internal import CLMDB

/// The one transaction that may change the environment; it sees its own changes.
///
/// It belongs to the thread that began it, because LMDB's write lock does, and is not `Sendable`;
/// ending it on another thread traps. It ends by being committed; dropped without that, it leaves
/// no trace.
///
/// After an error other than ``LMDBError/Kind/keyExist`` and ``LMDBError/Kind/notFound`` it should
/// be dropped.
public struct WriteTransaction: ~Copyable {
  /// The environment that is written.
  public let environment: Environment

  /// `MDB_txn`; nil once it has ended.
  var raw: OpaquePointer?

  /// Whether databases were opened in it, which no other transaction may then do until it ends.
  var isOpeningDatabases = false

  /// How many pages the commit will add to the file, where whoever writes knows; see ``FileGrowth``.
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

  /// Makes the changes visible to all, and with durable durability, permanent.
  ///
  /// - Parameter flushing: Whether durable durability flushes; without, the next commit that does, or
  ///   ``Environment/flush()``, makes it permanent.
  /// - Throws: ``LMDBError``; nothing was committed then, except that after
  ///   ``LMDBError/Kind/io`` or ``LMDBError/Kind/panic`` it is unknown until the environment is
  ///   opened again.
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
    // LMDB looks at the flag when it commits; only the one writer changes it.
    if isDurable, !flushing { mdb_env_set_flags(environment.raw, UInt32(MDB_NOSYNC), 1) }
    let code = mdb_txn_commit(ending)
    if isDurable, !flushing { mdb_env_set_flags(environment.raw, UInt32(MDB_NOSYNC), 0) }
    let flushCode = code == 0 && flushes ? environment.emptyDriveCache() : 0
    environment.gate.leave(fromWrite: true, closingDatabaseOpening: isOpeningDatabases)
    try environment.check(environment.meaning(ofCommit: code), "mdb_txn_commit")
    try environment.check(flushCode, "fcntl")
  }

  /// The reading side, for functions that serve both kinds of transaction.
  ///
  /// What was read through it must be done with before the next change.
  public var view: TransactionView {
    @_lifetime(borrow self)
    @inline(__always)
    get {
      let view = TransactionView(raw, environment)
      return _overrideLifetime(view, borrowing: self)
    }
  }

  /// The number that the commit will have.
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

  /// A cursor over a database, before its first entry; it only reads.
  @_lifetime(borrow self)
  public func cursor(in database: Database) throws(LMDBError) -> Cursor {
    try view.cursor(in: database)
  }
}
