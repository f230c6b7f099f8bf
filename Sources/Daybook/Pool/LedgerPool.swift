import Journal

/// Many ledgers in one process, of which few are open at a time.
///
/// For an app with a ledger for each person, project or document. A ledger that is open costs files and threads; one
/// that nobody has used for a while costs nothing. All who ask for the same folder share one ``Ledger``, since a
/// process can open it only once.
///
/// ```swift
/// let pool = LedgerPool(limit: 16)
/// let balance = try await pool.withLedger(at: path) { ledger in
///   try ledger.read { try $0.balance(of: checking, on: today) }
/// }
/// ```
///
/// A ledger stays open as long as a closure uses it, and some time longer, unless others need its place. Where more are
/// in use at the same time than the limit allows, all of them are open: nobody waits for another's closure to end.
/// Observers and pagers live within a closure.
public actor LedgerPool {
  /// How many ledgers are open at most, as long as no more are in use at the same time.
  public nonisolated let limit: Int
  /// How long a ledger stays open that nobody uses; `nil` for as long as there is room.
  public nonisolated let idleTime: Duration?
  let options: Ledger.Options

  /// The ledgers that are open, being opened or being closed, by their folders.
  var places: [String: Place] = [:]
  /// Counts uses, so that the least recently used can be told.
  var useCount: UInt64 = 0
  var isClosed = false
  /// Closes what has been idle for long; there is none while nothing is idle.
  var sweeper: Task<Void, Never>?
  /// Who waits until a ledger is not used any more.
  var waiters: [CheckedContinuation<Void, Never>] = []
  /// What went wrong first when a ledger was closed.
  var closingFault: DaybookError?

  /// What is known of a folder.
  final class Place {
    /// Gives everyone who asks the same ledger.
    let opening: Task<Result<Ledger, DaybookError>, Never>
    /// Once it is being closed, what ends when it is.
    var closing: Task<Void, Never>?
    /// How many closures use it, or wait for it.
    var userCount = 1
    /// Its newest use, of all uses of the pool.
    var lastUse: UInt64
    /// Since when nobody uses it.
    var idleSince: ContinuousClock.Instant?

    init(_ opening: Task<Result<Ledger, DaybookError>, Never>, use: UInt64) {
      self.opening = opening
      lastUse = use
    }

    var isIdle: Bool { userCount == 0 && closing == nil }
  }

  /// A pool without ledgers.
  ///
  /// - Parameters:
  ///   - limit: How many ledgers may be open, as long as no more are in use at the same time; at least 1.
  ///   - idleTime: After how long a ledger that nobody uses is closed; `nil` keeps it open while there is room.
  ///   - options: How ledgers are opened.
  public init(
    limit: Int = 16, idleTime: Duration? = .seconds(60), options: Ledger.Options = Ledger.Options()
  ) {
    self.limit = max(1, limit)
    self.idleTime = idleTime.map { max($0, .zero) }
    self.options = options
  }

  /// How many ledgers are open, being opened or being closed.
  public var openCount: Int { places.count }

  /// Gives the ledger in a folder to a closure; opens it first where it isn't open, and makes it where there is none.
  ///
  /// It stays open until the closure ends; don't use it afterwards. The closure runs where it is called from, not on
  /// the pool.
  ///
  /// - Throws: What `body` throws; ``DaybookError`` as ``Ledger/open(at:options:)``, with the code `alreadyOpen`
  ///   where somebody else in this process has the ledger open, and `closed` after ``close()``.
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

  /// Closes the ledger in a folder once nobody uses it, so that the folder can be moved or removed.
  ///
  /// Whoever asks for it later opens it again. Not to be called in a closure that uses the ledger: it would wait for
  /// itself.
  ///
  /// - Throws: ``DaybookError`` as ``close()``.
  public func closeLedger(at path: String) async throws(DaybookError) {
    let path = StoreFolder.canonicalPath(path)
    while let place = places[path] { await closeOrWait(path, place) }
    try tellFault()
  }

  /// Closes all ledgers, each once nobody uses it, and opens none from now on.
  ///
  /// Not to be called in a closure that uses a ledger: it would wait for itself.
  ///
  /// - Throws: ``DaybookError`` as ``Ledger/close()``: what went wrong first with any ledger that the pool closed.
  ///   Nothing is lost then, and its views are rebuilt when it is opened next.
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
