internal import DaybookCLMDB
import DaybookPlatform

extension Environment {
  /// Opens the environment in a folder, creating the folder and the environment if they are
  /// missing.
  ///
  /// An existing data file is checked first; see `FileJudgement`. The slots of readers whose
  /// process has died are freed.
  ///
  /// - Parameters:
  ///   - path: The folder, whose parent must exist. An environment that is already open is
  ///     recognised even under another path or through a link.
  ///   - options: The options.
  /// - Throws: ``LMDBError``; ``LMDBError/Kind/alreadyOpen`` if this process already has the
  ///   environment open, ``LMDBError/Kind/truncated`` if its file was truncated.
  public static func open(
    path: String, options: EnvironmentOptions = EnvironmentOptions()
  ) throws(LMDBError) -> Environment {
    guard options.isWithinLimits else {
      throw LMDBError(code: LMDBError.Own.invalidOptions, operation: "open", path: path)
    }
    let creates = options.createIfMissing && !options.readOnly
    if creates, mkdir(path, 0o700) != 0, errno != EEXIST {
      throw LMDBError(code: errno, operation: "mkdir", path: path)
    }
    let folder = try FileIdentity.of(path: path)
    let claim = try OpenEnvironments.claim(folder, path: path)
    let opened: (raw: OpaquePointer, identity: FileIdentity)
    do throws(LMDBError) {
      try FileJudgement.judge(path: path, missingIsEmpty: creates)
      opened = try openReserving(path: path, options: options)
    } catch {
      OpenEnvironments.release(claim)
      throw error
    }
    OpenEnvironments.noteLockFile(of: claim, path: path)
    // From here on, the environment's `deinit` closes it and releases the claim.
    let environment = Environment(
      raw: opened.raw, path: path, options: options, claim: claim, fileIdentity: opened.identity)
    try environment.clearStaleReaders()
    try environment.growth.withLock { growth throws(LMDBError) in try growth.check(environment) }
    return environment
  }

  /// Opens the environment with the largest map that fits into the address space.
  ///
  /// A process with many open environments runs out of address space long before it runs out of
  /// other resources. A smaller map has no disadvantage until it is full.
  private static func openReserving(
    path: String, options: EnvironmentOptions
  ) throws(LMDBError) -> (raw: OpaquePointer, identity: FileIdentity) {
    var options = options
    if OpenEnvironments.count > Limits.largeMapCountMax {
      options.mapByteCount = min(options.mapByteCount, Limits.mapByteCountOfMany)
    }
    while true {
      do throws(LMDBError) {
        return try openRaw(path: path, options: options)
      } catch {
        guard error.code == ENOMEM, options.mapByteCount / 2 >= Limits.mapByteCountLeast else {
          throw error
        }
        options.mapByteCount /= 2
      }
    }
  }

  private static func openRaw(
    path: String, options: EnvironmentOptions
  ) throws(LMDBError) -> (raw: OpaquePointer, identity: FileIdentity) {
    var created: OpaquePointer?
    let code = mdb_env_create(&created)
    guard code == 0, let raw = created else {
      throw LMDBError(code: code, operation: "mdb_env_create", path: path)
    }
    do throws(LMDBError) {
      func check(_ code: Int32, _ operation: String) throws(LMDBError) {
        guard code == 0 else { throw LMDBError(code: code, operation: operation, path: path) }
      }
      try check(mdb_env_set_mapsize(raw, options.mapByteCount), "mdb_env_set_mapsize")
      try check(mdb_env_set_maxdbs(raw, MDB_dbi(options.maxDatabases)), "mdb_env_set_maxdbs")
      try check(mdb_env_set_maxreaders(raw, UInt32(options.maxReaders)), "mdb_env_set_maxreaders")
      let code = mdb_env_open(raw, path, options.flags, 0o600)
      try check(LMDBError.opening(code, withSemaphores: hasNamedSemaphores), "mdb_env_open")
      try check(closeOnExec(raw), "fcntl")
      return (raw, try identity(of: raw, path: path))
    } catch {
      mdb_env_close(raw)
      throw error
    }
  }

  /// Prevents child processes from inheriting the data file.
  ///
  /// LMDB 0.9.24 sets this flag on the lock file and on its second descriptor of the data file, but
  /// not on the descriptor of the map; a test checks all three.
  private static func closeOnExec(_ raw: OpaquePointer) -> Int32 {
    var descriptor: Int32 = -1
    mdb_env_get_fd(raw, &descriptor)
    let flags = fcntl(descriptor, F_GETFD)
    guard flags >= 0, fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC) == 0 else { return errno }
    return 0
  }

  private static func identity(
    of raw: OpaquePointer, path: String
  ) throws(LMDBError) -> FileIdentity {
    var descriptor: Int32 = -1
    mdb_env_get_fd(raw, &descriptor)
    return try FileIdentity.of(descriptor: descriptor, path: path)
  }
}

extension EnvironmentOptions {
  var isWithinLimits: Bool {
    mapByteCount > 0 && (sharedLockPath == nil && !isUnchanging || readOnly)
      && (1...Limits.databaseCountMax).contains(maxDatabases)
      && (1...Limits.readerCountMax).contains(maxReaders)
  }

  var flags: UInt32 {
    var flags = MDB_NOTLS
    if !readsAhead { flags |= MDB_NORDAHEAD }
    if durability == .deferred { flags |= MDB_NOSYNC }
    if readOnly { flags |= MDB_RDONLY }
    if sharedLockPath != nil || isUnchanging { flags |= MDB_NOLOCK }
    return UInt32(flags)
  }
}
