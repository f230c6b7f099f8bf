package import DaybookEntities
import DaybookSyncWire

/// Copies a log from the folder of a stopped relay to another store.
///
/// The copy is the same log: it has the same positions, times, links and incarnation, so devices
/// continue to sync as before. If a copy is interrupted, the next run deletes the partial copy and
/// starts again.
package struct LogCopier: Sendable {
  /// The last completed step.
  package enum Progress: Hashable, Sendable {
    /// The rows of an interrupted copy were deleted.
    case discarded
    /// Entries were copied up to a position.
    case entries(through: UInt64, of: UInt64)
    /// A chunk of the snapshot was copied.
    case chunk(Int, of: Int)
    /// The target contains the ledger.
    case finished
  }

  private let ledger: EntityID
  private let source: EmbeddedRelayStore
  private let target: any CopyTarget
  private let place: String
  private let report: @Sendable (Progress) async throws -> Void

  private static let pageByteCount = 1 << 20

  /// Prepares a copy.
  ///
  /// The source's folder must be locked; see ``EmbeddedRelayStore/lockFolder()``.
  ///
  /// - Parameters:
  ///   - place: The target's name, which is recorded in the source.
  ///   - report: Called after each step; if it throws, the copy stops.
  package init(
    _ ledger: EntityID, from source: EmbeddedRelayStore, to target: any CopyTarget,
    named place: String,
    report: @escaping @Sendable (Progress) async throws -> Void = { _ in }
  ) {
    self.ledger = ledger
    self.source = source
    self.target = target
    self.place = place
    self.report = report
  }

  /// Copies the log, verifies the copy, and marks the source's log as copied.
  ///
  /// After that, the source no longer serves the log.
  ///
  /// - Returns: The log's record, and whether it was copied; `false` if the target already
  ///   contained the complete log.
  /// - Throws: ``CopyFault``, or an error of either store.
  package func run() async throws -> (record: LogRecord, isNew: Bool) {
    do {
      return try await runOnce()
    } catch let error as WireError {
      throw CopyFault.damaged(ledger, ["\(error)"])
    }
  }

  private func runOnce() async throws -> (record: LogRecord, isNew: Bool) {
    if let before = try await source.copiedTo(ledger), before != place {
      throw CopyFault.copiedBefore(ledger, to: before)
    }
    let record = try await source.record(of: ledger)
    let isNew = try await !targetHas(record)
    if isNew {
      if try await target.discardCopy(of: ledger) { try await report(.discarded) }
      try await copy(record)
      guard try await source.record(of: ledger) == record else { throw CopyFault.changed(ledger) }
      try await target.finishCopy(record, of: ledger)
      try await report(.finished)
    }
    let found = try await target.verify(ledger)
    guard found.faults.isEmpty else { throw CopyFault.incomplete(ledger, found.faults) }
    try await source.setCopiedTo(place, ledger)
    return (record, isNew)
  }

  /// Returns whether the target already contains the same log.
  private func targetHas(_ record: LogRecord) async throws -> Bool {
    guard try await target.ledgers().contains(ledger) else { return false }
    let status = try await target.status(of: ledger, now: 0)
    guard status.end == record.end, status.incarnation == record.incarnation else {
      throw CopyFault.alreadyThere(ledger)
    }
    return true
  }

  /// Copies entries and chunks, and verifies each of them before writing it.
  private func copy(_ record: LogRecord) async throws {
    var check = LogCheck(
      LogCheck.Noted(
        trimmed: record.trimmed, end: record.end, floor: record.floor,
        byteCount: record.byteCount, snapshot: record.snapshot))
    var position = record.trimmed.position
    while true {
      let page = try await source.entries(
        of: ledger, after: position, byteCountMax: Self.pageByteCount)
      guard let last = page.last else { break }
      for entry in page { guard check.entry(entry.row, at: entry.position) else { break } }
      try stopIfDamaged(check)
      try await target.place(page, of: ledger)
      position = last.position
      try await report(.entries(through: position, of: record.end.position))
    }
    check.endOfEntries { record.lastNumbers[$0] }
    for (index, digest) in record.chunks.enumerated() {
      let chunk = try await source.chunk(digest, of: ledger)
      check.chunk(chunk.bytes) { $0 == digest }
      try stopIfDamaged(check)
      try await target.place(chunk, of: ledger)
      try await report(.chunk(index + 1, of: record.chunks.count))
    }
    check.endOfChunks(manifest: record.manifest?.bytes)
    try stopIfDamaged(check)
  }

  private func stopIfDamaged(_ check: LogCheck) throws {
    if !check.faults.isEmpty { throw CopyFault.damaged(ledger, check.faults) }
  }
}
