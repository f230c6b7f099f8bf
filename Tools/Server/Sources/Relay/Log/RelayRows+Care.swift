import DaybookEntities
import DaybookSyncWire

extension RelayRows {
  /// Deletes entries below both the floor and the newest snapshot's base, and returns their number.
  mutating func trim(_ ledger: EntityID, entryCountMax: Int) throws -> Int {
    var row = try row(of: ledger)
    let bound = min(row.floor, row.snapshot)
    var count = 0
    while count < entryCountMax, row.trimmed.position < bound {
      try letGoOfFirst(&row, of: ledger)
      count += 1
    }
    if count > 0 { try put(row, of: ledger) }
    return count
  }

  /// Deletes the first stored entry.
  mutating func letGoOfFirst(_ row: inout LedgerRow, of ledger: EntityID) throws {
    let position = row.trimmed.position + 1
    let key = RowKeys.entry(ledger, position)
    guard let bytes = try get(key) else { throw RelayDamage(ledger: ledger, position: position) }
    let found = try EntryRow(bytes: bytes)
    let header = found.entry.header
    delete(key)
    delete(RowKeys.number(ledger, header.replica, header.number))
    row.byteCount -= min(row.byteCount, UInt64(found.entry.bytes.count))
    row.trimmed = LogEnd(position: position, link: found.link, received: found.received)
  }
}
