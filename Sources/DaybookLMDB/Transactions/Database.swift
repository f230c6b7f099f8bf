internal import DaybookCLMDB

/// A named, ordered table of an environment, whose keys and values are bytes.
///
/// Keys are ordered as unsigned bytes; a prefix precedes longer keys. `Database` is a small value
/// that can be copied freely. Until the database is dropped, the value can be used in every
/// transaction of the environment that begins after the database was opened.
public struct Database: Sendable, Hashable {
  /// LMDB's handle.
  let dbi: MDB_dbi

  /// The serial number of the environment opening to which the database belongs.
  let environmentSerial: UInt32
}

/// The numbers of entries and pages of a database.
public struct DatabaseStatistics: Sendable, Hashable {
  /// The number of entries.
  public let entryCount: Int
  /// The number of levels of the tree.
  public let depth: Int
  /// The number of pages that contain only keys and references to other pages.
  public let branchPageCount: Int
  /// The number of pages that contain entries.
  public let leafPageCount: Int
  /// The number of pages that contain values too long for a leaf.
  public let overflowPageCount: Int
  /// The size of a page, in bytes.
  public let pageByteCount: Int

  /// The number of bytes in all pages.
  public var byteCount: Int {
    (branchPageCount + leafPageCount + overflowPageCount) * pageByteCount
  }

  init(_ raw: MDB_stat) {
    entryCount = Int(raw.ms_entries)
    depth = Int(raw.ms_depth)
    branchPageCount = Int(raw.ms_branch_pages)
    leafPageCount = Int(raw.ms_leaf_pages)
    overflowPageCount = Int(raw.ms_overflow_pages)
    pageByteCount = Int(raw.ms_psize)
  }
}

/// Opens a database inside a transaction.
///
/// - Parameter name: The name; nil for the main database.
func openDatabase(
  _ name: String?, creating: Bool, in transaction: OpaquePointer?, of environment: Environment
) throws(LMDBError) -> Database {
  if let name {
    guard (1...Limits.keyByteCountMax).contains(name.utf8.count), !name.utf8.contains(0) else {
      throw environment.failure(LMDBError.Own.invalidName, "mdb_dbi_open")
    }
  }
  var dbi: MDB_dbi = 0
  let flag = creating && name != nil ? UInt32(MDB_CREATE) : 0
  let code =
    if let name { mdb_dbi_open(transaction, name, flag, &dbi) } else {
      mdb_dbi_open(transaction, nil, flag, &dbi)
    }
  try environment.check(code, "mdb_dbi_open")
  var flags: UInt32 = 0
  try environment.check(mdb_dbi_flags(transaction, dbi, &flags), "mdb_dbi_flags")
  guard flags == 0 else {
    throw environment.failure(LMDBError.Own.unsupportedDatabase, "mdb_dbi_open")
  }
  if name != nil {
    try environment.check(
      mdb_set_compare(transaction, dbi, daybook_compare_keys), "mdb_set_compare")
  }
  return Database(dbi: dbi, environmentSerial: environment.serial)
}
