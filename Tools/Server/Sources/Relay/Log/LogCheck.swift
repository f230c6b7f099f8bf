package import DaybookEntities
package import DaybookSyncWire

/// Verifies the entries of a log, then its snapshot and metadata, and collects the faults.
package struct LogCheck {
  /// The stored metadata of a log, which the check compares with the entries and chunks.
  package struct Noted {
    var trimmed: LogEnd
    var end: LogEnd
    var floor: UInt64
    var byteCount: UInt64
    var snapshot: UInt64

    package init(
      trimmed: LogEnd, end: LogEnd, floor: UInt64, byteCount: UInt64, snapshot: UInt64
    ) {
      self.trimmed = trimmed
      self.end = end
      self.floor = floor
      self.byteCount = byteCount
      self.snapshot = snapshot
    }
  }

  private let noted: Noted
  package private(set) var entryCount: UInt64 = 0
  package private(set) var faults: [String] = []
  private var end: LogEnd
  private var floor: UInt64 = 0
  private var byteCount: UInt64 = 0
  /// Each replica's last push number among the stored entries.
  private var last: [UInt64: UInt64] = [:]
  /// Whether every entry was checked; `false` after a fault that ends the check.
  package private(set) var isComplete = true

  /// The maximum number of faults that are reported.
  private static let faultCountMax = 100

  package init(_ noted: Noted) {
    self.noted = noted
    end = noted.trimmed
  }

  /// The result of the check.
  package var result: RelayVerification {
    RelayVerification(entryCount: entryCount, end: noted.end, faults: faults)
  }

  package mutating func found(_ fault: String) {
    if faults.count < Self.faultCountMax { faults.append(fault) }
  }

  private mutating func stopping(_ fault: String) -> Bool {
    found(fault)
    isComplete = false
    return false
  }

  /// Checks that the next entry is readable, in order, and chained to the previous one.
  ///
  /// - Returns: Whether the check can continue with the next entry.
  package mutating func entry(_ kept: EntryRow?, at place: UInt64) -> Bool {
    let position = end.position + 1
    guard place == position else { return stopping("entry \(position) is missing") }
    guard let kept else { return stopping("entry \(position) is unreadable") }
    let header = kept.entry.header
    checkHeader(header, at: position)
    if kept.received < end.received {
      found("entry \(position) has an earlier time than the previous entry")
    }
    end = end.appending(
      replica: header.replica, number: header.number, received: kept.received,
      digest: kept.entry.digest)
    guard end.link == kept.link else {
      return stopping("entry \(position) doesn't match the hash chain")
    }
    last[header.replica] = header.number
    byteCount += UInt64(kept.entry.bytes.count)
    entryCount += 1
    return true
  }

  private mutating func checkHeader(_ header: EntryHeader, at position: UInt64) {
    if let before = last[header.replica], header.number != before + 1 {
      found(
        "entry \(position) is push number \(header.number) of replica \(header.replica), "
          + "after \(before)")
    }
    if header.base >= position || header.base < floor {
      found("entry \(position) has the invalid base \(header.base)")
    }
    if header.kind == .floor { floor = max(floor, header.floor) }
  }

  /// Checks the log's end, its floor, and each replica's last push number, after the last entry.
  package mutating func endOfEntries(
    lastNumber: (_ replica: UInt64) throws -> UInt64?
  ) rethrows {
    guard isComplete else { return found("later entries were not checked") }
    if end != noted.end { found("the log ends at \(end.position), not \(noted.end.position)") }
    // The entry that set the floor is above the floor, so it is never deleted.
    if floor != noted.floor { found("the floor is \(noted.floor), but the log set \(floor)") }
    for (replica, number) in last.sorted(by: { $0.key < $1.key })
    where try lastNumber(replica) != number {
      found("the last push number of replica \(replica) is \(number), but another one is stored")
    }
  }

  /// Checks a chunk of a snapshot, which must be stored under its digest.
  package mutating func chunk(_ bytes: [UInt8], isUnder: (_ digest: Hash256) -> Bool) {
    byteCount += UInt64(bytes.count)
    if let chunk = try? SealedEntry(bytes: bytes), isUnder(chunk.digest) { return }
    found("a snapshot's chunk doesn't match its digest")
  }

  /// Checks the newest manifest and the total size, after the last chunk.
  package mutating func endOfChunks(manifest: [UInt8]?) {
    if let manifest, (try? SealedEntry(bytes: manifest))?.header.base != noted.snapshot {
      found("the newest snapshot is unreadable, or isn't of position \(noted.snapshot)")
    }
    if isComplete, byteCount != noted.byteCount {
      found("\(byteCount) bytes are stored, but \(noted.byteCount) were counted")
    }
  }
}
