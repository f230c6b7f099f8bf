internal import CLMDB

extension WriteTransaction {
  /// Opens a database, and creates it if asked to.
  ///
  /// It can be used in this transaction at once, and elsewhere after the commit. If this transaction
  /// is undone, it must not be used again: its place may go to another database.
  ///
  /// - Throws: ``LMDBError/Kind/notFound`` if it does not exist and is not to be created,
  ///   ``LMDBError/Kind/database`` if it is of a kind that is not supported.
  public mutating func openDatabase(
    named name: String, create: Bool = true
  ) throws(LMDBError) -> Database {
    try open(name, create: create)
  }

  /// Opens the main database, in which LMDB keeps the roots of the others.
  ///
  /// Its page is written at every commit in any case, so a row that changes with every commit costs
  /// nothing there. Keys must begin with a zero byte, which no name of a database does.
  public mutating func openMainDatabase() throws(LMDBError) -> Database {
    try open(nil, create: false)
  }

  private mutating func open(_ name: String?, create: Bool) throws(LMDBError) -> Database {
    if !isOpeningDatabases {
      try environment.beginOpeningDatabase()
      isOpeningDatabases = true
    }
    return try LMDB.openDatabase(name, creating: create, in: raw, of: environment)
  }

  /// Removes all entries of a database.
  ///
  /// - Complexity: O(pages).
  public mutating func clear(_ database: Database) throws(LMDBError) {
    requireOwn(database)
    try environment.check(mdb_drop(raw, database.dbi, 0), "mdb_drop")
  }

  /// Removes a database with all its entries; it must not be used any more.
  ///
  /// - Complexity: O(pages).
  public mutating func drop(_ database: Database) throws(LMDBError) {
    requireOwn(database)
    try environment.check(mdb_drop(raw, database.dbi, 1), "mdb_drop")
  }
}
