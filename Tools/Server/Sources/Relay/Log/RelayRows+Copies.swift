import DaybookEntities
import DaybookSyncWire

extension RelayRows {
  func record(of ledger: EntityID) throws -> LogRecord {
    let row = try row(of: ledger)
    var record = LogRecord(
      trimmed: row.trimmed, end: row.end, floor: row.floor, byteCount: row.byteCount,
      quota: row.quota, incarnation: row.incarnation, snapshot: row.snapshot,
      manifest: try get(RowKeys.manifest(ledger)).map { try SealedEntry(bytes: $0) }, chunks: [],
      lastNumbers: [:], devices: try devices(of: ledger))
    for key in try keys("C", of: ledger) {
      record.chunks.append(Hash256(Array(key.suffix(Hash256.byteCount))) ?? .zero)
    }
    for key in try keys("R", of: ledger) {
      var reader = ByteReader(Array(key.suffix(8)))
      record.lastNumbers[try reader.u64be()] = try number(key)
    }
    return record
  }

  /// Returns the entries after a position: as many as fit in `byteCountMax` bytes, but at least
  /// one.
  func entries(
    of ledger: EntityID, after position: UInt64, byteCountMax: Int
  ) throws -> [KeptEntry] {
    var found: [KeptEntry] = []
    var byteCount = 0
    try scan(RowKeys.table("E", ledger), RowKeys.entry(ledger, position &+ 1)) { key, value in
      byteCount += value.count
      guard found.isEmpty || byteCount <= byteCountMax else { return false }
      var reader = ByteReader(Array(key.suffix(8)))
      let position = try reader.u64be()
      guard let row = try? EntryRow(bytes: value) else {
        throw CopyFault.damaged(ledger, ["entry \(position) is unreadable"])
      }
      found.append(KeptEntry(position: position, row: row))
      return true
    }
    return found
  }

  mutating func place(_ entries: [KeptEntry], of ledger: EntityID) {
    for kept in entries {
      let header = kept.row.entry.header
      put(RowKeys.entry(ledger, kept.position), kept.row.bytes)
      putNumber(kept.position, RowKeys.number(ledger, header.replica, header.number))
    }
  }

  mutating func finishCopy(_ record: LogRecord, of ledger: EntityID) throws {
    guard try get(RowKeys.ledger(ledger)) == nil else { throw CopyFault.alreadyThere(ledger) }
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
    if let manifest = record.manifest { put(RowKeys.manifest(ledger), manifest.bytes) }
    try put(
      LedgerRow(
        end: record.end, floor: record.floor, trimmed: record.trimmed, byteCount: record.byteCount,
        quota: record.quota, incarnation: record.incarnation, snapshot: record.snapshot),
      of: ledger)
  }

  /// Returns the keys of an interrupted copy's rows, or none if the store contains the ledger.
  func copiedKeys(of ledger: EntityID, countMax: Int) throws -> [[UInt8]] {
    guard try get(RowKeys.ledger(ledger)) == nil else { return [] }
    var found: [[UInt8]] = []
    for table in ["E", "N", "C"] as [Character] where found.count < countMax {
      found += try keys(table, of: ledger, countMax: countMax - found.count)
    }
    return found
  }

  /// Returns the keys of a ledger's rows in a table, in order.
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
