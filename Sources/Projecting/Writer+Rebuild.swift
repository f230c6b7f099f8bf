internal import Entities
internal import Journal
internal import LMDB

/// How far a long operation is.
public struct RebuildProgress: Hashable, Sendable {
  /// What is being done.
  public enum Phase: String, Hashable, Sendable {
    /// The current entities are gathered from the journal.
    case state
    /// The projections are built from the current entities.
    case projections
    /// The new views are brought to the disk.
    case flush
  }

  /// What is being done.
  public let phase: Phase
  /// How much of it is done, 0 to 1.
  public let fraction: Double
}

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
    let building = try folder.beginBuilding(Generation(kind: .views, number: generation))
    let target = try ViewsStore(
      path: path, generation: generation, folder: folder, projections: types,
      options: options.environmentOptions(.deferred))
    try build(target, progress)
    progress?(RebuildProgress(phase: .flush, fraction: 0))
    try target.environment.flush()
    building.release()
    try retireViews()
    options.trace?("before flip")
    var next = try folder.current()
    let old = Generation(kind: .views, number: next.views)
    next.views = generation
    try published.whileFlipping {
      try folder.setCurrent(next, holding: lock)
      options.trace?("after flip")
      published.open = OpenStore(
        journal: open.journal, views: target, stamp: try folder.currentStamp())
    }
    if let newer = published.open { try adopt(newer) }
    try folder.remove(old, holding: lock)
    progress?(RebuildProgress(phase: .flush, fraction: 1))
  }

  /// Has readers of other processes look at `CURRENT`, which is about to be replaced.
  ///
  /// Views that cannot be written any more must not keep a rebuild from replacing them; who reads
  /// them looks at `CURRENT` now and then in any case.
  private func retireViews() throws {
    try markSession()
    do { try open.views.retire() } catch { options.trace?("views cannot be retired: \(error)") }
  }

  /// Fills new views with everything up to the journal's head.
  private func build(
    _ target: ViewsStore, _ progress: (@Sendable (RebuildProgress) -> Void)?
  ) throws {
    let head = try open.journal.head()
    try StateLoader(
      journal: open.journal, clusterTags: clusterTags, target: target, through: head.sequence,
      progress: { progress?(RebuildProgress(phase: .state, fraction: $0)) }
    ).load()
    try ProjectionLoader(
      target: target, entries: target.registered, sequence: head.sequence,
      progress: { progress?(RebuildProgress(phase: .projections, fraction: $0)) }
    ).load()
    try target.environment.write { transaction in
      let checkpoint = Checkpoint(sequence: head.sequence, link: head.link)
      try target.put(ViewsHead(checkpoint), into: &transaction)
      // How things came to be is not known here: everything counts as changed by the last commit.
      try target.put(ChangeStamps(base: head.sequence), into: &transaction)
      news = checkpoint
    }
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

  /// Builds the projections that are new here, older than this process knows them, or left behind.
  func buildMissingProjections() throws {
    let views = open.views
    let missing = try views.environment.read { transaction in
      try views.registered.filter { entry in
        guard let value = try transaction.get(entry.statusKey.span.bytes, in: views.meta) else {
          return true
        }
        let status = try ProjectionStatus(value)
        return status.version < entry.version
          || (status.version == entry.version && status.condition == .behind)
      }
    }
    guard !missing.isEmpty else { return }
    try markSession()
    hasUnflushedViews = true
    try views.environment.write { transaction in
      for entry in missing {
        let status = ProjectionStatus(version: entry.version, condition: .behind)
        try transaction.put(entry.statusKey, status.bytes, in: views.meta)
      }
      try views.put(ViewsHead(views.head(in: transaction.view).checkpoint), into: &transaction)
    }
    let sequence = try views.environment.read { try views.head(in: $0.view).checkpoint.sequence }
    try ProjectionLoader(
      target: views, entries: missing, sequence: sequence, progress: { _ in }
    ).load()
    try adoptStatuses()
  }
}
