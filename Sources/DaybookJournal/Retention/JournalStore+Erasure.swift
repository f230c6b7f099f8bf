package import DaybookEntities
import DaybookLMDB

/// The results of an erasure.
package struct ErasureCount: Hashable, Sendable {
  /// The number of rewritten commits.
  package var commits = 0
  /// The number of changes whose personal text was replaced by a digest.
  package var changes = 0
  /// The number of baseline rows whose personal text was replaced by a digest.
  package var rows = 0

  /// Creates a count of zero.
  package init() {}
}

extension JournalStore {
  /// Returns whether an erasure is completed.
  package func isErased(_ id: EntityID) throws -> Bool {
    try read { view throws in
      try view.get(JournalTables.erasedKey(id).span.bytes, in: tables.meta) != nil
    }
  }

  /// Returns the number of completed erasures.
  ///
  /// If this number increases while data is built from the journal, the data may contain erased
  /// text and must be discarded.
  package func erasureCount() throws -> Int {
    try read { view throws in
      var count = 0
      let prefix = JournalTables.erasedPrefix
      try view.forEach(in: tables.meta, prefix: prefix.span.bytes) { _, _ in
        count += 1
        return true
      }
      return count
    }
  }

  /// Copies the journal, replacing the personal text of some entities with digests, and opens the
  /// copy.
  ///
  /// The hash chain remains valid. The authors and idempotency keys of the affected commits are
  /// erased as well. The copy is written row by row, so none of its pages ever contained the text.
  /// The caller must hold `WRITER`.
  ///
  /// - Parameter number: The number of a generation that is being built.
  /// - Complexity: O(journal).
  package func copyErasing(
    _ erasures: [PendingErasure], as number: UInt32, mapByteCount: Int
  ) throws -> (journal: JournalStore, count: ErasureCount) {
    try JournalStore.create(in: folder, generation: number, format: format)
    let target = try JournalStore.open(
      folder,
      Current(
        journal: number, views: number, lineage: lineage, highest: number, format: format),
      schema: schema, limits: limits, mapByteCount: mapByteCount)
    var count = ErasureCount()
    try read { view throws in
      var copy = ErasingCopy(self, target, try limits(of: erasures, view))
      try copy.commits(view)
      try copy.rows(view)
      try target.environment.write { transaction in
        for erasure in erasures {
          let key = JournalTables.erasedKey(erasure.id)
          let row = sealed(erasure.record.record.bytes, under: key)
          try transaction.put(key, row, in: target.tables.meta)
        }
      }
      count = copy.count
    }
    return (target, count)
  }

  /// Returns, for each entity, the last commit that can contain text to be erased.
  ///
  /// This is the commit of the entity's newest erasure record.
  private func limits(
    of erasures: [PendingErasure], _ view: TransactionView
  ) throws -> [ErasureRecord: UInt64] {
    var wanted: [EntityID: ErasureRecord] = [:]
    for erasure in erasures { wanted[erasure.id] = erasure.record }
    var limits: [ErasureRecord: UInt64] = [:]
    let floor = try floor(view).sequence
    for record in wanted.values { limits[record] = floor }
    try forEachCommit(
      after: floor, through: nil, reversed: true, checkingKinds: true, view
    ) { commit in
      try commit.forEachChange { change in
        if change.kind == PurgeRecord.kind, let record = wanted.removeValue(forKey: change.id) {
          limits[record] = max(limits[record] ?? 0, commit.sequence)
        }
        return true
      }
      return !wanted.isEmpty
    }
    return limits
  }
}

/// A copy of a journal that is being written without the erased text.
private struct ErasingCopy {
  let source: JournalStore
  let target: JournalStore
  let limits: [ErasureRecord: UInt64]
  var count = ErasureCount()
  /// The commits that were rewritten.
  var touched: Set<UInt64> = []

  init(
    _ source: JournalStore, _ target: JournalStore, _ limits: [ErasureRecord: UInt64]
  ) {
    self.source = source
    self.target = target
    self.limits = limits
  }

  /// The maximum number of bytes written in one transaction.
  static let byteCountMax = 16 << 20

  mutating func commits(_ view: TransactionView) throws {
    let chunkByteCount = source.limits.chunkByteCountMax
    var scratch = DigestScratch()
    var reached = try source.floor(view).sequence
    let head = try source.head(view).sequence
    while reached < head {
      try target.environment.write { transaction in
        var byteCount = 0
        try source.forEachCommit(
          after: reached, through: nil, reversed: false, checkingKinds: true, view
        ) { commit in
          let bytes = try stored(commit, &scratch)
          try ChunkWriter.cut(bytes.span.bytes, byteCountMax: chunkByteCount) { chunk, bytes in
            try transaction.append(
              JournalTables.chunkKey(commit.sequence, chunk).span.bytes, bytes,
              in: target.tables.commits)
          }
          byteCount += bytes.count
          reached = commit.sequence
          return byteCount < ErasingCopy.byteCountMax
        }
      }
    }
  }

  /// Returns the stored form of a commit without the text to be erased.
  private mutating func stored(
    _ commit: CommitView, _ scratch: inout DigestScratch
  ) throws -> [UInt8] {
    var found = 0
    try commit.forEachChange { change in
      if isErased(change, commit.sequence) { found += 1 }
      return true
    }
    var writer = ByteWriter(reserving: commit.bytes.byteCount + Layout.countByteCount)
    if found == 0 {
      writer.u32be(UInt32(truncatingIfNeeded: commit.bytes.byteCount))
      writer.span(commit.bytes)
      return writer.bytes
    }
    touched.insert(commit.sequence)
    count.commits += 1
    count.changes += found
    try commit.putErased(into: &scratch, header: true) { isErased($0, commit.sequence) }
    writer.u32be(UInt32(truncatingIfNeeded: scratch.body.bytes.count + Hash256.byteCount))
    writer.hash(try commit.link)
    writer.bytes.append(contentsOf: scratch.body.bytes)
    return writer.bytes
  }

  private func isErased(_ change: ChangeView, _ sequence: UInt64) -> Bool {
    guard let limit = limits[ErasureRecord(kind: change.kind, entity: change.id)] else {
      return false
    }
    return sequence <= limit
  }

  mutating func rows(_ view: TransactionView) throws {
    try target.environment.write { transaction in
      try meta(view, &transaction)
      try view.forEach(in: source.tables.keys) { key, value in
        var row = try KeyRow(unsealed(value, under: key, path: source.path))
        // The digest of a request is derived from the erased text too, so it is also erased.
        if touched.contains(row.sequence) { row.requestDigest = .zero }
        let bytes = sealed(row.bytes, under: key.copied())
        try transaction.append(key, bytes.span.bytes, in: target.tables.keys)
        return true
      }
      try view.forEach(in: source.tables.consumers) { key, value in
        try transaction.append(key, value, in: target.tables.consumers)
        return true
      }
    }
    var rows: [(UInt8, UInt64, BaselineRow)] = []
    func write() throws {
      let table = target.tables.baselineTable
      try target.environment.write { transaction in
        for (kind, number, row) in rows {
          try table.put(row, kind, number, isNew: true, into: &transaction)
        }
      }
      rows.removeAll(keepingCapacity: true)
    }
    try source.tables.baselineTable.forEachRow(view) { kind, number, row in
      var row = row
      let kindOf = EntityKind(rawValue: kind)
      if limits[ErasureRecord(kind: kindOf, entity: row.id)] != nil {
        try row.erase(personal: source.schema[kindOf]?.personalTags ?? [])
        count.rows += 1
      }
      rows.append((kind, number, row))
      if rows.count >= 20_000 { try write() }
    }
    try write()
  }

  /// Copies the rows of the main database, except for the mark of the generation.
  private func meta(_ view: TransactionView, _ transaction: inout WriteTransaction) throws {
    let prefix: [UInt8] = [0]
    try view.forEach(in: source.tables.meta, prefix: prefix.span.bytes) { key, value in
      if key.copied() != GenerationMark.key {
        try transaction.put(key, value, in: target.tables.meta)
      }
      return true
    }
  }
}
