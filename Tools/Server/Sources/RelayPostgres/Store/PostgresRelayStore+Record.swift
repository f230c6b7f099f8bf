public import Entities
public import Relay
import SyncWire

extension PostgresRelayStore {
  /// What is kept of a log beside its entries and chunks, as one commit left it.
  public func record(of ledger: EntityID) async throws -> LogRecord {
    let record: LogRecord
    let reign: Int64
    do {
      (record, reign) = try await pool.run { connection in
        try connection.transaction("begin isolation level repeatable read, read only") {
          try Self.record(of: ledger, connection)
        }
      }
    } catch let fault as PostgresFault {
      throw fault.refusal
    }
    try await pass(reign)
    return record
  }

  private static func record(
    of ledger: EntityID, _ connection: PostgresConnection
  ) throws -> (LogRecord, reign: Int64) {
    let found = try connection.run(
      """
      select trimmed, trimmed_link, trimmed_received, head, link, received, floor, byte_count, quota, incarnation,
        snapshot, manifest, reign()
      from ledger where id = $1
      """, [.uuid(ledger)])
    guard let row = found.first else { throw RelayRefusal.unknown(ledger) }
    func rows(_ statement: String) throws -> [Row] {
      try connection.run(statement, [.uuid(ledger)])
    }
    let numbers = try rows("select replica, last from replica where ledger = $1 and last <> 0")
    let record = LogRecord(
      trimmed: try row.logEnd(0), end: try row.logEnd(3), floor: try row.bits(6),
      byteCount: try row.bits(7),
      quota: try row.bits(8), incarnation: try row.bits(9), snapshot: try row.bits(10),
      manifest: row.isNull(11) ? nil : try SealedEntry(bytes: try row.bytes(11)),
      chunks: try rows("select digest from chunk where ledger = $1 order by digest").map {
        try $0.hash(0)
      },
      lastNumbers: try Dictionary(numbers.map { (try $0.bits(0), try $0.bits(1)) }) { $1 },
      devices: try rows(Self.devices("d.ledger = $1")).map { try RelayDevice($0) },
      invitations: try rows(
        "select mailbox, expires, body from invitation where ledger = $1 order by mailbox"
      ).map {
        WaitingInvitation(
          mailbox: try $0.text(0), expires: try $0.int8(1),
          entry: try SealedEntry(bytes: try $0.bytes(2)))
      })
    return (record, try row.int8(12))
  }

  /// Compares a log that arrived with what the source keeps of it, and puts everything else in.
  public func complete(
    _ ledger: EntityID, as record: LogRecord, ticket: UInt64
  ) async throws {
    if let state = try await moveState(of: ledger), state.phase == .complete,
      state.ticket == ticket
    {
      return
    }
    try await moving { connection in
      let end = try Self.arriving(ledger, ticket, connection)
      let chunks = try connection.run(
        "select digest from chunk where ledger = $1", [.uuid(ledger)])
      try record.check(end: end, chunks: chunks.map { try $0.hash(0) })
      for statement in [
        "delete from device where ledger = $1", "delete from invitation where ledger = $1",
      ] {
        _ = try connection.run(statement, [.uuid(ledger)])
      }
      _ = try connection.run(
        "delete from entry where ledger = $1 and position <= $2",
        [.uuid(ledger), .bits(record.trimmed.position)])
      _ = try connection.run(
        "delete from chunk where ledger = $1 and digest <> all ($2)",
        [.uuid(ledger), .byteas(record.chunks.map(\.bytes))])
      try Self.put(record.devices, record.lastNumbers, of: ledger, connection)
      for one in record.invitations {
        _ = try connection.run(
          "insert into invitation (mailbox, ledger, expires, body) values ($1, $2, $3, $4)",
          [.text(one.mailbox), .uuid(ledger), .int8(one.expires), .bytea(one.entry.bytes)])
      }
      _ = try connection.run(
        """
        update ledger set trimmed = $2, trimmed_received = $3, trimmed_link = $4, floor = $5, byte_count = $6,
          quota = $7, incarnation = $8, snapshot = $9, manifest = nullif($10, ''::bytea), state = 'complete'
        where id = $1
        """,
        [
          .uuid(ledger), .bits(record.trimmed.position), .int8(record.trimmed.received),
          .hash(record.trimmed.link), .bits(record.floor), .bits(record.byteCount),
          .int8(Int64(clamping: record.quota)), .bits(record.incarnation), .bits(record.snapshot),
          .bytea(record.manifest?.bytes ?? []),
        ])
    }
  }

  /// Puts devices in, and what each replica pushed last.
  private static func put(
    _ devices: [RelayDevice], _ lastNumbers: [UInt64: UInt64], of ledger: EntityID,
    _ connection: PostgresConnection
  ) throws {
    for (replica, number) in lastNumbers {
      _ = try connection.run(
        "insert into replica (ledger, replica, last) values ($1, $2, $3)",
        [.uuid(ledger), .bits(replica), .bits(number)])
    }
    for device in devices {
      _ = try connection.run(
        "insert into device (token_hash, ledger, name, is_revoked) values ($1, $2, $3, $4 = 1)",
        [
          .hash(device.tokenHash), .uuid(ledger), .text(device.name),
          .int8(device.isRevoked ? 1 : 0),
        ])
      for (index, replica) in device.replicas.enumerated() {
        _ = try connection.run(
          """
          insert into replica as r (ledger, replica, token_hash, bound) values ($1, $2, $3, $4)
            on conflict (ledger, replica) do update set token_hash = excluded.token_hash, bound = excluded.bound
          """,
          [.uuid(ledger), .bits(replica), .hash(device.tokenHash), .int8(Int64(index))])
      }
    }
  }
}
