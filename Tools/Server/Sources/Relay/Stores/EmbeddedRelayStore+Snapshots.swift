public import DaybookEntities
public import DaybookSyncWire

extension EmbeddedRelayStore {
  /// Stores a chunk of a snapshot under its digest.
  ///
  /// Does nothing if there is a snapshot with the same or a later base.
  public func putChunk(_ chunk: SealedEntry, of ledger: EntityID) async throws {
    guard chunk.header.kind == .chunk else {
      throw RelayRefusal(.malformed, "Expected a chunk of a snapshot, not \(chunk.header.kind).")
    }
    try await rows.write { rows in
      let key = RowKeys.chunk(ledger, chunk.digest)
      if try rows.get(key) != nil { return }
      var row = try rows.row(of: ledger)
      guard chunk.header.base <= row.end.position else {
        throw RelayRefusal(
          .baseBeyondHead, "The snapshot's position is beyond the head of the log.",
          expected: row.end.position)
      }
      if try rows.hasSnapshot(from: chunk.header.base, of: ledger, row) { return }
      row.byteCount += UInt64(chunk.bytes.count)
      guard row.byteCount <= row.quota else {
        throw RelayRefusal(
          .overQuota, "The ledger has reached its quota of \(row.quota) bytes at this relay.")
      }
      rows.put(key, chunk.bytes)
      try rows.put(row, of: ledger)
    }
  }

  /// Returns the chunk that has the given digest.
  public func chunk(_ digest: Hash256, of ledger: EntityID) async throws -> SealedEntry {
    guard let bytes = try await rows.read({ try $0.get(RowKeys.chunk(ledger, digest)) }) else {
      throw RelayRefusal(.notFound, "The chunk \(digest) doesn't exist.")
    }
    return try SealedEntry(bytes: bytes)
  }

  /// Makes a manifest the newest one, if all of its chunks are stored.
  ///
  /// Does nothing if there is a manifest with the same or a later base.
  ///
  /// Chunks of older snapshots are deleted. Chunks with a later base are kept, because another
  /// device is still sending them.
  public func putManifest(
    _ manifest: SealedEntry, chunks: [Hash256], of ledger: EntityID
  ) async throws {
    guard manifest.header.kind == .manifest else {
      throw RelayRefusal(.malformed, "Expected a manifest, not \(manifest.header.kind).")
    }
    let base = manifest.header.base
    try await rows.write { rows in
      var row = try rows.row(of: ledger)
      guard base <= row.end.position else {
        throw RelayRefusal(
          .baseBeyondHead, "The snapshot's position is beyond the head of the log.",
          expected: row.end.position)
      }
      if try rows.hasSnapshot(from: base, of: ledger, row) { return }
      for chunk in chunks where try rows.get(RowKeys.chunk(ledger, chunk)) == nil {
        throw RelayRefusal(.notFound, "The chunk \(chunk) is missing. Send it first.")
      }
      let kept = Set(chunks.map { RowKeys.chunk(ledger, $0) })
      var gone: [[UInt8]] = []
      let table = RowKeys.table("C", ledger)
      try rows.scan(table, table) { key, value in
        if try !kept.contains(key) && SealedEntry(bytes: value).header.base <= base {
          gone.append(key)
          row.byteCount -= min(row.byteCount, UInt64(value.count))
        }
        return true
      }
      for key in gone { rows.delete(key) }
      rows.put(RowKeys.manifest(ledger), manifest.bytes)
      row.snapshot = base
      try rows.put(row, of: ledger)
    }
  }

  /// Returns the newest manifest.
  public func manifest(of ledger: EntityID) async throws -> SealedEntry {
    guard let bytes = try await rows.read({ try $0.get(RowKeys.manifest(ledger)) }) else {
      throw RelayRefusal(.notFound, "The ledger has no snapshot.")
    }
    return try SealedEntry(bytes: bytes)
  }
}

extension RelayRows {
  /// Returns whether there is a snapshot with this base or a later one.
  fileprivate func hasSnapshot(
    from position: UInt64, of ledger: EntityID, _ row: LedgerRow
  ) throws -> Bool {
    try row.snapshot >= position && get(RowKeys.manifest(ledger)) != nil
  }
}
