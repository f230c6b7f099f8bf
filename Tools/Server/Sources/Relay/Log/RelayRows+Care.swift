import Entities
import SyncWire

extension RelayRows {
  /// Lets go of entries that lie below both the floor and the newest snapshot.
  mutating func trim(_ ledger: EntityID, entryCountMax: Int) throws -> Int {
    var row = try row(of: ledger)
    let bound = min(row.floor, row.snapshot)
    var count = 0
    while count < entryCountMax, row.trimmed.position < bound {
      let position = row.trimmed.position + 1
      let key = RowKeys.entry(ledger, position)
      guard let bytes = try get(key) else { throw RelayDamage(ledger: ledger, position: position) }
      let found = try EntryRow(bytes: bytes)
      let header = found.entry.header
      delete(key)
      delete(RowKeys.number(ledger, header.replica, header.number))
      row.byteCount -= min(row.byteCount, UInt64(found.entry.bytes.count))
      row.trimmed = LogEnd(position: position, link: found.link, received: found.received)
      count += 1
    }
    if count > 0 { try put(row, of: ledger) }
    return count
  }

  func verify(_ ledger: EntityID) throws -> RelayVerification {
    let row = try row(of: ledger)
    var end = row.trimmed
    var result = RelayVerification(entryCount: 0, end: row.end, faults: [])
    try scan(RowKeys.table("E", ledger), RowKeys.table("E", ledger)) { key, value in
      guard key == RowKeys.entry(ledger, end.position + 1) else {
        result.faults.append("entry \(end.position + 1) is missing")
        return false
      }
      let found = try EntryRow(bytes: value)
      let header = found.entry.header
      if found.received < end.received {
        result.faults.append("entry \(end.position + 1) was received before the one before it")
      }
      end = end.appending(
        replica: header.replica, number: header.number, received: found.received,
        digest: found.entry.digest)
      if end.link != found.link {
        result.faults.append("entry \(end.position) is not what was chained")
        return false
      }
      result.entryCount += 1
      return true
    }
    if end != row.end {
      result.faults.append("the log ends at \(end.position), not \(row.end.position)")
    }
    return result
  }
}
