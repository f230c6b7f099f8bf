public import DaybookEntities
import DaybookLMDB
public import DaybookSyncWire

/// The logs of a relay on this machine, in a folder or in memory.
///
/// One process serves a folder and locks it. Other processes may read it, add devices and back it
/// up at the same time.
public struct EmbeddedRelayStore: RelayStore {
  let rows: any RowEngine
  let polls = LongPolls()

  init(rows: any RowEngine) { self.rows = rows }

  /// Creates a store in memory, for tests and simulations.
  public static func inMemory() -> EmbeddedRelayStore { EmbeddedRelayStore(rows: MemoryRows()) }

  /// Opens the store in a folder, and creates it if it is missing.
  ///
  /// - Throws: `LMDBError`.
  public static func open(folder: String) throws -> EmbeddedRelayStore {
    EmbeddedRelayStore(rows: try LMDBRows(folder: folder))
  }

  /// The structure of a folder's file.
  public enum Examination: Hashable, Sendable {
    /// The structure is intact.
    case intact
    /// The structure has this fault.
    case damaged(String)
    /// The structure can't be checked, because the relay keeps writing.
    case busy
  }

  /// Reads every page in use of a folder's file and checks its structure, without mapping the file.
  ///
  /// No damage can end the process. ``open(folder:)`` examines only the upper levels of a large file.
  ///
  /// - Throws: `LMDBError` if the file can't be read.
  public static func examine(folder: String) throws -> Examination {
    do {
      return try Environment.examine(path: folder).map(Examination.damaged) ?? .intact
    } catch {
      if error.kind == .busy { return .busy }
      throw error
    }
  }

  /// Creates an empty log for a ledger; does nothing if there is one.
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

  /// Returns the ledgers in the store.
  public func ledgers() async throws -> [EntityID] { try await rows.read { try $0.ledgers() } }

  /// Locks the folder and records that it holds the served files; call it before serving.
  ///
  /// If the files are a copy (restored from a backup or moved), every log gets a new incarnation. A
  /// new incarnation tells devices that the copy may lack entries that they have seen. A device
  /// that has seen no entries beyond the copy keeps syncing.
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
      // The relay never served before, so no device has seen anything.
      guard let last else { return false }
      // Earlier versions stored only the first part.
      if last.count == 16, place.starts(with: last) { return false }
      for ledger in try rows.ledgers() {
        var row = try rows.row(of: ledger)
        row.incarnation = newIncarnation()
        try rows.put(row, of: ledger)
      }
      return true
    }
  }

  /// Returns a ledger's size and its quota.
  public func usage(of ledger: EntityID) async throws -> LedgerUsage {
    let row = try await rows.read { try $0.row(of: ledger) }
    return LedgerUsage(
      entryCount: row.end.position - row.trimmed.position, head: row.end.position,
      floor: row.floor, snapshot: row.snapshot, byteCount: row.byteCount, quota: row.quota)
  }

  /// Returns totals over all ledgers.
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

  /// Returns the ledgers with entries to delete.
  public func trimmable() async throws -> [EntityID] {
    try await rows.read { rows in
      try rows.ledgers().filter { ledger in
        let row = try rows.row(of: ledger)
        return row.trimmed.position < min(row.floor, row.snapshot)
      }
    }
  }

  /// Checks that the store can be read; throws if it can't.
  public func checkReady() async throws { try await rows.read { _ = try $0.get(RowKeys.place) } }

  /// Returns an empty string: the store has no metrics other than its commits' durations.
  public func measurements() async -> String { "" }

  /// Sets the maximum size of a ledger's entries and chunks, in bytes.
  public func setQuota(_ quota: UInt64, of ledger: EntityID) async throws {
    try await rows.write { rows in
      var row = try rows.row(of: ledger)
      row.quota = quota
      try rows.put(row, of: ledger)
    }
  }

  /// The durations of the store's commits.
  public var commitTimes: CommitTimes { rows.commitTimes }

  /// Returns the status of a ledger's log.
  public func status(of ledger: EntityID, now: Int64) async throws -> LogStatus {
    let row = try await rows.read { try $0.row(of: ledger) }
    return LogStatus(
      ledger: ledger, end: row.end, floor: row.floor, now: now, incarnation: row.incarnation)
  }

  /// Appends a replica's entries to the log, in order: all of them or none.
  public func push(
    _ page: PushPage, to ledger: EntityID, now: Int64
  ) async throws -> PushAnswer {
    let answer = try await rows.write { try $0.push(page, to: ledger, now: now) }
    polls.wake(ledger, head: answer.end.position)
    return answer
  }

  /// Returns the entries after a position, as many as fit in `byteCountMax` bytes but at least one.
  public func pull(
    from ledger: EntityID, after position: UInt64, byteCountMax: Int
  ) async throws -> PullPage {
    try await rows.read { try $0.pull(from: ledger, after: position, byteCountMax: byteCountMax) }
  }

  /// Waits at most `seconds` until the log's head is beyond `position`, and returns the head.
  public func waitForEntries(
    _ ledger: EntityID, after position: UInt64, seconds: Double
  ) async throws -> UInt64 {
    try await polls.wait(for: ledger, after: position, seconds: seconds) {
      try await rows.read { try $0.row(of: ledger).end.position }
    }
  }

  /// Deletes at most `entryCountMax` entries that are below the floor and covered by a snapshot.
  public func trim(_ ledger: EntityID, entryCountMax: Int) async throws -> Int {
    try await rows.write { try $0.trim(ledger, entryCountMax: entryCountMax) }
  }

  /// Verifies a log as of one commit and recomputes its chain; pushes continue in the meantime.
  public func verify(_ ledger: EntityID) async throws -> RelayVerification {
    try await rows.read { try $0.verify(ledger) }
  }

  /// Closes the folder, so that this process can open it again; all later calls fail.
  ///
  /// - Throws: `LMDBError` with `busy` if a read is in progress.
  public func close() async throws { try await rows.close() }

  /// Writes a copy of the whole store to a new folder.
  public func backup(to path: String) async throws { try rows.backup(to: path) }
}
