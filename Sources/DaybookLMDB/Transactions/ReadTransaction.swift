internal import DaybookCLMDB

/// A read transaction on one commit, which doesn't see later commits.
///
/// The transaction and writers don't block each other. While it is alive, freed pages can't be
/// reused, so keep it short.
///
/// It can be used on any thread, but only on one at a time, so it isn't `Sendable`. It ends when it
/// goes out of scope.
public struct ReadTransaction: ~Copyable {
  /// The environment being read.
  public let environment: Environment

  let raw: OpaquePointer

  /// Whether this transaction reads the state of a write transaction, which ends separately.
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

  /// The read view, for functions that accept both kinds of transaction.
  public var view: TransactionView {
    @_lifetime(borrow self)
    @inline(__always)
    get {
      let view = TransactionView(raw, environment)
      return _overrideLifetime(view, borrowing: self)
    }
  }

  /// The number of the commit being read, which equals the number of the write transaction that
  /// made the commit.
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

  /// Creates a cursor over a database, before its first entry.
  @_lifetime(borrow self)
  public func cursor(in database: Database) throws(LMDBError) -> Cursor {
    try view.cursor(in: database)
  }
}
