internal import CLMDB

extension Environment {
  /// Lets a closure read one commit.
  ///
  /// - Parameter body: Gets the transaction; it cannot keep it, nor anything that was read in place.
  /// - Returns: What the closure returned.
  /// - Throws: ``LMDBError`` if no transaction could begin, or what the closure threw.
  public func read<R: ~Copyable>(_ body: (borrowing ReadTransaction) throws -> R) throws -> R {
    let transaction = try beginRead()
    return try body(transaction)
  }

  /// Lets a closure change the environment; commits when it returns, and undoes all if it throws.
  ///
  /// Waits while another thread or process writes.
  ///
  /// - Parameter body: Gets the transaction; it cannot keep it, nor anything that was read in place.
  /// - Returns: What the closure returned.
  /// - Throws: ``LMDBError`` if it could not begin or commit, or what the closure threw.
  @discardableResult
  public func write<R: ~Copyable>(_ body: (inout WriteTransaction) throws -> R) throws -> R {
    var transaction = try beginWrite()
    let result = try body(&transaction)
    try transaction.commit()
    return result
  }

  /// Begins to read one commit; ends when the transaction goes out of scope.
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

  /// Begins to write; ends by `commit`, or undone when the transaction goes out of scope.
  package func beginWrite() throws(LMDBError) -> WriteTransaction {
    let raw = try begin(0)
    gate.wrote()
    return WriteTransaction(self, raw)
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
  /// The transactions that run already cannot use it.
  ///
  /// - Throws: ``LMDBError/Kind/notFound`` if it does not exist and is not to be created.
  public func database(named name: String, create: Bool = false) throws(LMDBError) -> Database {
    if create {
      var transaction = try beginWrite()
      let database = try transaction.openDatabase(named: name, create: true)
      try transaction.commit()
      return database
    }
    return try open(name)
  }

  /// The main database; see ``WriteTransaction/openMainDatabase()``.
  public func mainDatabase() throws(LMDBError) -> Database { try open(nil) }

  private func open(_ name: String?) throws(LMDBError) -> Database {
    // Opening does not write, so it need not wait for a writer in another process.
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
