internal import DaybookEntities
internal import DaybookJournal
internal import DaybookLMDB

extension Writer {
  /// Builds a new generation of views from the journal and makes it live.
  ///
  /// The live views stay unchanged until the new ones are complete. If the process dies earlier,
  /// the next open deletes the unfinished generation.
  ///
  /// - Parameters:
  ///   - loss: The commits that the journal lacks according to the live views, if any; the live
  ///     views are then kept.
  /// - areDamaged: Whether the live views are damaged and must be neither read nor written.
  ///   - progress: Called from time to time.
  func rebuildViews(
    noting loss: JournalLoss? = nil, areDamaged: Bool = false,
    progress: (@Sendable (RebuildProgress) -> Void)? = nil
  ) throws {
    if options.isEphemeral { return try rebuildEphemeralViews(progress) }
    guard let lock = currentLock else {
      return try withLock {
        try rebuildViews(noting: loss, areDamaged: areDamaged, progress: progress)
      }
    }
    let generation = try folder.reserveGeneration(holding: lock)
    let path = folder.viewsPath(generation)
    try whileBuilding(Generation(kind: .views, number: generation), lock) {
      let target = try ViewsStore(
        path: path, generation: generation, folder: folder, projections: types,
        options: options.environmentOptions(.deferred))
      try build(target, progress, newerVersions: areDamaged ? [] : newerVersions())
      if !areDamaged { carryForeign(to: target) }
      progress?(RebuildProgress(phase: .flush, fraction: 0))
      try target.environment.flush()
      try flip(to: target, noting: loss, areDamaged: areDamaged, lock)
    }
    progress?(RebuildProgress(phase: .flush, fraction: 1))
  }

  /// Runs `body`, which reads or updates the views; if they turn out to be damaged, rebuilds them
  /// from the journal and runs `body` again.
  func replacingDamagedViews<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error
      where error.tellsOfDamage(in: open.views) && open.journal.readOnlyReason == nil
    {
      options.trace?("views are damaged: \(error)")
      try rebuildViews(areDamaged: true)
      let damage = ProjectingError(
        .damaged, "The views were damaged, and were rebuilt from the journal.", cause: error)
      published.viewsDamage.withLock { $0 = damage }
      return try body()
    }
  }

  /// Marks a generation as being built while `body` builds it, and deletes it if `body` throws.
  func whileBuilding<Result>(
    _ generation: Generation, _ lock: WriterLock, _ body: () throws -> Result
  ) throws -> Result {
    let building = try folder.beginBuilding(generation)
    defer { building.release() }
    do {
      return try body()
    } catch {
      // A generation that is already live is not deleted.
      try? folder.remove(generation, holding: lock)
      throw error
    }
  }

  /// Makes flushed and complete views live; the caller must hold `WRITER`.
  func flip(
    to target: ViewsStore, noting loss: JournalLoss? = nil, areDamaged: Bool = false,
    _ lock: WriterLock
  ) throws {
    try folder.flush(Generation(kind: .views, number: target.generation))
    if !areDamaged {
      try retireViews()
      if loss != nil { try flushViews() }
    }
    options.trace?("before flip")
    var next = try folder.current()
    let old = Generation(kind: .views, number: next.views)
    next.views = target.generation
    if let loss { next.loss = loss }
    try published.whileFlipping {
      try folder.setCurrent(next, holding: lock)
      options.trace?("after flip")
      published.open = OpenStore(
        journal: open.journal, views: target, stamp: try folder.currentStamp(), loss: next.loss)
    }
    if let newer = published.open { try adopt(newer) }
    if next.keeps(old) { return }
    do {
      try folder.remove(old, holding: lock)
    } catch {
      // The next open deletes the old views.
      options.trace?("old views cannot be removed: \(error)")
    }
  }

  /// Returns the projections of this process that a newer program maintains in the live views.
  ///
  /// Returns none if the live views can't be read.
  private func newerVersions() -> Set<String> {
    do {
      return try open.views.newerVersions()
    } catch {
      options.trace?("views do not tell their projections: \(error)")
      return []
    }
  }

  /// Copies the statuses of other programs' projections to new views if the live views can be read.
  func carryForeign(to target: ViewsStore) {
    do {
      try target.carry(from: open.views)
    } catch {
      options.trace?("projections of other programs are forgotten: \(error)")
    }
  }

  /// Makes readers in other processes check `CURRENT`; called before `CURRENT` is replaced.
  ///
  /// Errors while writing the old views are ignored, because damaged views must not prevent their
  /// own replacement. Readers also check `CURRENT` periodically.
  func retireViews() throws {
    try markSession()
    do { try open.views.retire() } catch { options.trace?("views cannot be retired: \(error)") }
  }

  /// Fills new views with all commits of the journal.
  private func build(
    _ target: ViewsStore, _ progress: (@Sendable (RebuildProgress) -> Void)?,
    newerVersions: Set<String>
  ) throws {
    let head = try open.journal.head()
    try ViewsBuild(
      journal: open.journal, clusterTags: clusterTags, target: target,
      newerVersions: newerVersions, progress: progress
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
    try build(target, progress, newerVersions: newerVersions())
    let newer = OpenStore(journal: open.journal, views: target, stamp: nil)
    published.open = newer
    try adopt(newer)
  }

  /// Builds projections that are new, outdated or behind, unless other projections can already be
  /// read.
  ///
  /// - Returns: Whether the projections must be built in new views because the live views are in
  ///   use.
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

  /// Discards the tables of the given projections and of projections derived from them, and
  /// rebuilds them in place.
  ///
  /// Until they are rebuilt, queries of these projections report that they are behind.
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
    // Skip projections that a newer program maintains.
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
