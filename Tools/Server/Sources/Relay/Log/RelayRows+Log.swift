public import DaybookEntities
import DaybookSyncWire

extension RelayRows {
  func row(of ledger: EntityID) throws -> LedgerRow {
    let row: LedgerRow? = try sealed(RowKeys.ledger(ledger), "The row of ledger \(ledger)")
    guard let row else {
      throw RelayRefusal(.noLedger, "This relay doesn't have the ledger \(ledger).")
    }
    return row
  }

  func ledgers() throws -> [EntityID] {
    var found: [EntityID] = []
    try scan(RowKeys.table("L"), RowKeys.table("L")) { key, _ in
      var reader = ByteReader(key)
      _ = try reader.u8()
      found.append(try reader.id())
      return true
    }
    return found
  }

  mutating func put(_ row: LedgerRow, of ledger: EntityID) throws {
    try putSealed(row, RowKeys.ledger(ledger))
  }

  func number(_ key: [UInt8]) throws -> UInt64? {
    guard let bytes = try get(key) else { return nil }
    var reader = ByteReader(bytes)
    return try reader.u64be()
  }

  /// Appends a page of entries; if it throws, none of them are appended.
  mutating func push(_ page: PushPage, to ledger: EntityID, now: Int64) throws -> PushAnswer {
    var row = try row(of: ledger)
    guard let replica = page.entries.first?.header.replica else {
      throw RelayRefusal(.malformed, "A push must contain at least one entry.")
    }
    let lastKey = RowKeys.replica(ledger, replica)
    var last = try number(lastKey) ?? 0
    let received = max(now, row.end.received)
    var answer = PushAnswer(positions: [], duplicates: 0, end: row.end)
    for entry in page.entries {
      let header = entry.header
      if header.number <= last {
        answer.positions.append(try repeated(entry, of: ledger))
        answer.duplicates += 1
        continue
      }
      try row.bounds.append(entry, after: last, received: received)
      last = header.number
      row.byteCount += UInt64(entry.bytes.count)
      put(
        RowKeys.entry(ledger, row.end.position),
        EntryRow(received: received, link: row.end.link, entry: entry).bytes)
      putNumber(row.end.position, RowKeys.number(ledger, replica, header.number))
      answer.positions.append(row.end.position)
    }
    // A full ledger needs its floor to be able to delete entries that all devices have seen.
    let isFloor = page.entries.count == 1 && page.entries[0].isBareFloor
    guard row.byteCount <= row.quota || isFloor else {
      throw RelayRefusal(
        .overQuota, "The ledger has reached its quota of \(row.quota) bytes at this relay.",
        expected: row.quota)
    }
    answer.end = row.end
    if answer.duplicates < page.entries.count {
      putNumber(last, lastKey)
      try put(row, of: ledger)
    }
    return answer
  }

  mutating func putNumber(_ value: UInt64, _ key: [UInt8]) {
    var writer = ByteWriter(reserving: 8)
    writer.u64be(value)
    put(key, writer.bytes)
  }

  /// Returns the position of an entry that is already in the log.
  ///
  /// - Throws: `RelayRefusal` if the entry was deleted or has different bytes.
  private func repeated(_ entry: SealedEntry, of ledger: EntityID) throws -> UInt64 {
    let header = entry.header
    let position = try number(RowKeys.number(ledger, header.replica, header.number)) ?? 0
    let kept = try get(RowKeys.entry(ledger, position)).map { try EntryRow(bytes: $0).entry }
    try LogBounds.check(entry, repeats: kept)
    return position
  }

  /// Returns the entries after a position, as many as fit in `byteCountMax` bytes but at least one.
  func pull(
    from ledger: EntityID, after position: UInt64, byteCountMax: Int
  ) throws -> PullPage {
    let row = try row(of: ledger)
    try LogBounds.checkPull(
      after: position, head: row.end.position, trimmed: row.trimmed.position)
    var page = PullPage(
      head: row.end.position, floor: row.floor, link: row.trimmed.link, entries: [])
    if position > row.trimmed.position {
      guard let bytes = try get(RowKeys.entry(ledger, position)) else {
        throw RelayDamage(ledger: ledger, position: position)
      }
      page.link = try EntryRow(bytes: bytes).link
    }
    var byteCount = 128
    let table = RowKeys.table("E", ledger)
    try scan(table, RowKeys.entry(ledger, position &+ 1)) { key, value in
      byteCount += value.count + 32
      guard page.entries.isEmpty || byteCount <= byteCountMax,
        page.entries.count < WireLimits.pageEntryCountMax,
        position + UInt64(page.entries.count) < row.end.position
      else { return false }
      let found = try EntryRow(bytes: value)
      let next = position + UInt64(page.entries.count) + 1
      guard key == RowKeys.entry(ledger, next) else {
        throw RelayDamage(ledger: ledger, position: next)
      }
      page.entries.append(
        PlacedEntry(position: next, received: found.received, entry: found.entry))
      page.link = found.link
      return true
    }
    return page
  }
}

extension SealedEntry {
  /// Whether this is a floor entry that is no larger than one without content.
  package var isBareFloor: Bool { header.kind == .floor && bytes.count <= 512 }
}

/// An entry of a log is missing or another row was changed, because the store's files are damaged.
public struct RelayDamage: Error, CustomStringConvertible {
  private let fault: String

  /// Creates an error for a missing entry.
  public init(ledger: EntityID, position: UInt64) {
    fault = "Entry \(position) of ledger \(ledger) is missing"
  }

  /// Creates an error for a row that was changed.
  init(_ row: String) { fault = "\(row) is damaged" }

  /// The fault and the remedy, as sentences.
  public var description: String {
    "\(fault). Restore the relay from its backup; devices then push later entries again."
  }
}
