package import DaybookEntities
package import DaybookSyncWire
package import Relay

extension PostgresRelayStore: CopyTarget {
  /// Deletes the entries and chunks of an interrupted copy.
  package func discardCopy(of ledger: EntityID) async throws -> Bool {
    var isFound = false
    for (table, key) in [("entry", "position"), ("chunk", "digest")] {
      while true {
        let gone = try await run(
          """
          delete from \(table) where ledger = $1 and \(key) in
            (select \(key) from \(table) where ledger = $1 order by \(key) limit 1024)
            and not exists (select 1 from ledger where id = $1) returning 1::int8
          """, [.uuid(ledger)])
        if gone.isEmpty { break }
        isFound = true
      }
    }
    return isFound
  }

  /// Writes the next entries of a copy.
  package func place(_ entries: [KeptEntry], of ledger: EntityID) async throws {
    let headers = entries.map(\.row.entry.header)
    try await inTransaction { connection in
      _ = try connection.run(
        """
        insert into entry (ledger, position, replica, number, received, digest, link, body)
        select $1, * from unnest($2::int8[], $3::int8[], $4::int8[], $5::int8[], $6::bytea[], $7::bytea[], $8::bytea[])
        """,
        [
          .uuid(ledger), .int8s(entries.map { Int64(bitPattern: $0.position) }),
          .int8s(headers.map { Int64(bitPattern: $0.replica) }),
          .int8s(headers.map { Int64(bitPattern: $0.number) }),
          .int8s(entries.map(\.row.received)), .byteas(entries.map(\.row.entry.digest.bytes)),
          .byteas(entries.map(\.row.link.bytes)), .byteas(entries.map(\.row.entry.bytes)),
        ])
    }
  }

  /// Writes a chunk of a copy.
  package func place(_ chunk: SealedEntry, of ledger: EntityID) async throws {
    try await inTransaction { connection in
      _ = try connection.run(
        "insert into chunk (ledger, digest, base, body) values ($1, $2, $3, $4)",
        [.uuid(ledger), .hash(chunk.digest), .bits(chunk.header.base), .bytea(chunk.bytes)])
    }
  }

  /// Writes the rest of the log's data, after which the ledger is served.
  package func finishCopy(_ record: LogRecord, of ledger: EntityID) async throws {
    try await inTransaction { connection in
      let made = try connection.run(
        """
        insert into ledger (id, head, link, received, trimmed, trimmed_link, trimmed_received, floor, snapshot, manifest,
          byte_count, quota, incarnation)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, nullif($10, ''::bytea), $11, $12, $13)
        on conflict do nothing returning 1::int8
        """,
        [
          .uuid(ledger), .bits(record.end.position), .hash(record.end.link),
          .int8(record.end.received), .bits(record.trimmed.position), .hash(record.trimmed.link),
          .int8(record.trimmed.received), .bits(record.floor), .bits(record.snapshot),
          .bytea(record.manifest?.bytes ?? []), .bits(record.byteCount),
          .int8(Int64(clamping: record.quota)), .bits(record.incarnation),
        ])
      guard !made.isEmpty else { throw CopyFault.alreadyThere(ledger) }
      // In the meantime, another process may have copied the same ledger or deleted these rows.
      for (table, count) in [("entry", record.entryCount), ("chunk", UInt64(record.chunks.count))] {
        let found = try connection.run(
          "select count(*) from \(table) where ledger = $1", [.uuid(ledger)])
        guard try found.first?.bits(0) == count else {
          throw CopyFault.incomplete(ledger, ["the \(table) rows are not those of this copy"])
        }
      }
      try Self.put(record.devices, record.lastNumbers, of: ledger, connection)
    }
  }

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

  /// Runs a transaction with a deadline of ten minutes.
  func inTransaction<Result: Sendable>(
    _ body: @escaping @Sendable (PostgresConnection) throws -> Result
  ) async throws -> Result {
    do {
      return try await pool.run(deadline: 600) { connection in
        try connection.transaction { try body(connection) }
      }
    } catch let fault as PostgresFault {
      throw fault.refusal
    }
  }
}
