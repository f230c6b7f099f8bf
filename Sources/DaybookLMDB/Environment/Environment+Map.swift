internal import DaybookCLMDB
import DaybookPlatform

extension Environment {
  /// Grows the map, and with it the maximum size of the file, to at least a given size.
  ///
  /// The call waits for this process's transactions to end, up to ``Limits/growthWaitSeconds``. It
  /// must not be made inside a transaction. Other processes adopt the new size when they next begin
  /// a transaction.
  ///
  /// - Parameters:
  ///   - byteCount: The minimum size; a map that is already larger stays unchanged.
  ///   - patienceSeconds: The maximum time to wait.
  /// - Throws: ``LMDBError/Kind/busy`` if the transactions didn't end in time,
  ///   ``LMDBError/Kind/resources`` if there isn't enough address space.
  public func growMap(
    to byteCount: Int, patienceSeconds: Int = Limits.growthWaitSeconds
  ) throws(LMDBError) {
    try resizeMap(patienceSeconds) { current in byteCount > current ? byteCount : nil }
  }

  /// Runs a write transaction; if the map is full, runs it again with a larger map.
  ///
  /// The closure may run several times. The changes of an earlier run are rolled back, so the
  /// closure must not have other side effects.
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

  /// Adopts the map size that another process has set.
  ///
  /// - Throws: ``LMDBError/Kind/corrupted`` if the file isn't as large as its meta page says it is.
  func adoptGrownMap() throws(LMDBError) {
    try FileJudgement.judge(path: path)
    try resizeMap(Limits.growthWaitSeconds) { _ in 0 }
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
        // LMDB has already unmapped the old map, so any access would crash without a new map.
        if code != 0 { gate.breakDown() }
        return code
      }
    } catch {
      throw failure(
        error == .closed ? LMDBError.Own.closed : LMDBError.Own.transactionsLive, operation)
    }
    try check(code, operation)
  }

  /// Checks that enough address space is available, before the old map is unmapped.
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
