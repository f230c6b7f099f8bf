public import Entities
import Foundation
public import SyncWire

/// A relay's logs on this machine: in one folder, or in memory.
///
/// One process serves a folder, and locks it; others may read it, add devices and back it up in the meantime.
public struct EmbeddedRelayStore: RelayStore {
  let rows: any RowEngine
  let bells = RelayBells()

  init(rows: any RowEngine) { self.rows = rows }

  /// A store that is gone with the process: for tests and simulations.
  public static func inMemory() -> EmbeddedRelayStore { EmbeddedRelayStore(rows: MemoryRows()) }

  /// Opens the store in a folder, and makes it where it is missing.
  ///
  /// - Throws: `LMDBError`.
  public static func open(folder: String) throws -> EmbeddedRelayStore {
    EmbeddedRelayStore(rows: try LMDBRows(folder: folder))
  }

  /// Makes a log for a ledger; nothing where there is one.
  public func makeLedger(_ ledger: EntityID, quota: UInt64) async throws {
    _ = try await discardCopy(of: ledger)
    try await rows.write { rows in
      if try rows.get(RowKeys.ledger(ledger)) != nil { return }
      let start = LogEnd(startOf: ledger)
      let row = LedgerRow(
        end: start, trimmed: start, quota: quota,
        incarnation: newIncarnation())
      try rows.put(row, of: ledger)
    }
  }

  /// The ledgers that are kept.
  public func ledgers() async throws -> [EntityID] { try await rows.read { try $0.ledgers() } }

  /// Locks the folder, and says that this is the relay, before it serves.
  ///
  /// Where the files are a copy, restored from a backup or moved, each log gets another incarnation: it may lack what
  /// devices have seen, and by that they are told. A device that has seen no more than there is goes on.
  ///
  /// - Returns: Whether the files are a copy.
  /// - Throws: ``FolderInUse`` if another process serves or copies the folder.
  public func settle() async throws -> Bool {
    try rows.lockFolder()
    let place = rows.place
    return try await rows.write { rows in
      let last = try rows.get(RowKeys.place)
      if last == place { return false }
      rows.put(RowKeys.place, place)
      // Before it served for the first time nobody has seen anything.
      guard last != nil else { return false }
      for ledger in try rows.ledgers() {
        var row = try rows.row(of: ledger)
        row.incarnation = newIncarnation()
        try rows.put(row, of: ledger)
      }
      return true
    }
  }

  /// How much of its quota a ledger has taken.
  public func usage(of ledger: EntityID) async throws -> LedgerUsage {
    let row = try await rows.read { try $0.row(of: ledger) }
    return LedgerUsage(
      entryCount: row.end.position - row.trimmed.position, head: row.end.position,
      floor: row.floor, snapshot: row.snapshot, byteCount: row.byteCount, quota: row.quota)
  }

  /// What all ledgers come to.
  public func totals() async throws -> RelayTotals {
    try await rows.read { rows in
      var totals = RelayTotals(ledgerCount: 0, entryCount: 0, byteCount: 0)
      for ledger in try rows.ledgers() {
        let row = try rows.row(of: ledger)
        totals.ledgerCount += 1
        totals.entryCount += row.end.position - row.trimmed.position
        totals.byteCount += row.byteCount
      }
      return totals
    }
  }

  /// The ledgers that have entries to let go of.
  public func trimmable() async throws -> [EntityID] {
    try await rows.read { rows in
      try rows.ledgers().filter { ledger in
        let row = try rows.row(of: ledger)
        return row.trimmed.position < min(row.floor, row.snapshot)
      }
    }
  }

  /// Returns where the store can be read.
  public func checkReady() async throws { try await rows.read { _ = try $0.get(RowKeys.place) } }

  /// Nothing beside its commits.
  public func measurements() async -> String { "" }

  /// Says how many bytes of entries and chunks a ledger may hold from now on.
  public func setQuota(_ quota: UInt64, of ledger: EntityID) async throws {
    try await rows.write { rows in
      var row = try rows.row(of: ledger)
      row.quota = quota
      try rows.put(row, of: ledger)
    }
  }

  /// How long its commits took.
  public var commitTimes: CommitTimes { rows.commitTimes }

  /// What the log of a ledger comes to.
  public func status(of ledger: EntityID, now: Int64) async throws -> LogStatus {
    let row = try await rows.read { try $0.row(of: ledger) }
    return LogStatus(
      ledger: ledger, end: row.end, floor: row.floor, now: now, incarnation: row.incarnation)
  }

  /// Puts a replica's entries into the log, in order, all or none.
  public func push(
    _ page: PushPage, to ledger: EntityID, now: Int64
  ) async throws -> PushAnswer {
    let answer = try await rows.write { try $0.push(page, to: ledger, now: now) }
    bells.ring(ledger, head: answer.end.position)
    return answer
  }

  /// Entries behind a position.
  public func pull(
    from ledger: EntityID, after position: UInt64, byteCountMax: Int
  ) async throws -> PullPage {
    try await rows.read { try $0.pull(from: ledger, after: position, byteCountMax: byteCountMax) }
  }

  /// Waits until the log is longer than `position`, or for `seconds`; returns its head.
  public func ring(
    _ ledger: EntityID, after position: UInt64, seconds: Double
  ) async throws -> UInt64 {
    try await bells.wait(for: ledger, after: position, seconds: seconds) {
      try await rows.read { try $0.row(of: ledger).end.position }
    }
  }

  /// Lets go of at most `entryCountMax` entries below the floor.
  public func trim(_ ledger: EntityID, entryCountMax: Int) async throws -> Int {
    try await rows.write { try $0.trim(ledger, entryCountMax: entryCountMax) }
  }

  /// Goes over what is kept of a log, and counts its chain anew, as one commit left it; pushes go on.
  public func verify(_ ledger: EntityID) async throws -> RelayVerification {
    try await rows.read { try $0.verify(ledger) }
  }

  /// Lets go of the folder, so that this process can open it again; everything fails afterwards.
  ///
  /// - Throws: `LMDBError` with `busy` while something reads.
  public func close() async throws { try await rows.close() }

  /// Writes a copy of everything to a new folder.
  public func backup(to path: String) async throws { try rows.backup(to: path) }
}
