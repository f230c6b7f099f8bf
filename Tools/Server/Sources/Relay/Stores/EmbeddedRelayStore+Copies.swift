package import DaybookEntities
package import DaybookSyncWire

extension EmbeddedRelayStore: CopyTarget {
  /// Locks the folder until the store is closed or the process ends.
  ///
  /// A relay holds the lock while it serves the folder, and `daybook-relay copy` holds it during a
  /// copy of the logs.
  ///
  /// - Throws: ``FolderInUse`` if another process holds the lock.
  package func lockFolder() throws { try rows.lockFolder() }

  /// Returns the location to which a log was copied, or `nil` if it wasn't copied.
  package func copiedTo(_ ledger: EntityID) async throws -> String? {
    try await rows.read { try $0.row(of: ledger).copiedTo }
  }

  /// Marks a log as copied, so that this store no longer serves it; `nil` removes the mark.
  package func setCopiedTo(_ place: String?, _ ledger: EntityID) async throws {
    try await rows.write { rows in
      var row = try rows.row(of: ledger)
      row.copiedTo = place
      try rows.put(row, of: ledger)
    }
  }

  func record(of ledger: EntityID) async throws -> LogRecord {
    try await rows.read { try $0.record(of: ledger) }
  }

  func entries(
    of ledger: EntityID, after position: UInt64, byteCountMax: Int
  ) async throws -> [KeptEntry] {
    try await rows.read {
      try $0.entries(of: ledger, after: position, byteCountMax: byteCountMax)
    }
  }

  /// Deletes the entries and chunks of an interrupted copy.
  package func discardCopy(of ledger: EntityID) async throws -> Bool {
    var isFound = false
    while try await rows.read({ try !$0.copiedKeys(of: ledger, countMax: 1).isEmpty }) {
      isFound = true
      try await rows.write { rows in
        for key in try rows.copiedKeys(of: ledger, countMax: 1_024) { rows.delete(key) }
      }
    }
    return isFound
  }

  /// Writes the next entries of a copy.
  package func place(_ entries: [KeptEntry], of ledger: EntityID) async throws {
    try await rows.write { $0.place(entries, of: ledger) }
  }

  /// Writes a chunk of a copy.
  package func place(_ chunk: SealedEntry, of ledger: EntityID) async throws {
    try await rows.write { $0.put(RowKeys.chunk(ledger, chunk.digest), chunk.bytes) }
  }

  /// Writes the rest of the log's data, after which the ledger is served.
  package func finishCopy(_ record: LogRecord, of ledger: EntityID) async throws {
    try await rows.write { try $0.finishCopy(record, of: ledger) }
  }
}
