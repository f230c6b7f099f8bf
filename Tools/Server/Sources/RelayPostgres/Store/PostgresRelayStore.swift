public import DaybookEntities
public import DaybookSyncWire
public import Relay

/// Logs in a PostgreSQL cluster, shared by any number of stateless relay processes.
///
/// Each change is one function of the schema in one transaction, and small pushes share
/// transactions. If the response to a push is lost, its outcome is unknown: the device repeats the
/// push and gets the original positions. Reads are fenced: all returned data is durable.
///
/// Every function may throw `RelayRefusal`; `unavailable` means that the database couldn't answer.
public struct PostgresRelayStore: RelayStore {
  let pool: PostgresPool
  let fence: Fence
  let calls: LogNotifications
  let pushes = Batcher<WaitingPush, Row?>(groupSizeMax: WaitingPush.groupSizeMax)
  /// The durations of pushes.
  public let commitTimes = CommitTimes()

  /// Opens the store in the database of a pool, which must have the schema.
  ///
  /// - Parameter direct: A connection string that bypasses a pooler, for notifications between
  ///   processes. Without it, a process behind a pooler relies on a query every two seconds.
  /// - Throws: ``PostgresFault``.
  public static func open(
    _ pool: PostgresPool, direct: String? = nil
  ) async throws -> PostgresRelayStore {
    let version = try await pool.run { try Schema.version($0) }
    guard version == Schema.current else {
      throw PostgresFault.schema(found: version, needed: Schema.current)
    }
    return PostgresRelayStore(
      pool: pool, fence: Fence(pool), calls: LogNotifications(pool, direct: direct))
  }

  /// Runs a statement that writes, and converts an error of the database to a refusal.
  ///
  /// A refusal is based on data that was read, and an old leader may have outdated data. The
  /// refusal is therefore thrown only once the data is known to be durable.
  func run(_ statement: String, _ values: [Value]) async throws -> [Row] {
    let refused: PostgresFault
    do {
      return try await pool.run { try $0.run(statement, values) }
    } catch let fault as PostgresFault {
      refused = fault
    }
    if let reign = refused.reign { try await pass(reign) }
    throw refused.refusal
  }

  /// Determines which results of a read must be fenced before they are returned.
  enum Fencing {
    /// All results must be fenced.
    case always
    /// Only empty results must be fenced.
    ///
    /// Rows need no fence, because either they aren't sent to devices, or the statement wrote them
    /// durably.
    case ifEmpty
  }

  /// Runs a statement whose first column is never null, and returns its rows once they are fenced.
  func told(
    _ statement: String, _ values: [Value], fencing: Fencing = .always
  ) async throws -> [Row] {
    let found = try await run(
      "with q as (\(statement)) select q.*, r.reign from (select reign() as reign) r left join q on true",
      values)
    guard let first = found.first else { throw PostgresFault.unreadable("no row").refusal }
    if first.isNull(0) || fencing == .always {
      try await pass(first.int8(first.result.columnCount - 1))
    }
    return found.filter { !$0.isNull(0) }
  }

  /// Returns once all data read under a server's reign is known to be durable.
  func pass(_ reign: Int64) async throws {
    do {
      try await withCheckedThrowingContinuation { fence.pass(reign, $0) }
    } catch let fault as PostgresFault {
      throw fault.refusal
    }
  }

  /// Creates an empty log for a ledger; does nothing if the ledger already has a log.
  public func makeLedger(_ ledger: EntityID, quota: UInt64) async throws {
    _ = try await discardCopy(of: ledger)
    let start = LogEnd(startOf: ledger)
    _ = try await run(
      """
      insert into ledger (id, received, link, trimmed_received, trimmed_link, quota, incarnation)
      values ($1, $2, $3, $2, $3, $4, $5) on conflict do nothing
      """,
      [
        .uuid(ledger), .int8(start.received), .hash(start.link),
        .int8(Int64(clamping: quota)), .int8(Int64(newIncarnation())),
      ])
  }

  /// Returns the ledgers in the store.
  public func ledgers() async throws -> [EntityID] {
    try await told("select id from ledger order by id", []).map { try $0.id(0) }
  }

  /// Returns a ledger's size and its quota.
  public func usage(of ledger: EntityID) async throws -> LedgerUsage {
    let found = try await told(
      "select head, trimmed, floor, snapshot, byte_count, quota from ledger where id = $1",
      [.uuid(ledger)])
    guard let row = found.first else { throw RelayRefusal.unknown(ledger) }
    let head = try row.bits(0)
    return LedgerUsage(
      entryCount: head - (try row.bits(1)), head: head, floor: try row.bits(2),
      snapshot: try row.bits(3), byteCount: try row.bits(4), quota: try row.bits(5))
  }

  /// Sets the maximum size of a ledger's entries and chunks, in bytes; existing data is kept.
  public func setQuota(_ quota: UInt64, of ledger: EntityID) async throws {
    let found = try await told(
      "update ledger set quota = $2 where id = $1 returning id",
      [.uuid(ledger), .int8(Int64(clamping: quota))], fencing: .ifEmpty)
    if found.isEmpty { throw RelayRefusal.unknown(ledger) }
  }

  /// Returns the status of a ledger's log.
  public func status(of ledger: EntityID, now: Int64) async throws -> LogStatus {
    let found = try await told(
      "select head, link, received, floor, incarnation from ledger where id = $1", [.uuid(ledger)])
    guard let row = found.first else { throw RelayRefusal.unknown(ledger) }
    return LogStatus(
      ledger: ledger,
      end: try row.logEnd(0),
      floor: try row.bits(3), now: now, incarnation: try row.bits(4))
  }

  /// Waits at most `seconds` until the log's head is beyond `position`, and returns the head.
  public func waitForEntries(
    _ ledger: EntityID, after position: UInt64, seconds: Double
  ) async throws -> UInt64 {
    try await calls.wait(for: ledger, after: position, seconds: seconds)
  }
}

extension RelayRefusal {
  static func unknown(_ ledger: EntityID) -> RelayRefusal {
    RelayRefusal(.noLedger, "This relay doesn't have the ledger \(ledger).")
  }
}
