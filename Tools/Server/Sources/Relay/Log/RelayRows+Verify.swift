import DaybookEntities
import DaybookSyncWire

extension RelayRows {
  /// Verifies all data stored for a ledger.
  func verify(_ ledger: EntityID) throws -> RelayVerification {
    let row: LedgerRow
    do {
      row = try self.row(of: ledger)
    } catch is RelayDamage {
      return RelayVerification(
        entryCount: 0, end: LogEnd(startOf: ledger),
        faults: ["the ledger's row is damaged, so the log was not checked"])
    }
    var check = LogCheck(
      LogCheck.Noted(
        trimmed: row.trimmed, end: row.end, floor: row.floor, byteCount: row.byteCount,
        snapshot: row.snapshot))
    try entries(of: ledger, &check)
    try numbers(of: ledger, &check)
    try snapshot(of: ledger, &check)
    try devices(of: ledger, &check)
    return check.result
  }

  /// Checks the entries, and the positions in the table of push numbers.
  private func entries(of ledger: EntityID, _ check: inout LogCheck) throws {
    let table = RowKeys.table("E", ledger)
    try scan(table, table) { key, value in
      let kept = try? EntryRow(bytes: value)
      var reader = ByteReader(key)
      _ = try reader.u8()
      _ = try reader.id()
      let place = (try? reader.u64be()) ?? 0
      guard check.entry(kept, at: place) else { return false }
      if let header = kept?.entry.header,
        (try? number(RowKeys.number(ledger, header.replica, header.number))) != place
      {
        check.found(
          "push number \(header.number) of replica \(header.replica) doesn't point to entry "
            + "\(place)")
      }
      return true
    }
    check.endOfEntries { replica in try? number(RowKeys.replica(ledger, replica)) }
  }

  private func numbers(of ledger: EntityID, _ check: inout LogCheck) throws {
    guard check.isComplete else { return }
    var count: UInt64 = 0
    try scan(RowKeys.table("N", ledger), RowKeys.table("N", ledger)) { _, _ in
      count += 1
      return true
    }
    if count != check.entryCount {
      check.found(
        "the table of push numbers has \(count) rows for \(check.entryCount) entries")
    }
  }

  private func snapshot(of ledger: EntityID, _ check: inout LogCheck) throws {
    try scan(RowKeys.table("C", ledger), RowKeys.table("C", ledger)) { key, value in
      check.chunk(value) { key == RowKeys.chunk(ledger, $0) }
      return true
    }
    check.endOfChunks(manifest: try get(RowKeys.manifest(ledger)))
  }

  /// Checks the devices, their tokens, and the replicas that they push as.
  private func devices(of ledger: EntityID, _ check: inout LogCheck) throws {
    var replicaCount = 0
    try scan(RowKeys.table("D", ledger), RowKeys.table("D", ledger)) { key, value in
      guard let device: RelayDevice = try? Self.unsealed(value, under: key, "") else {
        check.found("a device is unreadable")
        return true
      }
      replicaCount += device.replicas.count
      for replica in device.replicas
      where try get(RowKeys.holder(ledger, replica)) != device.tokenHash.bytes {
        check.found("replica \(replica) doesn't belong to the device \(device.name)")
      }
      guard let bytes = try get(RowKeys.token(device.tokenHash)), bytes.count == 16 else {
        check.found("the device \(device.name) has no token")
        return true
      }
      var reader = ByteReader(bytes)
      if try reader.id() != ledger {
        check.found("the token of the device \(device.name) belongs to another ledger")
      }
      return true
    }
    var holderCount = 0
    try scan(RowKeys.table("H", ledger), RowKeys.table("H", ledger)) { _, _ in
      holderCount += 1
      return true
    }
    if holderCount != replicaCount {
      check.found("\(holderCount) replicas are stored, but the devices have \(replicaCount)")
    }
  }
}
