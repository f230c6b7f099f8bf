public import Entities
public import Relay
public import SyncWire

/// Logs in a PostgreSQL cluster, for many ledgers: any number of relay processes share it, and none has state.
///
/// Each change is one function of the schema and one transaction, which small pushes share. Whether a push happened is
/// unknown where its answer is missing; it is repeated then, and answered with the first positions. Reads are fenced: what
/// they tell stays.
///
/// Every function may throw `RelayRefusal`; `unavailable` stands for what the database could not answer.
public struct PostgresRelayStore: RelayStore {
  let pool: PostgresPool
  let fence: Fence
  let calls: RingCalls
  let pushes = Gathering<WaitingPush, Row?>(groupSizeMax: WaitingPush.groupSizeMax)
  /// How long pushes took.
  public let commitTimes = CommitTimes()

  /// A store in the database of a pool, whose schema is there.
  ///
  /// - Parameter direct: How to reach the database past a pooler, for what processes tell each other. Without, and behind
  ///   a pooler, each asks every two seconds.
  /// - Throws: ``PostgresFault``.
  public static func open(
    _ pool: PostgresPool, direct: String? = nil
  ) async throws -> PostgresRelayStore {
    let version = try await pool.run { try Schema.version($0) }
    guard version == Schema.current else {
      throw PostgresFault.schema(found: version, needed: Schema.current)
    }
    return PostgresRelayStore(
      pool: pool, fence: Fence(pool), calls: RingCalls(pool, direct: direct))
  }

  /// Runs a statement that writes, and says what its fault means to a device.
  ///
  /// A refusal is a reading, too: an old leader knows less than the one that leads. It is told once it is there to stay.
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

  /// What a reading has to wait for, before it is told.
  enum Fencing {
    /// That it is there to stay.
    case always
    /// Only that nothing is there: what is there is not told, or was written by this statement and so is there to stay.
    case ifEmpty
  }

  /// Runs a statement whose first column is never null, and gives its rows once they can be told.
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

  /// Returns once what was read under a server's reign is there to stay.
  func pass(_ reign: Int64) async throws {
    do {
      try await withCheckedThrowingContinuation { fence.pass(reign, $0) }
    } catch let fault as PostgresFault {
      throw fault.refusal
    }
  }

  /// Makes a log for a ledger; nothing where there is one.
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

  /// The ledgers that are kept.
  public func ledgers() async throws -> [EntityID] {
    try await told("select id from ledger order by id", []).map { try $0.id(0) }
  }

  /// How much of its quota a ledger has taken.
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

  /// Says how many bytes of entries and chunks a ledger may hold from now on; what is there stays.
  public func setQuota(_ quota: UInt64, of ledger: EntityID) async throws {
    let found = try await told(
      "update ledger set quota = $2 where id = $1 returning id",
      [.uuid(ledger), .int8(Int64(clamping: quota))], fencing: .ifEmpty)
    if found.isEmpty { throw RelayRefusal.unknown(ledger) }
  }

  /// What the log of a ledger comes to.
  public func status(of ledger: EntityID, now: Int64) async throws -> LogStatus {
    let found = try await told(
      "select head, link, received, floor, incarnation from ledger where id = $1", [.uuid(ledger)])
    guard let row = found.first else { throw RelayRefusal.unknown(ledger) }
    return LogStatus(
      ledger: ledger,
      end: try row.logEnd(0),
      floor: try row.bits(3), now: now, incarnation: try row.bits(4))
  }

  /// Waits until the log is longer than `position`, or for `seconds`; returns its head.
  public func ring(
    _ ledger: EntityID, after position: UInt64, seconds: Double
  ) async throws -> UInt64 {
    try await calls.wait(for: ledger, after: position, seconds: seconds)
  }
}

extension RelayRefusal {
  static func unknown(_ ledger: EntityID) -> RelayRefusal {
    RelayRefusal(.noLedger, "This relay does not keep the ledger \(ledger).")
  }
}
