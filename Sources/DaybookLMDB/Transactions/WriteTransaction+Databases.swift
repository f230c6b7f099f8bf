internal import DaybookCLMDB

extension WriteTransaction {
  /// Opens a database, creating it by default.
  ///
  /// The database can be used in this transaction immediately, and elsewhere after the commit. If
  /// this transaction is rolled back, the `Database` value must not be used again, because another
  /// database may get its handle.
  ///
  /// - Throws: ``LMDBError/Kind/notFound`` if the database doesn't exist and `create` is `false`,
  ///   ``LMDBError/Kind/database`` if it has an unsupported key order or duplicates.
  public mutating func openDatabase(
    named name: String, create: Bool = true
  ) throws(LMDBError) -> Database {
    try open(name, create: create)
  }

  /// Opens the main database, in which LMDB stores the roots of the other databases.
  ///
  /// Every commit writes the main database's page anyway, so storing a row there that changes with
  /// every commit costs little. Keys must begin with a zero byte, with which no database's name
  /// begins.
  public mutating func openMainDatabase() throws(LMDBError) -> Database {
    try open(nil, create: false)
  }

  private mutating func open(_ name: String?, create: Bool) throws(LMDBError) -> Database {
    if !isOpeningDatabases {
      try environment.beginOpeningDatabase()
      isOpeningDatabases = true
    }
    return try DaybookLMDB.openDatabase(name, creating: create, in: raw, of: environment)
  }

  /// Deletes all entries of a database.
  ///
  /// - Complexity: O(pages).
  public mutating func clear(_ database: Database) throws(LMDBError) {
    requireOwn(database)
    try environment.check(mdb_drop(raw, database.dbi, 0), "mdb_drop")
  }

  /// Deletes a database with all its entries; the database must not be used afterward.
  ///
  /// - Complexity: O(pages).
  public mutating func drop(_ database: Database) throws(LMDBError) {
    requireOwn(database)
    try environment.check(mdb_drop(raw, database.dbi, 1), "mdb_drop")
  }
}
