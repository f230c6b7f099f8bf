internal import DaybookCLMDB
import DaybookPlatform

/// The state of an environment.
public struct EnvironmentInfo: Sendable, Hashable {
  /// The number of reserved bytes of address space, which is also the maximum size of the file.
  public let mapByteCount: Int
  /// The number of the last page in use.
  public let lastPage: Int
  /// The number of the last commit.
  public let lastTransactionID: Int
  /// The number of reader slots, shared by all processes.
  public let readerCountMax: Int
  /// The maximum number of reader slots that have been in use at the same time.
  public let readerCount: Int
  /// The size of a page, in bytes.
  public let pageByteCount: Int

  /// The number of bytes of all pages, whether used or free; the file may be slightly shorter.
  public var usedByteCount: Int { (lastPage + 1) * pageByteCount }
}

extension Environment {
  /// Reads every page in use of a folder's data file and checks its structure, but not its values.
  ///
  /// The file isn't mapped, so no damage can end the process. Other processes may write to it.
  ///
  /// - Parameter path: The folder.
  /// - Returns: The first fault, or `nil` if there is none.
  /// - Throws: ``LMDBError`` if the file can't be read or has another format;
  ///   ``LMDBError/Kind/busy`` if other processes keep committing to it.
  /// - Complexity: O(pages).
  public static func examine(path: String) throws(LMDBError) -> String? {
    try FileJudgement.examine(path: path).map { "\($0)" }
  }

  /// The version string of liblmdb.
  public static var libraryVersion: String {
    String(cString: mdb_version(nil, nil, nil))
  }

  /// The current state of the environment.
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

  /// Returns the number of pages that are free for later commits.
  ///
  /// - Complexity: O(commits whose freed pages haven't been reused).
  public func freePageCount() throws(LMDBError) -> Int {
    let transaction = try beginRead()
    // LMDB stores free pages in database 0: one list per commit, which begins with its length.
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

  /// Returns the number of entries and pages of a database.
  public func statistics(of database: Database) throws(LMDBError) -> DatabaseStatistics {
    let transaction = try beginRead()
    return try transaction.view.statistics(of: database)
  }

  /// Frees the slots of readers whose process has died, and returns their number.
  ///
  /// Such a slot would prevent the reuse of freed pages. Opening an environment does this too.
  @discardableResult
  public func clearStaleReaders() throws(LMDBError) -> Int {
    var count: Int32 = 0
    let code = try inside("mdb_reader_check") { mdb_reader_check(raw, &count) }
    try check(code, "mdb_reader_check")
    return Int(count)
  }

  /// Flushes all commits; not needed if commits are durable.
  public func flush() throws(LMDBError) {
    options.disk?.delayFlush()
    let code = try inside("mdb_env_sync") { () -> Int32 in
      let code = mdb_env_sync(raw, 1)
      return code == 0 ? emptyDriveCache() : code
    }
    try check(code, "mdb_env_sync")
  }

  /// Runs a closure whose commits are flushed even if durability is deferred.
  ///
  /// Use it for a new file that isn't yet marked as unflushed.
  ///
  /// - Precondition: No other thread of this process writes to the environment during the call.
  package func durably<R: ~Copyable>(_ body: () throws -> R) throws -> R {
    guard options.durability == .deferred else { return try body() }
    let flag = UInt32(MDB_NOSYNC)
    try check(mdb_env_set_flags(raw, flag, 0), "mdb_env_set_flags")
    defer { _ = mdb_env_set_flags(raw, flag, 1) }
    let result = try body()
    try check(emptyDriveCache(), "fcntl")
    return result
  }

  /// On Apple platforms, flushes the drive's cache, which `fsync` doesn't flush.
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

  /// Copies a consistent state of the environment to a folder, and flushes the copy.
  ///
  /// - Parameter path: An empty folder, or one to create.
  public func copy(to path: String) throws(LMDBError) {
    try copy(to: path, flags: 0)
  }

  /// Copies the environment without its free pages to a folder, and flushes the copy.
  ///
  /// The pages are renumbered in key order, so the copy is as small as possible.
  ///
  /// - Parameter path: An empty folder, or one to create.
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
