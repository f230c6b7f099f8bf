import Entities
import Foundation
import SyncWire

/// What a log becomes that is moved to these rows, or away from them.
extension RelayRows {
  func moveState(of ledger: EntityID) throws -> MoveState? {
    guard try get(RowKeys.ledger(ledger)) != nil else { return nil }
    return try row(of: ledger).move ?? MoveState()
  }

  mutating func take(_ step: MoveStep, of move: UInt64, of ledger: EntityID) throws {
    var row = try row(of: ledger)
    row.move = try (row.move ?? MoveState()).after(step, of: move)
    try put(row, of: ledger)
  }

  func record(of ledger: EntityID) throws -> LogRecord {
    let row = try row(of: ledger)
    var record = LogRecord(
      trimmed: row.trimmed, end: row.end, floor: row.floor, byteCount: row.byteCount,
      quota: row.quota, incarnation: row.incarnation, snapshot: row.snapshot,
      manifest: try get(RowKeys.manifest(ledger)).map { try SealedEntry(bytes: $0) }, chunks: [],
      lastNumbers: [:], devices: try devices(of: ledger), invitations: [])
    for key in try keys("C", of: ledger) {
      record.chunks.append(Hash256(Array(key.suffix(Hash256.byteCount))) ?? .zero)
    }
    for key in try keys("R", of: ledger) {
      var reader = ByteReader(Array(key.suffix(8)))
      record.lastNumbers[try reader.u64be()] = try number(key)
    }
    for waiting in try invitations(of: ledger) {
      guard let found = try invitation(waiting.mailbox) else { continue }
      record.invitations.append(
        WaitingInvitation(mailbox: waiting.mailbox, expires: found.expires, entry: found.entry))
    }
    return record
  }

  mutating func prepare(
    _ ledger: EntityID, move: UInt64, from trimmed: LogEnd
  ) throws -> UInt64 {
    let state = try moveState(of: ledger)
    if let state, state.number == move, state.phase == .arriving { return state.ticket }
    if let state {
      guard state.phase == .moved, state.number <= move else { throw MoveFault.overtaken(state) }
    }
    for table in Self.erased where try !keys(table, of: ledger, countMax: 1).isEmpty {
      throw MoveFault.incomplete("rows of an earlier log of this ledger are there")
    }
    let ticket = UInt64.random(in: 1...(1 << 53) - 1)
    var row = LedgerRow(
      end: trimmed, trimmed: trimmed, quota: 0, incarnation: newIncarnation())
    row.move = MoveState(
      phase: .arriving, number: move, ticket: ticket, address: state?.address ?? "")
    try put(row, of: ledger)
    return ticket
  }

  mutating func place(_ entries: [PlacedEntry], of ledger: EntityID, ticket: UInt64) throws {
    var row = try arrivingRow(of: ledger, ticket)
    for placed in entries where placed.position > row.end.position {
      guard placed.position == row.end.position + 1 else {
        throw MoveFault.incomplete("entry \(row.end.position + 1) was left out")
      }
      let header = placed.entry.header
      row.end = row.end.appending(
        replica: header.replica, number: header.number, received: placed.received,
        digest: placed.entry.digest)
      row.byteCount += UInt64(placed.entry.bytes.count)
      put(
        RowKeys.entry(ledger, placed.position),
        EntryRow(received: placed.received, link: row.end.link, entry: placed.entry).bytes)
      putNumber(placed.position, RowKeys.number(ledger, header.replica, header.number))
    }
    try put(row, of: ledger)
  }

  mutating func place(_ chunk: SealedEntry, of ledger: EntityID, ticket: UInt64) throws {
    _ = try arrivingRow(of: ledger, ticket)
    put(RowKeys.chunk(ledger, chunk.digest), chunk.bytes)
  }

  mutating func complete(_ ledger: EntityID, as record: LogRecord, ticket: UInt64) throws {
    if let state = try moveState(of: ledger), state.phase == .complete, state.ticket == ticket {
      return
    }
    var row = try arrivingRow(of: ledger, ticket)
    let chunks = try keys("C", of: ledger)
    try record.check(end: row.end, chunks: chunks.compactMap { Hash256(Array($0.suffix(32))) })
    while row.trimmed.position < record.trimmed.position { try letGoOfFirst(&row, of: ledger) }
    for key in chunks
    where !record.chunks.contains(where: { key == RowKeys.chunk(ledger, $0) }) {
      delete(key)
    }
    for device in try devices(of: ledger) {
      delete(RowKeys.device(ledger, device.tokenHash))
      delete(RowKeys.token(device.tokenHash))
    }
    for key in try keys("H", of: ledger) { delete(key) }
    for device in record.devices {
      try put(device)
      putID(ledger, RowKeys.token(device.tokenHash))
      for replica in device.replicas {
        put(RowKeys.holder(ledger, replica), device.tokenHash.bytes)
      }
    }
    for (replica, number) in record.lastNumbers {
      putNumber(number, RowKeys.replica(ledger, replica))
    }
    for one in record.invitations {
      put(
        InvitationRow(expires: one.expires, ledger: ledger, entry: one.entry), mailbox: one.mailbox)
    }
    if let manifest = record.manifest { put(RowKeys.manifest(ledger), manifest.bytes) }
    var move = row.move
    move?.phase = .complete
    try put(
      LedgerRow(
        end: record.end, floor: record.floor, trimmed: record.trimmed, byteCount: record.byteCount,
        quota: record.quota, incarnation: record.incarnation, snapshot: record.snapshot, move: move),
      of: ledger)
  }

  mutating func erase(_ ledger: EntityID, rowCountMax: Int) throws -> Int {
    var row = try row(of: ledger)
    guard row.move?.phase == .moved else { throw MoveFault.stillHere }
    var gone: [[UInt8]] = []
    for table in Self.erased where gone.count < rowCountMax {
      gone += try keys(table, of: ledger, countMax: rowCountMax - gone.count)
    }
    if gone.isEmpty { return 0 }
    for key in gone {
      delete(key)
      // Beside when an invitation is over, the invitation.
      if key.first == UInt8(ascii: "J") {
        delete(RowKeys.invitation(String(decoding: key.suffix(32), as: UTF8.self)))
      }
    }
    (row.trimmed, row.floor, row.snapshot, row.byteCount) = (row.end, 0, 0, 0)
    try put(row, of: ledger)
    return gone.count
  }

  /// The tables of what is gone with a log; its devices stay.
  private static let erased: [Character] = ["E", "N", "R", "C", "M", "J"]

  private func arrivingRow(of ledger: EntityID, _ ticket: UInt64) throws -> LedgerRow {
    let row = try row(of: ledger)
    let state = row.move ?? MoveState()
    guard state.phase == .arriving, state.ticket == ticket else {
      throw MoveFault.overtaken(state)
    }
    return row
  }

  /// The keys of a ledger's rows in a table, in order.
  private func keys(
    _ table: Character, of ledger: EntityID, countMax: Int = .max
  ) throws -> [[UInt8]] {
    var found: [[UInt8]] = []
    let prefix = RowKeys.table(table, ledger)
    try scan(prefix, prefix) { key, _ in
      found.append(key)
      return found.count < countMax
    }
    return found
  }
}
