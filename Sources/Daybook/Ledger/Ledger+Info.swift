internal import DaybookEngine
internal import DaybookEntities

extension Ledger {
  /// Returns the ledger's sizes, counts and checkpoints.
  ///
  /// - Throws: ``DaybookError`` with the codes `closed`, `notReady`, `damaged` or `system`.
  /// - Complexity: O(entities other than transactions).
  public func info() async throws(DaybookError) -> LedgerInfo {
    do {
      let files = try store.storeStatistics()
      var counts: [EntityKind: UInt64] = [:]
      try read { snapshot throws in
        for kind in Ledger.schema.kinds {
          counts[kind.kind] = UInt64(
            kind.kind == .transaction ? try snapshot.count() : try snapshot.count(of: kind.kind))
        }
      }
      let store = hexText(files.identity)
      var info = LedgerInfo(
        path: path, store: store, formatVersion: Int(files.formatVersion),
        lineage: hexText(files.lineage, digits: 16),
        journalGeneration: files.journalGeneration, viewsGeneration: files.viewsGeneration,
        sequence: files.sequence,
        newestCommitMicroseconds: files.sequence == 0 ? nil : files.wallMicroseconds,
        entityCounts: counts, projections: await projectionInfos(),
        journal: LedgerInfo.EnvironmentInfo(files.journal),
        views: LedgerInfo.EnvironmentInfo(files.views))
      info.readOnlyReason = readOnlyReason?.message
      info.missingCommits = missingCommits
      return info
    } catch {
      throw .wrapping(error)
    }
  }

  private func projectionInfos() async -> [LedgerInfo.ProjectionInfo] {
    var infos: [LedgerInfo.ProjectionInfo] = []
    for projector in store.projectors {
      let statistics = await projector.statistics
      let fault: String? =
        switch statistics.health {
        case .current: nil
        case .building: "being built"
        case .quarantined(let sequence, let reason): "quarantined at commit \(sequence): \(reason)"
        }
      infos.append(
        LedgerInfo.ProjectionInfo(
          name: projector.name, version: projector.version,
          sequence: statistics.checkpoint?.sequence, fault: fault))
    }
    return infos
  }
}

extension Snapshot {
  /// Returns the number of entities of a kind.
  ///
  /// - Complexity: O(entities of the kind).
  func count(of kind: EntityKind) throws -> Int {
    var count = 0
    try view.forEachEntity(kind) { _, _, _ in
      count += 1
      return true
    }
    return count
  }
}

extension LedgerInfo.EnvironmentInfo {
  init(_ files: StoreStatistics.Files) {
    self.init(
      byteCount: UInt64(files.byteCount), freeByteCount: UInt64(files.freeByteCount),
      mapByteCount: UInt64(files.mapByteCount),
      pageByteCount: files.pageByteCount, readerCount: files.readerCount)
  }
}
