public import DaybookEntities
public import DaybookSyncWire
public import Relay

extension PostgresRelayStore {
  /// Deletes at most `entryCountMax` entries that are below the floor and covered by a snapshot.
  public func trim(_ ledger: EntityID, entryCountMax: Int) async throws -> Int {
    let found = try await run(
      "select trim_log($1, $2)", [.uuid(ledger), .int8(Int64(entryCountMax))])
    return Int(try found.first?.int8(0) ?? 0)
  }

  /// Returns totals over all ledgers.
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

  /// Returns at most 1,000 ledgers with entries to delete, in no particular order.
  public func trimmable() async throws -> [EntityID] {
    try await run(
      "select id from ledger where least(floor, snapshot) > trimmed limit 1000", []
    ).map { try $0.id(0) }
  }

  /// Checks that the quorum can commit; throws if it can't.
  public func checkReady() async throws {
    do {
      try await fence.check()
    } catch let fault as PostgresFault {
      throw fault.refusal
    }
  }

  /// Returns the durations of fences, the pool's load, and the replication lag of the standbys.
  ///
  /// PostgreSQL shows the sessions of other roles only to members of `pg_monitor`. If the relay's
  /// role isn't a member, the standbys are left out.
  public func measurements() async -> String {
    let load = pool.load
    var gauges = [
      ("pool_connections", "\(load.size)"), ("pool_busy", "\(load.busy)"),
      ("pool_waiting", "\(load.waiting + pushes.waitingCount)"),
      ("ring_ledgers", "\(calls.polls.ledgers.count)"),
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

  /// Gives every log a new incarnation after the database was restored from a backup.
  ///
  /// The new incarnation tells devices that the backup may lack entries that they have seen. It
  /// isn't needed after a failover: the new leader has all acknowledged entries, and the
  /// incarnations stay the same.
  ///
  /// - Returns: The number of ledgers.
  public func restored() async throws -> Int {
    try await inTransaction { connection in
      try connection.run(
        "update ledger set incarnation = 1 + floor(random() * 9007199254740990)::int8 returning 1::int8"
      ).count
    }
  }

  /// Always throws ``noBackup``, because a cluster is backed up with PostgreSQL's own tools.
  public func backup(to path: String) async throws { throw Self.noBackup }

  /// The refusal that is thrown when a backup of a cluster is requested.
  public static let noBackup = RelayRefusal(
    .unavailable,
    "Couldn't back up a PostgreSQL cluster. Use pg_basebackup and a WAL archive; see Docs/Relay.md."
  )
}
