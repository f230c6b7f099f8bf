internal import DaybookEntities
internal import DaybookJournal
internal import DaybookLMDB

/// A generation of views that is built next to the live one.
///
/// Unchecked `Sendable`: the thread that builds the generation hands it over to the writer's
/// thread, which completes it. The two threads never use it at the same time.
final class ViewsSuccessor: @unchecked Sendable {
  let target: ViewsStore
  private let folder: StoreFolder
  private let home: Home
  let schema: Schema
  private let clusterTags: ClusterTags
  private let cores: [ProjectorCore]
  private let numbers = NumberCache()
  /// The number of erasures in the journal when the build started.
  private var erasureCount = 0
  /// The problems found in the live views.
  var report = VerificationReport()

  private enum Home {
    /// A generation in the ledger's folder.
    ///
    /// The lock is held until the generation becomes live, so that no other process deletes it.
    case ledger(Generation, WriterLock)
    /// A temporary folder, for views that never become live.
    case temporary(TemporaryFolder)
  }

  /// Reserves a generation and creates empty views for it.
  ///
  /// `WRITER` is held only during the reservation.
  convenience init(
    _ folder: StoreFolder, schema: Schema, types: [any Projection.Type],
    options: EventStoreOptions
  ) throws {
    let (generation, building) = try folder.reserve(.views)
    do {
      try self.init(
        .ledger(generation, building), folder.viewsPath(generation.number), generation.number,
        folder, schema, types, options)
    } catch {
      folder.discard(generation, building)
      throw error
    }
  }

  /// Creates empty views in the folder for temporary files, without writing to the ledger's folder.
  convenience init(
    temporaryFor folder: StoreFolder, schema: Schema, types: [any Projection.Type],
    options: EventStoreOptions
  ) throws {
    let place = try TemporaryFolder()
    try self.init(
      .temporary(place), place.path + "/views", 0, folder, schema, types, options)
  }

  private init(
    _ home: Home, _ path: String, _ number: UInt32, _ folder: StoreFolder, _ schema: Schema,
    _ types: [any Projection.Type], _ options: EventStoreOptions
  ) throws {
    self.home = home
    self.folder = folder
    self.schema = schema
    clusterTags = ClusterTags(schema)
    target = try ViewsStore(
      path: path, generation: number, folder: folder, projections: types,
      options: options.environmentOptions(.deferred))
    cores = types.map { ProjectorCore($0) }
  }

  /// Builds the views as of a commit of the journal.
  ///
  /// - Parameter live: The live views, whose projections of a newer version are left out; `nil` to
  ///   build every projection.
  func build(
    from journal: JournalStore, besides live: ViewsStore?, through checkpoint: Checkpoint,
    _ cancellation: Cancellation, _ progress: (@Sendable (RebuildProgress) -> Void)?
  ) throws {
    erasureCount = try journal.erasureCount()
    try ViewsBuild(
      journal: journal, clusterTags: clusterTags, target: target,
      newerVersions: live?.newerVersions() ?? [], progress: progress, cancellation: cancellation
    ).run(through: checkpoint)
    try target.tellStatuses(to: cores)
  }

  /// Returns the newest commit in the views.
  func checkpoint() throws -> Checkpoint {
    try target.environment.read { try target.head(in: $0.view).checkpoint }
  }

  /// Applies the journal's commits after the newest commit in the views, up to `head`.
  ///
  /// - Throws: ``Overtaken`` if text was erased from the journal since the build started;
  ///   ``ProjectingError`` with `damaged` if the journal was replaced.
  func catchUp(
    with journal: JournalStore, to head: Head, _ cancellation: Cancellation = Cancellation(),
    _ progress: (@Sendable (RebuildProgress) -> Void)? = nil
  ) throws {
    guard try journal.erasureCount() == erasureCount else { throw Overtaken() }
    let start = try checkpoint()
    guard start.sequence < head.sequence else { return }
    guard try journal.link(of: start.sequence) == start.link else {
      throw ProjectingError(
        .damaged,
        "Commit \(start.sequence) is not the one that the new views were built from: the journal "
          + "was replaced in the meantime. Rebuild again.")
    }
    let count = Double(head.sequence - start.sequence)
    let meter = PhaseProgress(.catchUp, unitCount: count, progress)
    let replay = ViewsReplay(
      journal: journal, schema: schema, newBatch: { try self.newBatch() },
      didCommit: {
        try cancellation.check()
        meter.at(Double($0.sequence - start.sequence) / count)
      })
    try replay.run(from: start, through: head.sequence, into: newBatch())
  }

  private func newBatch() throws -> ViewsBatch {
    try ViewsBatch(target, clusterTags: clusterTags, numbers: numbers, projectors: cores)
  }

  /// Checks in constant time that the views are ready to become live.
  ///
  /// The views must contain the journal's newest commit and as many ids as entities. If the live
  /// views contain the same commit, the number of rows in each table is compared too. A difference
  /// is reported as a problem of the live views, because the new ones were built from the journal.
  ///
  /// - Throws: ``ProjectingError`` with `damaged` if the new views fail the check.
  func check(against live: ViewsStore?, _ head: Head) throws {
    let fresh = try target.environment.beginRead()
    let view = fresh.view
    let reached = try target.head(in: view).checkpoint
    let ids = try view.count(of: target.state.ids)
    let rows = try view.count(of: target.state.rows)
    guard reached.sequence == head.sequence, reached.link == head.link, ids == rows else {
      throw ProjectingError(
        .damaged,
        "The new views are at commit \(reached.sequence) with \(rows) entities and \(ids) ids, but "
          + "the journal is at \(head.sequence). The old views are kept. Verify the ledger, and "
          + "rebuild again.")
    }
    guard let live else { return }
    do {
      let other = try live.environment.beginRead()
      guard try live.head(in: other.view).checkpoint == reached else { return }
      let found = try other.view.count(of: live.state.rows)
      if found != rows {
        note("State: the old views had \(found) entities, but history gives \(rows)")
      }
      for (old, new) in zip(live.registered, target.registered) {
        guard let before = try live.currentHandle(of: old, in: other.view),
          let after = try target.currentHandle(of: new, in: view)
        else { continue }
        for (index, definition) in new.type.tables.enumerated() {
          let left = try other.view.count(of: before[index].database)
          let right = try view.count(of: after[index].database)
          if left != right {
            note(
              "\(new.name).\(definition.name): there were \(left) rows, but history gives \(right)")
          }
        }
      }
    } catch {
      note("The old views could not be read: \(error)")
    }
  }

  private func note(_ message: String) {
    let finding = VerificationReport.Finding(
      message: message + ". The new views are used.", sequence: nil)
    report.findings.append(finding)
  }

  /// Allows other processes to delete the generation once it is no longer live.
  func end() {
    if case .ledger(_, let building) = home { building.release() }
  }

  /// Deletes the views if they haven't become live.
  func discard() {
    switch home {
    case .ledger(let generation, let building):
      guard !folder.isLive(generation) else { return }
      try? target.environment.close()
      folder.discard(generation, building)
    case .temporary:
      // The folder is deleted when this object is deallocated.
      try? target.environment.close()
    }
  }
}

extension ViewsStore {
  /// Returns the tables of a registered projection, or `nil` if it isn't current.
  func currentHandle(of entry: Registered, in view: TransactionView) throws -> ProjectionHandle? {
    guard let status = try status(of: entry, in: view), status.version == entry.version,
      status.condition == .current
    else { return nil }
    return entry.handle
  }
}

extension StoreFolder {
  /// Reserves a number and creates the folder of a new generation; `WRITER` is held only during
  /// this call.
  func reserve(_ kind: GenerationKind) throws -> (Generation, WriterLock) {
    try withWriter { lock in
      let generation = Generation(kind: kind, number: try reserveGeneration(holding: lock))
      return (generation, try beginBuilding(generation))
    }
  }

  /// Returns whether `CURRENT` names this generation or can't be read.
  ///
  /// A switch of generations can fail after `CURRENT` has been replaced. In that case, the new
  /// generation must not be deleted.
  func isLive(_ generation: Generation) -> Bool {
    do {
      let live = try current()
      return generation.number == (generation.kind == .journal ? live.journal : live.views)
    } catch {
      return true
    }
  }

  /// Deletes an unfinished generation; if that fails, the next open deletes it.
  func discard(_ generation: Generation, _ building: WriterLock) {
    building.release()
    do {
      try withWriter { try remove(generation, holding: $0) }
    } catch {
      // The folder is no longer marked as being built, so the next open deletes it.
    }
  }
}
