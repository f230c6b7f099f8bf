internal import DaybookCLMDB

extension Environment {
  /// Runs a closure with a read transaction on the newest commit.
  ///
  /// - Parameter body: Receives the transaction; neither the transaction nor anything read in place
  ///   can escape.
  /// - Returns: The closure's result.
  /// - Throws: ``LMDBError`` if the transaction couldn't begin, or the errors of the closure.
  public func read<R: ~Copyable>(_ body: (borrowing ReadTransaction) throws -> R) throws -> R {
    let transaction = try beginRead()
    return try body(transaction)
  }

  /// Runs a closure with a write transaction.
  ///
  /// The transaction commits when the closure returns, and rolls back if it throws. The call waits
  /// while another thread or process writes.
  ///
  /// - Parameter body: Receives the transaction; neither the transaction nor anything read in place
  ///   can escape.
  /// - Returns: The closure's result.
  /// - Throws: ``LMDBError`` if the transaction couldn't begin or commit, or the errors of the
  ///   closure.
  @discardableResult
  public func write<R: ~Copyable>(_ body: (inout WriteTransaction) throws -> R) throws -> R {
    var transaction = try beginWrite()
    let result = try body(&transaction)
    try transaction.commit()
    return result
  }

  /// Begins a read transaction, which ends when it goes out of scope.
  package func beginRead() throws(LMDBError) -> ReadTransaction {
    let spare: OpaquePointer?
    do { spare = try gate.enterToRead() } catch { throw refusal(error, "mdb_txn_renew") }
    if let spare {
      if mdb_txn_renew(spare) == 0 { return ReadTransaction(self, spare) }
      mdb_txn_abort(spare)
    }
    gate.leave()
    return ReadTransaction(self, try begin(UInt32(MDB_RDONLY)))
  }

  /// Begins a write transaction, which ends with `commit`.
  ///
  /// If it goes out of scope without a commit, it rolls back.
  package func beginWrite() throws(LMDBError) -> WriteTransaction {
    let raw = try begin(0)
    gate.wrote()
    let transaction = WriteTransaction(self, raw)
    try growth.withLock { growth throws(LMDBError) in try growth.check(self) }
    return transaction
  }

  private func begin(_ flags: UInt32) throws(LMDBError) -> OpaquePointer {
    var hasClearedReaders = false
    for _ in 0..<Limits.mapAdoptionCountMax {
      try enter(toWrite: flags == 0, "mdb_txn_begin")
      var raw: OpaquePointer?
      let code = mdb_txn_begin(self.raw, nil, flags, &raw)
      if code == 0, let raw { return raw }
      gate.leave()
      switch code {
      case MDB_MAP_RESIZED:
        try adoptGrownMap()
      case MDB_READERS_FULL where !hasClearedReaders:
        hasClearedReaders = true
        guard try clearStaleReaders() > 0 else { throw failure(code, "mdb_txn_begin") }
      default:
        throw failure(code, "mdb_txn_begin")
      }
    }
    throw failure(MDB_MAP_RESIZED, "mdb_txn_begin")
  }

  /// Opens a database in a transaction of its own.
  ///
  /// Transactions that are already in progress can't use the database.
  ///
  /// - Throws: ``LMDBError/Kind/notFound`` if the database doesn't exist and `create` is `false`.
  public func database(named name: String, create: Bool = false) throws(LMDBError) -> Database {
    if create {
      var transaction = try beginWrite()
      let database = try transaction.openDatabase(named: name, create: true)
      try transaction.commit()
      return database
    }
    return try open(name)
  }

  /// Opens the main database; see ``WriteTransaction/openMainDatabase()``.
  public func mainDatabase() throws(LMDBError) -> Database { try open(nil) }

  private func open(_ name: String?) throws(LMDBError) -> Database {
    // Opening a database doesn't require a write transaction, so the call doesn't wait for writers
    // in other processes.
    let raw = try begin(UInt32(MDB_RDONLY))
    do throws(LMDBError) {
      try beginOpeningDatabase()
    } catch {
      mdb_txn_abort(raw)
      gate.leave()
      throw error
    }
    defer { gate.leave(closingDatabaseOpening: true) }
    do throws(LMDBError) {
      let database = try openDatabase(name, creating: false, in: raw, of: self)
      try check(mdb_txn_commit(raw), "mdb_txn_commit")
      return database
    } catch {
      if error.operation != "mdb_txn_commit" { mdb_txn_abort(raw) }
      throw error
    }
  }
}
