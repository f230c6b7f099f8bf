public import DaybookEntities
public import DaybookJournal
internal import DaybookLMDB

extension EventStore {
  /// Calls `body` with a view of the store as of a past commit.
  ///
  /// State and the projections are built from the journal up to that commit, in a temporary folder
  /// that is deleted afterward. Every query works on this view. The work runs on the caller's
  /// thread and blocks neither readers nor writers.
  ///
  /// - Throws: `JournalError` with `token` if the token is not part of this history; the errors of
  ///   `body`.
  /// - Complexity: O(commits up to the token), with bounded memory and as much disk space as the
  ///   views.
  public func read<Result: ~Copyable>(
    asOf token: Token, _ body: (borrowing View) throws -> Result
  ) throws -> Result {
    try past(asOf: token).read { try body($0) }
  }

  /// Returns the store as of a past commit, for several queries.
  package func past(asOf token: Token) throws -> PastStore {
    let folder = try TemporaryFolder()
    let journal = try openStore().journal
    try journal.check(token)
    let target = try builtViews(through: token, in: folder, projections: types)
    return PastStore(folder, OpenStore(journal: journal, views: target, stamp: nil))
  }

  /// Builds temporary views from the journal, up to a commit.
  func builtViews(
    through token: Token, in folder: TemporaryFolder, projections: [any Projection.Type],
    progress: (@Sendable (RebuildProgress) -> Void)? = nil
  ) throws -> ViewsStore {
    let journal = try openStore().journal
    let target = try ViewsStore(
      path: folder.path + "/views", generation: 0, folder: self.folder, projections: projections,
      options: options.environmentOptions(.deferred))
    try ViewsBuild(
      journal: journal, clusterTags: ClusterTags(schema), target: target, newerVersions: [],
      progress: progress
    ).run(through: Checkpoint(sequence: token.sequence, link: try journal.link(at: token.sequence)))
    return target
  }
}

/// The store as of a past commit: separate views that are deleted with this object.
package final class PastStore: Sendable {
  private let folder: TemporaryFolder
  private let open: OpenStore

  fileprivate init(_ folder: TemporaryFolder, _ open: OpenStore) {
    self.folder = folder
    self.open = open
  }

  /// Calls `body` with a view, on the caller's thread; several threads may read at once.
  package func read<Result: ~Copyable>(
    _ body: (consuming View) throws -> Result
  ) throws -> Result {
    let view = try View(open)
    return try body(view)
  }
}

extension EventStore {
  /// Returns the commits that changed an entity, oldest first, each with only its changes to that
  /// entity.
  ///
  /// The first call builds an index in one pass over history; later calls add new commits to it. If
  /// the entity was deleted, or if its id was used twice, the call searches all of history instead.
  ///
  /// - Throws: `JournalError` if a commit is damaged. Reading the result may throw other errors;
  ///   see ``History``.
  /// - Complexity: O(history) for the first call, then O(changes of the entity + changes recorded
  ///   since the last call).
  public func timeline(of entity: EntityID) throws -> History {
    var filter = HistoryFilter()
    filter.entities = [entity]
    let all = try history(matching: filter)
    guard let commits = try indexedTimeline(of: entity) else { return all }
    return all.holding(commits)
  }

  private func indexedTimeline(of entity: EntityID) throws -> [Commit]? {
    let view = try view()
    let journal = view.open.journal
    var found: (kind: EntityKind, number: UInt64)?
    for kind in schema.kinds {
      guard let position = try view.position(of: entity, kind: kind.kind) else { continue }
      // Only a few ids, such as a fingerprint's, are used by several kinds.
      if found != nil { return nil }
      found = (kind.kind, position.number)
    }
    guard let found else { return nil }
    _ = consume view
    let places = try changeIndex.withLock { kept -> [ChangePlace]? in
      let known = kept.take()
      var index = try known ?? ChangeIndex(journal)
      if try !index.isOf(journal) { index = try ChangeIndex(journal) }
      try index.follow(journal)
      let places = try index.places(
        of: entity, found.kind, number: found.number, in: journal)
      kept = index
      return places
    }
    guard let places else { return nil }
    var commits: [Commit] = []
    for (sequence, changes) in Dictionary(grouping: places, by: \.sequence).sorted(by: {
      $0.key < $1.key
    }) {
      var commit = try journal.commit(at: sequence, changesAt: changes.map(\.offset).sorted())
      // If a shared log has reassigned the number, `places` also includes another entity's changes.
      commit.changes.removeAll { $0.id != entity }
      if !commit.changes.isEmpty { commits.append(commit) }
    }
    return commits
  }
}
