internal import CLMDB

/// An open LMDB environment: a folder with `data.mdb` and `lock.mdb`, and all databases in it.
///
/// Any number of threads and processes may read at once, each seeing one commit; one writes at a
/// time. Readers and the writer never wait for each other.
///
/// Everything is done inside ``read(_:)`` and ``write(_:)``, whose closures are synchronous. A
/// transaction, and every span and cursor taken from it, cannot leave its closure: programs that
/// try are rejected by the compiler.
///
/// A path can be open once in a process; opening it again throws
/// ``LMDBError/Kind/alreadyOpen``. The environment closes when its last reference goes, or with
/// ``close()``.
public final class Environment: Sendable {
  /// The folder.
  public let path: String

  /// What it was opened with.
  public let options: EnvironmentOptions

  /// The identity of the data file; a copied or replaced one has another.
  public let fileIdentity: FileIdentity

  /// LMDB's environment.
  ///
  /// `nonisolated(unsafe)`: the pointer never changes, liblmdb's functions on an
  /// environment are thread-safe, and those that are not (map size, closing) go through `gate`,
  /// which also keeps everybody out once it is closed.
  nonisolated(unsafe) let raw: OpaquePointer

  /// Tells this opening from all others, so that a database of another one is noticed.
  let serial: UInt32

  let gate: Gate
  let growth = Lock(FileGrowth())
  let held = Lock(HeldCommit())
  private let claim: OpenEnvironments.Claim

  init(
    raw: OpaquePointer, path: String, options: EnvironmentOptions, claim: OpenEnvironments.Claim,
    fileIdentity: FileIdentity
  ) {
    self.raw = raw
    self.path = path
    self.options = options
    self.claim = claim
    self.fileIdentity = fileIdentity
    gate = Gate(
      sharedLock: options.sharedLockPath.map {
        SharedLock(path: $0, queuePath: options.sharedLockQueuePath)
      })
    serial = OpenEnvironments.nextSerial()
  }

  deinit {
    // Transactions hold a reference, so none lives here and the gate cannot refuse.
    try? gate.close(finish)
  }

  /// Closes the environment; closing it again does nothing.
  ///
  /// What was committed with deferred durability is not flushed: call ``flush()`` before.
  ///
  /// - Throws: ``LMDBError/Kind/busy`` while transactions of this process live; it stays open then.
  public func close() throws(LMDBError) {
    do {
      try gate.close(finish)
    } catch {
      throw failure(LMDBError.Own.transactionsLive, "close")
    }
  }

  private func finish() {
    letGo()
    for spare in gate.takeSpares() { mdb_txn_abort(spare) }
    mdb_env_close(raw)
    OpenEnvironments.release(claim)
  }

  // MARK: Errors

  @inline(never)
  func failure(_ code: Int32, _ operation: String) -> LMDBError {
    LMDBError(code: code, operation: operation, path: path)
  }

  func check(_ code: Int32, _ operation: String) throws(LMDBError) {
    guard code == 0 else { throw failure(code, operation) }
  }

  func enter(toWrite: Bool = false, _ operation: String) throws(LMDBError) {
    do { try gate.enter(toWrite: toWrite) } catch { throw refusal(error, operation) }
  }

  func refusal(_ refusal: Gate.Refusal, _ operation: String) -> LMDBError {
    switch refusal {
    case .nestedWrite: failure(LMDBError.Own.nestedWrite, operation)
    case .unlocked(let code): failure(code, "flock")
    case .closed, .impatient: failure(LMDBError.Own.closed, operation)
    }
  }

  func beginOpeningDatabase() throws(LMDBError) {
    do {
      try gate.beginOpeningDatabase()
    } catch {
      throw failure(LMDBError.Own.nestedWrite, "mdb_dbi_open")
    }
  }

  /// Runs a function of LMDB that begins a transaction of its own, or must not meet the closing.
  func inside<R>(_ operation: String, _ body: () -> R) throws(LMDBError) -> R {
    try enter(operation)
    defer { gate.leave() }
    return body()
  }
}
