internal import DaybookCLMDB

/// An open LMDB environment: a folder with `data.mdb` and `lock.mdb`, and the databases in it.
///
/// Any number of threads and processes can read at the same time, each as of one commit; only one
/// can write at a time. Readers and the writer don't block each other.
///
/// All access goes through ``read(_:)`` and ``write(_:)``, whose closures are synchronous. A
/// transaction, and every span and cursor taken from it, can't escape its closure: the compiler
/// rejects code that tries.
///
/// A process can open a path only once; opening it again throws ``LMDBError/Kind/alreadyOpen``. The
/// environment closes when its last reference is released or ``close()`` is called.
public final class Environment: Sendable {
  /// The folder of the environment.
  public let path: String

  /// The options with which the environment was opened.
  public let options: EnvironmentOptions

  /// The identity of the data file, which changes if the file is copied or replaced.
  public let fileIdentity: FileIdentity

  /// LMDB's environment.
  ///
  /// `nonisolated(unsafe)`: the pointer never changes, and liblmdb's functions on an environment
  /// are thread-safe. The exceptions (setting the map size, closing) go through `gate`, which also
  /// refuses all access once the environment is closed.
  nonisolated(unsafe) let raw: OpaquePointer

  /// A number that identifies this opening, so that databases of another opening are detected.
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
    // Every transaction holds a reference to the environment, so none is left, and the gate can't
    // refuse.
    try? gate.close(finish)
  }

  /// Closes the environment; does nothing if it is closed.
  ///
  /// Commits with deferred durability are not flushed, so call ``flush()`` first.
  ///
  /// - Throws: ``LMDBError/Kind/busy`` if this process has live transactions; the environment then
  ///   stays open.
  public func close() throws(LMDBError) {
    do {
      try gate.close(finish)
    } catch {
      throw failure(LMDBError.Own.transactionsLive, "close")
    }
  }

  /// Whether the environment is closed.
  public var isClosed: Bool { gate.isFinished }

  private func finish() {
    releaseHeldCommit()
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

  /// Runs an LMDB function that begins its own transaction or must not run while the environment is
  /// closing.
  func inside<R>(_ operation: String, _ body: () -> R) throws(LMDBError) -> R {
    try enter(operation)
    defer { gate.leave() }
    return body()
  }
}
