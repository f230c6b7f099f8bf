internal import DaybookEntities
internal import DaybookJournal
internal import DaybookLMDB

extension Writer {
  /// Completes the requested erasures; the caller must hold `WRITER`.
  ///
  /// The method creates a journal without the text and builds views from it, makes both live in one
  /// step, and deletes the old generations. If the process dies before the switch, the old
  /// generations stay live, and the next open starts again.
  func completeErasures() throws -> ErasureCount {
    let pending = try pendingErasures()
    guard !pending.isEmpty else { return ErasureCount() }
    let lock = try currentLock ?? folder.lockWriter()
    defer { if currentLock == nil { lock.release() } }
    options.trace?("before erasure")
    let journal = Generation(
      kind: .journal, number: try folder.reserveGeneration(holding: lock))
    return try whileBuilding(journal, lock) {
      let views = Generation(kind: .views, number: try folder.reserveGeneration(holding: lock))
      return try whileBuilding(views, lock) { try erase(pending, journal, views, lock) }
    }
  }

  private func erase(
    _ pending: [PendingErasure], _ journal: Generation, _ views: Generation, _ lock: WriterLock
  ) throws -> ErasureCount {
    let (target, count) = try open.journal.copyErasing(
      pending, as: journal.number,
      mapByteCount: options.mapByteCount ?? EnvironmentOptions.mapByteCountDefault)
    _ = try target.verifyChain()
    let built = try ViewsStore(
      path: folder.viewsPath(views.number), generation: views.number, folder: folder,
      projections: types, options: options.environmentOptions(.deferred))
    let head = try target.head()
    try ViewsBuild(
      journal: target, clusterTags: clusterTags, target: built, newerVersions: [], progress: nil
    ).run(through: Checkpoint(sequence: head.sequence, link: head.link))
    if !options.isEphemeral {
      try target.environment.flush()
      try built.environment.flush()
    }
    try folder.flush(journal)
    try folder.flush(views)
    options.trace?("before erasure flip")
    try flip(to: target, built, lock)
    return count
  }

  private func flip(
    to journal: JournalStore, _ views: ViewsStore, _ lock: WriterLock
  ) throws {
    if !options.isEphemeral { try retireViews() }
    var next = try folder.current()
    next.journal = journal.generation
    next.views = views.generation
    try published.whileFlipping {
      try folder.setCurrent(next, holding: lock)
      options.trace?("after erasure flip")
      published.open = OpenStore(
        journal: journal, views: views,
        stamp: options.isEphemeral ? nil : try folder.currentStamp(), loss: next.loss)
    }
    if let newer = published.open { try adopt(newer) }
    // The text is gone only when the old and the unfinished generations are deleted.
    try folder.removeAllButLive(holding: lock)
    if let head = try? journal.head() {
      news = Checkpoint(sequence: head.sequence, link: head.link)
    }
  }

  /// Returns the requested erasures that the journal does not record as completed.
  func pendingErasures() throws -> [PendingErasure] {
    let view = try View(open)
    var pending: [PendingErasure] = []
    try view.forEachEntity(PurgeRecord.kind) { _, id, bytes in
      if let record = ErasureRecord(Record(bytes: bytes.copied())) {
        pending.append(PendingErasure(id: id, record: record))
      }
      return true
    }
    return try pending.filter { try !open.journal.isErased($0.id) }
  }
}
