internal import CLMDB

/// One named, ordered table of an environment: keys of bytes, each with one value of bytes.
///
/// Keys are ordered as unsigned bytes, and a prefix comes before what it is a prefix of. It is a
/// small value to be copied freely; it can be used in every transaction of the environment that
/// began after it was opened, until it is dropped.
public struct Database: Sendable, Hashable {
  /// LMDB's handle.
  let dbi: MDB_dbi

  /// The opening of the environment it belongs to.
  let environmentSerial: UInt32
}

/// How many entries and pages a database has.
public struct DatabaseStatistics: Sendable, Hashable {
  /// How many entries it has.
  public let entryCount: Int
  /// How many levels its tree has.
  public let depth: Int
  /// How many pages hold only keys that lead to other pages.
  public let branchPageCount: Int
  /// How many pages hold entries.
  public let leafPageCount: Int
  /// How many pages hold values that are too long for a leaf.
  public let overflowPageCount: Int
  /// The size of a page, in bytes.
  public let pageByteCount: Int

  /// How many bytes its pages take up.
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
/// - Parameter name: its name; nil for the main one.
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
