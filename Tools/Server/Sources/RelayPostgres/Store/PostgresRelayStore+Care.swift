public import Entities
public import Relay
public import SyncWire

extension PostgresRelayStore {
  /// Lets go of at most `entryCountMax` entries below the floor, where a snapshot shows them.
  public func trim(_ ledger: EntityID, entryCountMax: Int) async throws -> Int {
    let found = try await run(
      "select trim_log($1, $2)", [.uuid(ledger), .int8(Int64(entryCountMax))])
    return Int(try found.first?.int8(0) ?? 0)
  }

  /// What all ledgers come to.
  public func totals() async throws -> RelayTotals {
    let found = try await run(
      """
      select count(*), coalesce(sum(head - trimmed), 0)::int8, coalesce(sum(byte_count), 0)::int8
      from ledger
      """, [])
    guard let row = found.first else { throw PostgresFault.unreadable("no row").refusal }
    return RelayTotals(
      ledgerCount: try row.bits(0), entryCount: try row.bits(1), byteCount: try row.bits(2))
  }

  /// Ledgers that have entries to let go of, at most 1,000; those that have most to let go of come in no order.
  public func trimmable() async throws -> [EntityID] {
    try await run(
      "select id from ledger where least(floor, snapshot) > trimmed limit 1000", []
    ).map { try $0.id(0) }
  }

  /// Returns where the quorum commits.
  public func checkReady() async throws {
    do {
      try await fence.check()
    } catch let fault as PostgresFault {
      throw fault.refusal
    }
  }

  /// How long fences took, how much of the pool is used, and how far standbys are behind.
  ///
  /// What other roles' sessions do is told to members of `pg_monitor` alone; else the standbys are left out.
  public func measurements() async -> String {
    let load = pool.load
    var gauges = [
      ("pool_connections", "\(load.size)"), ("pool_busy", "\(load.busy)"),
      ("pool_waiting", "\(load.waiting + pushes.waitingCount)"),
      ("ring_ledgers", "\(calls.bells.ledgers.count)"),
    ]
    let waiting = try? await run(
      "select count(*) from pg_stat_activity where wait_event = 'SyncRep'", [])
    if let count = try? waiting?.first?.int8(0) {
      gauges.append(("commits_waiting_for_standbys", "\(count)"))
    }
    var text = fence.times.text("daybook_relay_fence_seconds")
    for (name, value) in gauges {
      text += "# TYPE daybook_relay_\(name) gauge\ndaybook_relay_\(name) \(value)\n"
    }
    let standbys = try? await run(
      """
      select regexp_replace(application_name, '[^A-Za-z0-9_.-]', '_', 'g'),
        pg_wal_lsn_diff(pg_current_wal_lsn(), flush_lsn)::int8
      from pg_stat_replication where flush_lsn is not null order by 1
      """, [])
    guard let standbys, !standbys.isEmpty else { return text }
    text += "# TYPE daybook_relay_standby_lag_bytes gauge\n"
    for row in standbys {
      guard let name = try? row.text(0), let lag = try? row.int8(1) else { continue }
      text += "daybook_relay_standby_lag_bytes{standby=\"\(name)\"} \(lag)\n"
    }
    return text
  }

  /// Says that the database was restored from a backup: each log gets another incarnation, by which devices that have seen
  /// more than there is are told.
  ///
  /// A standby that takes over has all that was answered; it keeps them.
  ///
  /// - Returns: How many ledgers there are.
  public func restored() async throws -> Int {
    try await inTransaction { connection in
      try connection.run(
        "update ledger set incarnation = 1 + floor(random() * 9007199254740990)::int8 returning 1::int8"
      ).count
    }
  }

  /// Refused: a cluster is backed up by PostgreSQL's own means.
  public func backup(to path: String) async throws { throw Self.noBackup }

  /// Why there is no backup of a cluster by the relay.
  public static let noBackup = RelayRefusal(
    .unavailable,
    "A PostgreSQL cluster is backed up by pg_basebackup and its archive of WAL: see Docs/Relay.md.")
}
