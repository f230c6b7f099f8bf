internal import CLMDB

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension Environment {
  /// Makes the map at least so large, and thereby the file that it can hold.
  ///
  /// Waits until this process' transactions have ended, up to
  /// ``Limits/growthPatienceSeconds``; must not be called inside one. Other processes adopt the new
  /// size when they next begin a transaction.
  ///
  /// - Parameters:
  ///   - byteCount: The size; a map that is larger already stays as it is.
  ///   - patienceSeconds: How long to wait.
  /// - Throws: ``LMDBError/Kind/busy`` if the transactions did not end in time,
  ///   ``LMDBError/Kind/resources`` if there is not so much address space.
  public func growMap(
    to byteCount: Int, patienceSeconds: Int = Limits.growthPatienceSeconds
  ) throws(LMDBError) {
    try resizeMap(patienceSeconds) { current in byteCount > current ? byteCount : nil }
  }

  /// Lets a closure change the environment, and repeats it with a larger map when that is full.
  ///
  /// The closure may thus run several times, each time on an environment that its earlier runs have
  /// left unchanged; it must not leave traces elsewhere.
  @discardableResult
  public func writeGrowing<R: ~Copyable>(
    upTo byteCountMax: Int = EnvironmentOptions.mapByteCountDefault,
    _ body: (inout WriteTransaction) throws -> R
  ) throws -> R {
    while true {
      let mapByteCount = try info.mapByteCount
      do {
        return try write(body)
      } catch let error as LMDBError where error.kind == .mapFull {
        guard mapByteCount < byteCountMax else { throw error }
        try growMap(to: min(mapByteCount * 2, byteCountMax))
      }
    }
  }

  /// Takes over the size that another process has given the map.
  func adoptGrownMap() throws(LMDBError) {
    try resizeMap(Limits.growthPatienceSeconds) { _ in 0 }
  }

  private func resizeMap(
    _ patienceSeconds: Int, _ choose: (_ current: Int) -> Int?
  ) throws(LMDBError) {
    let operation = "mdb_env_set_mapsize"
    let code: Int32
    do {
      code = try gate.exclusively(patienceSeconds: patienceSeconds) { () -> Int32 in
        var information = MDB_envinfo()
        mdb_env_info(raw, &information)
        guard let byteCount = choose(Int(information.me_mapsize)) else { return 0 }
        guard canReserve(byteCount) else { return ENOMEM }
        let code = mdb_env_set_mapsize(raw, byteCount)
        // LMDB has given up the old map by then: without a new one, all access would crash.
        if code != 0 { gate.breakDown() }
        return code
      }
    } catch {
      throw failure(
        error == .closed ? LMDBError.Own.closed : LMDBError.Own.transactionsLive, operation)
    }
    try check(code, operation)
  }

  /// Tries whether there is so much address space, while the old map is still there.
  private func canReserve(_ byteCount: Int) -> Bool {
    guard byteCount > 0 else { return true }
    guard
      let trial = mmap(nil, byteCount, PROT_NONE, MAP_PRIVATE | MAP_ANON | MAP_NORESERVE, -1, 0),
      trial != MAP_FAILED
    else { return false }
    munmap(trial, byteCount)
    return true
  }
}
