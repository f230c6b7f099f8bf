public import DaybookEntities
import DaybookSyncWire
public import Relay

extension PostgresRelayStore {
  /// The maximum duration of verifying a log, in seconds.
  private static let verifySeconds = 3_600.0

  /// Verifies a log as of one commit and recomputes its chain; pushes continue in the meantime.
  public func verify(_ ledger: EntityID) async throws -> RelayVerification {
    do {
      return try await pool.run(deadline: Self.verifySeconds) { connection in
        try connection.transaction("begin isolation level repeatable read, read only") {
          try Self.verify(ledger, connection)
        }
      }
    } catch let fault as PostgresFault {
      throw fault.refusal
    }
  }

  private static func verify(
    _ ledger: EntityID, _ connection: PostgresConnection
  ) throws -> RelayVerification {
    let found = try connection.run(
      """
      select trimmed, trimmed_link, trimmed_received, head, link, received, floor, byte_count, snapshot, manifest
      from ledger where id = $1
      """, [.uuid(ledger)])
    guard let row = found.first else { throw RelayRefusal.unknown(ledger) }
    var check = LogCheck(
      LogCheck.Noted(
        trimmed: try row.logEnd(0), end: try row.logEnd(3), floor: try row.bits(6),
        byteCount: try row.bits(7), snapshot: try row.bits(8)))
    try entries(of: ledger, connection, &check)
    let last = try connection.run(
      "select replica, last from replica where ledger = $1", [.uuid(ledger)])
    let numbers = try Dictionary(last.map { (try $0.bits(0), try $0.bits(1)) }) { $1 }
    check.endOfEntries { numbers[$0] }
    try chunks(of: ledger, connection, &check)
    check.endOfChunks(manifest: row.isNull(9) ? nil : try row.bytes(9))
    return check.result
  }

  /// Checks the entries, 64 at a time.
  private static func entries(
    of ledger: EntityID, _ connection: PostgresConnection, _ check: inout LogCheck
  ) throws {
    var last = UInt64(0)
    while true {
      let page = try connection.run(
        """
        select position, replica, number, received, digest, link, body from entry
        where ledger = $1 and position > $2 order by position limit 64
        """, [.uuid(ledger), .bits(last)])
      for row in page {
        last = try row.bits(0)
        let entry = try? SealedEntry(bytes: try row.bytes(6))
        let link = try row.hash(5)
        let received = try row.int8(3)
        let kept = entry.map { EntryRow(received: received, link: link, entry: $0) }
        guard check.entry(kept, at: last) else { return }
        if let entry,
          try row.bits(1) != entry.header.replica || row.bits(2) != entry.header.number
            || row.hash(4) != entry.digest
        {
          check.found("the columns of entry \(last) don't match its contents")
        }
      }
      if page.count < 64 { return }
    }
  }

  private static func chunks(
    of ledger: EntityID, _ connection: PostgresConnection, _ check: inout LogCheck
  ) throws {
    var last: [UInt8] = []
    while true {
      let page = try connection.run(
        "select digest, body from chunk where ledger = $1 and digest > $2 order by digest limit 4",
        [.uuid(ledger), .bytea(last)])
      for row in page {
        last = try row.bytes(0)
        check.chunk(try row.bytes(1)) { $0.bytes == last }
      }
      if page.count < 4 { return }
    }
  }
}
