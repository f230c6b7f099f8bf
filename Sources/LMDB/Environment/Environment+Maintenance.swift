internal import CLMDB

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What an environment is like at the moment.
public struct EnvironmentInfo: Sendable, Hashable {
  /// How many bytes of address space are reserved: the largest size of the file.
  public let mapByteCount: Int
  /// The number of the last page in use.
  public let lastPage: Int
  /// The number of the last commit.
  public let lastTransactionID: Int
  /// How many reader slots there are, over all processes.
  public let readerCountMax: Int
  /// How many reader slots have been in use at the same time.
  public let readerCount: Int
  /// The size of a page, in bytes.
  public let pageByteCount: Int

  /// How many bytes the pages take up, used and free ones; the file may be a little shorter.
  public var usedByteCount: Int { (lastPage + 1) * pageByteCount }
}

extension Environment {
  /// The version of liblmdb, as it names itself.
  public static var libraryVersion: String {
    String(cString: mdb_version(nil, nil, nil))
  }

  /// What the environment is like at the moment.
  public var info: EnvironmentInfo {
    get throws(LMDBError) {
      var information = MDB_envinfo()
      var statistics = MDB_stat()
      let code = try inside("mdb_env_info") {
        mdb_env_stat(raw, &statistics)
        return mdb_env_info(raw, &information)
      }
      try check(code, "mdb_env_info")
      return EnvironmentInfo(
        mapByteCount: Int(information.me_mapsize), lastPage: Int(information.me_last_pgno),
        lastTransactionID: Int(information.me_last_txnid),
        readerCountMax: Int(information.me_maxreaders), readerCount: Int(information.me_numreaders),
        pageByteCount: Int(statistics.ms_psize))
    }
  }

  /// How many pages of the file are free, to be used by later commits.
  ///
  /// - Complexity: O(commits that have freed pages which are not used again).
  public func freePageCount() throws(LMDBError) -> Int {
    let transaction = try beginRead()
    // LMDB keeps them in its database 0: for each commit a list, its length in front.
    var cursor: OpaquePointer?
    try check(mdb_cursor_open(transaction.raw, 0, &cursor), "mdb_cursor_open")
    defer { mdb_cursor_close(cursor) }
    var count = 0
    var key = MDB_val()
    var value = MDB_val()
    while true {
      let code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)
      if code == MDB_NOTFOUND { return count }
      try check(code, "mdb_cursor_get")
      guard value.mv_size >= MemoryLayout<Int>.size, let list = value.mv_data else { continue }
      count += list.loadUnaligned(as: Int.self)
    }
  }

  /// How many entries and pages a database has.
  public func statistics(of database: Database) throws(LMDBError) -> DatabaseStatistics {
    let transaction = try beginRead()
    return try transaction.view.statistics(of: database)
  }

  /// Gives back the slots of readers whose process has died; returns how many.
  ///
  /// Such a slot would keep freed pages from being used again. Done on opening, too.
  @discardableResult
  public func clearStaleReaders() throws(LMDBError) -> Int {
    var count: Int32 = 0
    let code = try inside("mdb_reader_check") { mdb_reader_check(raw, &count) }
    try check(code, "mdb_reader_check")
    return Int(count)
  }

  /// Makes everything that was committed permanent; with durable durability it is already.
  public func flush() throws(LMDBError) {
    options.disk?.delayFlush()
    let code = try inside("mdb_env_sync") { () -> Int32 in
      let code = mdb_env_sync(raw, 1)
      return code == 0 ? emptyDriveCache() : code
    }
    try check(code, "mdb_env_sync")
  }

  /// Does something whose commits are flushed, also with deferred durability: for a file that nobody knows
  /// yet to be unflushed.
  ///
  /// - Precondition: nobody else of this process writes to the environment meanwhile.
  package func durably<R: ~Copyable>(_ body: () throws -> R) throws -> R {
    guard options.durability == .deferred else { return try body() }
    let flag = UInt32(MDB_NOSYNC)
    try check(mdb_env_set_flags(raw, flag, 0), "mdb_env_set_flags")
    defer { _ = mdb_env_set_flags(raw, flag, 1) }
    let result = try body()
    try check(emptyDriveCache(), "fcntl")
    return result
  }

  /// On Apple platforms, has the drive write out its cache; `fsync` alone does not there.
  func emptyDriveCache() -> Int32 {
    #if canImport(Darwin)
      guard options.fullFlush else { return 0 }
      var descriptor: Int32 = -1
      mdb_env_get_fd(raw, &descriptor)
      return fcntl(descriptor, F_FULLFSYNC) == 0 ? 0 : errno
    #else
      return 0
    #endif
  }

  /// Writes a consistent copy of the environment as of now into a folder, and flushes it.
  ///
  /// - Parameter path: An empty folder, or one to be made.
  public func copy(to path: String) throws(LMDBError) {
    try copy(to: path, flags: 0)
  }

  /// Writes a consistent copy without free pages into a folder, and flushes it.
  ///
  /// The pages are renumbered in the order of the keys, so that it is as small as it can be.
  ///
  /// - Parameter path: An empty folder, or one to be made.
  public func copyCompacted(to path: String) throws(LMDBError) {
    try copy(to: path, flags: UInt32(MDB_CP_COMPACT))
  }

  private func copy(to path: String, flags: UInt32) throws(LMDBError) {
    if let refusal = options.disk?.refusal, refusal != 0 {
      throw LMDBError(code: refusal, operation: "mdb_env_copy2", path: path)
    }
    if mkdir(path, 0o700) != 0, errno != EEXIST {
      throw LMDBError(code: errno, operation: "mkdir", path: path)
    }
    let code = try inside("mdb_env_copy2") { mdb_env_copy2(raw, path, flags) }
    guard code == 0 else { throw LMDBError(code: code, operation: "mdb_env_copy2", path: path) }
    for made in [path + "/data.mdb", path] {
      try OpenFile(path: made).flush()
    }
  }
}
