internal import Entities
internal import Journal
internal import LMDB

extension Writer {
  /// Builds a new generation of views from the journal and makes it the live one.
  ///
  /// Until the very end nothing of the live views is touched; a process that dies meanwhile leaves
  /// them as they were, and the unfinished generation is removed at the next open.
  func rebuildViews(progress: (@Sendable (RebuildProgress) -> Void)? = nil) throws {
    if options.isEphemeral { return try rebuildEphemeralViews(progress) }
    guard let lock = currentLock else {
      return try withLock { try rebuildViews(progress: progress) }
    }
    let generation = try folder.reserveGeneration(holding: lock)
    let path = folder.viewsPath(generation)
    try whileBuilding(Generation(kind: .views, number: generation), lock) {
      let target = try ViewsStore(
        path: path, generation: generation, folder: folder, projections: types,
        options: options.environmentOptions(.deferred))
      try build(target, progress)
      carryForeign(to: target)
      progress?(RebuildProgress(phase: .flush, fraction: 0))
      try target.environment.flush()
      try flip(to: target, lock)
    }
    progress?(RebuildProgress(phase: .flush, fraction: 1))
  }

  /// Marks a generation as being built while `body` builds it, and removes it where that fails.
  func whileBuilding<Result>(
    _ generation: Generation, _ lock: WriterLock, _ body: () throws -> Result
  ) throws -> Result {
    let building = try folder.beginBuilding(generation)
    defer { building.release() }
    do {
      return try body()
    } catch {
      // If it has become live before something else failed, it is left alone.
      try? folder.remove(generation, holding: lock)
      throw error
    }
  }

  /// Makes views that are flushed and hold everything the live ones; the caller holds `WRITER`.
  func flip(to target: ViewsStore, _ lock: WriterLock) throws {
    try folder.flush(Generation(kind: .views, number: target.generation))
    try retireViews()
    options.trace?("before flip")
    var next = try folder.current()
    let old = Generation(kind: .views, number: next.views)
    next.views = target.generation
    try published.whileFlipping {
      try folder.setCurrent(next, holding: lock)
      options.trace?("after flip")
      published.open = OpenStore(
        journal: open.journal, views: target, stamp: try folder.currentStamp())
    }
    if let newer = published.open { try adopt(newer) }
    do {
      try folder.remove(old, holding: lock)
    } catch {
      // The next open removes it.
      options.trace?("old views cannot be removed: \(error)")
    }
  }

  /// The projections of this process that a newer program keeps; none where the live views cannot
  /// say so any more.
  private func newerVersions() -> Set<String> {
    do {
      return try open.views.newerVersions()
    } catch {
      options.trace?("views do not tell their projections: \(error)")
      return []
    }
  }

  /// Has new views remember the projections of other programs, where the live views can still say.
  func carryForeign(to target: ViewsStore) {
    do {
      try target.carry(from: open.views)
    } catch {
      options.trace?("projections of other programs are forgotten: \(error)")
    }
  }

  /// Has readers of other processes look at `CURRENT`, which is about to be replaced.
  ///
  /// Views that cannot be written any more must not keep a rebuild from replacing them; who reads
  /// them looks at `CURRENT` now and then in any case.
  func retireViews() throws {
    try markSession()
    do { try open.views.retire() } catch { options.trace?("views cannot be retired: \(error)") }
  }

  /// Fills new views with everything up to the journal's head.
  private func build(
    _ target: ViewsStore, _ progress: (@Sendable (RebuildProgress) -> Void)?
  ) throws {
    let head = try open.journal.head()
    try ViewsBuild(
      journal: open.journal, clusterTags: clusterTags, target: target,
      newerVersions: newerVersions(), progress: progress
    ).run(through: Checkpoint(head))
    news = Checkpoint(head)
  }

  private func rebuildEphemeralViews(
    _ progress: (@Sendable (RebuildProgress) -> Void)?
  ) throws {
    let path = "\(folder.path)/views-again-\(open.views.generation + 1)"
    let target = try ViewsStore(
      path: path, generation: open.views.generation + 1, folder: folder, projections: types,
      options: options.environmentOptions(.deferred))
    try build(target, progress)
    let newer = OpenStore(journal: open.journal, views: target, stamp: nil)
    published.open = newer
    try adopt(newer)
  }

  /// Builds the projections that are new here, older than this process knows them, or left behind,
  /// where nothing else answers meanwhile.
  ///
  /// - Returns: whether they are to be built beside the live views, which answer for others.
  func buildMissingProjections() throws -> Bool {
    let views = open.views
    let (missing, doesAnswer) = try views.environment.read {
      try views.missingProjections(in: $0.view)
    }
    guard !missing.isEmpty else { return false }
    let sequence = try views.environment.read { try views.head(in: $0.view).checkpoint.sequence }
    if doesAnswer, sequence > 0, !options.isEphemeral { return true }
    try buildInPlace(missing)
    return false
  }

  /// Discards the tables of projections, and of those that are derived from them, and builds them anew
  /// from State where they are.
  ///
  /// Until that is done their queries say that they are behind.
  func invalidate(_ types: [any Projection.Type]) throws {
    guard options.isEphemeral || currentLock != nil else {
      return try withLock { try invalidate(types) }
    }
    try adoptCurrentGenerations()
    var wanted = Set(types.map { $0.name })
    let entries = open.views.registered.filter { entry in
      let sources = (entry.type as? any DerivedProjection.Type)?.sources ?? []
      guard wanted.contains(entry.name) || sources.contains(where: { wanted.contains($0.name) })
      else { return false }
      wanted.insert(entry.name)
      return true
    }
    // What a newer program keeps is its own.
    let newer = newerVersions()
    try buildInPlace(entries.filter { !newer.contains($0.name) })
  }

  private func buildInPlace(_ entries: [ViewsStore.Registered]) throws {
    let views = open.views
    try markSession()
    try views.environment.write { transaction in
      for entry in entries {
        let status = ProjectionStatus(version: entry.version, condition: .behind)
        try transaction.put(entry.statusKey, status.bytes, in: views.meta)
      }
      try views.put(ViewsHead(views.head(in: transaction.view).checkpoint), into: &transaction)
    }
    let sequence = try views.environment.read { try views.head(in: $0.view).checkpoint.sequence }
    try ProjectionLoader(target: views, entries: entries, sequence: sequence).load()
    try adoptStatuses()
  }
}
