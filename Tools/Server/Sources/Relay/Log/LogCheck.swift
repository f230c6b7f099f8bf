import Entities
import Foundation
import SyncWire

extension RelayRows {
  /// Goes over all that is kept of a ledger.
  func verify(_ ledger: EntityID) throws -> RelayVerification {
    guard let bytes = try get(RowKeys.ledger(ledger)) else { return try noLedger(ledger) }
    guard let row = try? JSONDecoder().decode(LedgerRow.self, from: Data(bytes)) else {
      return RelayVerification(
        entryCount: 0, end: LogEnd(startOf: ledger),
        faults: ["what is kept beside the log cannot be read; the log was not gone over"])
    }
    var check = LogCheck(rows: self, ledger: ledger, row: row)
    try check.entries()
    try check.numbers()
    try check.snapshot()
    try check.devices()
    return RelayVerification(entryCount: check.entryCount, end: row.end, faults: check.faults)
  }

  private func noLedger(_ ledger: EntityID) throws -> RelayVerification {
    _ = try row(of: ledger)
    return RelayVerification(entryCount: 0, end: LogEnd(startOf: ledger), faults: [])
  }
}

/// Goes over the rows of one ledger, and says what is not as it should be.
struct LogCheck {
  let rows: RelayRows
  let ledger: EntityID
  let row: LedgerRow
  private(set) var entryCount: UInt64 = 0
  private(set) var faults: [String] = []
  private var end: LogEnd
  private var floor: UInt64 = 0
  private var byteCount: UInt64 = 0
  /// Each replica's last push number among the entries that are kept.
  private var last: [UInt64: UInt64] = [:]
  /// Whether all entries were gone over.
  private var isComplete = true

  /// How many faults are told.
  private static let faultCountMax = 100

  init(rows: RelayRows, ledger: EntityID, row: LedgerRow) {
    self.rows = rows
    self.ledger = ledger
    self.row = row
    end = row.trimmed
  }

  private mutating func found(_ fault: String) {
    if faults.count < Self.faultCountMax { faults.append(fault) }
  }

  /// The entries: whole, in order, chained, and where the table of push numbers says.
  mutating func entries() throws {
    let table = RowKeys.table("E", ledger)
    try rows.scan(table, table) { key, value in
      let position = end.position + 1
      guard key == RowKeys.entry(ledger, position) else {
        found("entry \(position) is missing")
        isComplete = false
        return false
      }
      guard let kept = try? EntryRow(bytes: value) else {
        found("entry \(position) cannot be read")
        isComplete = false
        return false
      }
      let header = kept.entry.header
      checkHeader(header, at: position)
      if kept.received < end.received {
        found("entry \(position) was received before the one before it")
      }
      end = end.appending(
        replica: header.replica, number: header.number, received: kept.received,
        digest: kept.entry.digest)
      guard end.link == kept.link else {
        found("entry \(position) is not what was chained")
        isComplete = false
        return false
      }
      let place = try? rows.number(RowKeys.number(ledger, header.replica, header.number))
      if place != position {
        found(
          "push number \(header.number) of replica \(header.replica) does not lead to entry "
            + "\(position)")
      }
      last[header.replica] = header.number
      byteCount += UInt64(kept.entry.bytes.count)
      entryCount += 1
      return true
    }
    guard isComplete else { return found("what comes behind that was not gone over") }
    if end != row.end { found("the log ends at \(end.position), not \(row.end.position)") }
    // The entry that set the floor lies above it, so it is never trimmed.
    if floor != row.floor { found("the floor is \(row.floor), and the log set \(floor)") }
  }

  private mutating func checkHeader(_ header: EntryHeader, at position: UInt64) {
    if let before = last[header.replica], header.number != before + 1 {
      found(
        "entry \(position) is push number \(header.number) of replica \(header.replica), "
          + "after \(before)")
    }
    if header.base >= position || header.base < floor {
      found("entry \(position) has the base \(header.base)")
    }
    if header.kind == .floor { floor = max(floor, header.floor) }
  }

  /// The table of push numbers, and each replica's last one.
  mutating func numbers() throws {
    guard isComplete else { return }
    var count: UInt64 = 0
    try rows.scan(RowKeys.table("N", ledger), RowKeys.table("N", ledger)) { _, _ in
      count += 1
      return true
    }
    if count != entryCount {
      found("the table of push numbers has \(count) rows for \(entryCount) entries")
    }
    for (replica, number) in last.sorted(by: { $0.key < $1.key }) {
      let kept = try? rows.number(RowKeys.replica(ledger, replica))
      if kept != number {
        found("the last push number of replica \(replica) is \(number), and not what is noted")
      }
    }
  }

  /// The newest snapshot's chunks, and how many bytes there are.
  mutating func snapshot() throws {
    try rows.scan(RowKeys.table("C", ledger), RowKeys.table("C", ledger)) { key, value in
      byteCount += UInt64(value.count)
      if let chunk = try? SealedEntry(bytes: value), key == RowKeys.chunk(ledger, chunk.digest) {
        return true
      }
      found("a chunk of a snapshot is not what was sent")
      return true
    }
    if let bytes = try rows.get(RowKeys.manifest(ledger)) {
      let manifest = try? SealedEntry(bytes: bytes)
      if manifest?.header.base != row.snapshot {
        found("the newest snapshot cannot be read, or does not show \(row.snapshot)")
      }
    }
    if isComplete, byteCount != row.byteCount {
      found("\(byteCount) bytes are kept, and \(row.byteCount) are counted")
    }
  }

  /// The devices, and the tokens that lead to them.
  mutating func devices() throws {
    try rows.scan(RowKeys.table("D", ledger), RowKeys.table("D", ledger)) { _, value in
      guard let device = try? JSONDecoder().decode(RelayDevice.self, from: Data(value)) else {
        found("a device cannot be read")
        return true
      }
      guard let bytes = try rows.get(RowKeys.token(device.tokenHash)), bytes.count == 16 else {
        found("the device \(device.name) has no token")
        return true
      }
      var reader = ByteReader(bytes)
      if try reader.id() != ledger {
        found("the token of the device \(device.name) is another ledger's")
      }
      return true
    }
  }
}
