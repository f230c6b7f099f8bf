import DaybookJournal

/// A pool of ledgers in one process of which a limited number is open at a time.
///
/// Use it in an app with one ledger per person, project or document. An open ledger uses files and
/// threads; a closed one uses nothing. All callers with the same folder share one ``Ledger``,
/// because a process can open a ledger only once.
///
/// ```swift
/// let pool = LedgerPool(limit: 16)
/// let balance = try await pool.withLedger(at: path) { ledger in
///   try ledger.read { try $0.balance(of: checking, on: today) }
/// }
/// ```
///
/// A ledger stays open while a closure uses it. After that, it stays open for some time unless it
/// must be closed to open another ledger. If closures use more ledgers at once than the limit
/// allows, all of them stay open: a caller never waits for another caller's closure to end. Use
/// observers and pagers only within a closure.
public actor LedgerPool {
  /// The maximum number of open ledgers, except while more are in use at the same time.
  public nonisolated let limit: Int
  /// The time after which an idle ledger is closed; `nil` keeps it open until the pool must make
  /// room for another ledger.
  public nonisolated let idleTime: Duration?
  let options: Ledger.Options
  /// Whether a missing ledger is created; see ``Ledger/Options``.
  package nonisolated var createsIfMissing: Bool {
    options.createsIfMissing && !options.isReadOnly
  }

  /// The ledgers that are open, being opened or being closed, by folder.
  var places: [String: Place] = [:]
  /// The number of uses so far, for finding the least recently used ledger.
  var useCount: UInt64 = 0
  var isClosed = false
  /// The task that closes ledgers after their idle time; `nil` while no ledger is idle.
  var sweeper: Task<Void, Never>?
  /// The callers that wait for a ledger to become idle.
  var waiters: [CheckedContinuation<Void, Never>] = []
  /// The first error that occurred when closing a ledger.
  var closingFault: DaybookError?

  /// The state of one folder's ledger.
  final class Place {
    /// Opens the ledger once for all callers.
    let opening: Task<Result<Ledger, DaybookError>, Never>
    /// Completes when the ledger is closed; `nil` until closing starts.
    var closing: Task<Void, Never>?
    /// The number of closures that use the ledger or are waiting for it.
    var userCount = 1
    /// The sequence number of the ledger's last use among all uses of the pool.
    var lastUse: UInt64
    /// The time since which the ledger has been idle, or `nil` while it is in use.
    var idleSince: ContinuousClock.Instant?

    init(_ opening: Task<Result<Ledger, DaybookError>, Never>, use: UInt64) {
      self.opening = opening
      lastUse = use
    }

    var isIdle: Bool { userCount == 0 && closing == nil }
  }

  /// Creates a pool without open ledgers.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of open ledgers, except while more are in use at the same time;
  ///     at least 1.
  ///   - idleTime: The time after which an idle ledger is closed; `nil` keeps it open until the
  ///     pool must make room for another ledger.
  ///   - options: The options for opening ledgers.
  public init(
    limit: Int = 16, idleTime: Duration? = .seconds(60), options: Ledger.Options = Ledger.Options()
  ) {
    self.limit = max(1, limit)
    self.idleTime = idleTime.map { max($0, .zero) }
    self.options = options
  }

  /// The number of ledgers that are open, being opened or being closed.
  public var openCount: Int { places.count }

  /// Passes the ledger in a folder to a closure, opening or creating it if necessary.
  ///
  /// The ledger stays open until the closure ends and must not be used afterward. The closure runs
  /// in the caller's isolation, not on the pool.
  ///
  /// - Throws: Any error that `body` throws; ``DaybookError``, as for ``Ledger/open(at:options:)``,
  ///   with the code `alreadyOpen` if other code in this process has opened the ledger, or with
  ///   `closed` after ``close()``.
  public nonisolated func withLedger<Value>(
    at path: String, _ body: (Ledger) async throws -> Value
  ) async throws -> Value {
    let path = StoreFolder.canonicalPath(path)
    let ledger = try await take(path)
    let value: Value
    do {
      value = try await body(ledger)
    } catch {
      await give(path)
      throw error
    }
    await give(path)
    return value
  }

  /// Closes the ledger in a folder once it is idle, so that the folder can be moved or deleted.
  ///
  /// A later call to ``withLedger(at:_:)`` opens the ledger again. Don't call this method in a
  /// closure that uses the ledger: it would deadlock.
  ///
  /// - Throws: ``DaybookError``, as for ``close()``.
  public func closeLedger(at path: String) async throws(DaybookError) {
    let path = StoreFolder.canonicalPath(path)
    while let place = places[path] { await closeOrWait(path, place) }
    try tellFault()
  }

  /// Closes each ledger once it is idle, and refuses to open any others.
  ///
  /// Don't call this method in a closure that uses a ledger: it would deadlock.
  ///
  /// - Throws: ``DaybookError``, as for ``Ledger/close()``: the first error that occurred when the
  ///   pool closed a ledger. No data is lost; the next open rebuilds the ledger's views.
  public func close() async throws(DaybookError) {
    isClosed = true
    sweeper?.cancel()
    while let (path, place) = places.first(where: { $0.value.isIdle }) ?? places.first {
      await closeOrWait(path, place)
    }
    try tellFault()
  }

  private func tellFault() throws(DaybookError) {
    guard let fault = closingFault else { return }
    closingFault = nil
    throw fault
  }
}
