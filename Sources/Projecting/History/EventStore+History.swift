public import Entities
public import Journal
internal import LMDB

extension EventStore {
  /// Gives a view of everything as of a commit of the past to `body`.
  ///
  /// State and projections are built from the journal up to that commit, in a temporary folder that
  /// is gone afterwards; everything that answers now answers for then. Runs on the caller's thread;
  /// readers and writers go on.
  ///
  /// - Throws: `JournalError` with `token` where the token is not of this history; what `body`
  ///   throws.
  /// - Complexity: O(commits up to the token), in bounded memory and as much disk as the views.
  public func read<Result: ~Copyable>(
    asOf token: Token, _ body: (borrowing View) throws -> Result
  ) throws -> Result {
    try past(asOf: token).read { try body($0) }
  }

  /// Everything as of a commit of the past, to be asked several times.
  package func past(asOf token: Token) throws -> PastStore {
    let folder = try TemporaryFolder()
    let journal = try openStore().journal
    try journal.check(token)
    let target = try builtViews(through: token, in: folder, projections: types)
    return PastStore(folder, OpenStore(journal: journal, views: target, stamp: nil))
  }

  /// Builds views of their own from the journal alone, up to a commit.
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

/// Everything as it was after a commit of the past: views of their own, gone with the object.
package final class PastStore: Sendable {
  private let folder: TemporaryFolder
  private let open: OpenStore

  fileprivate init(_ folder: TemporaryFolder, _ open: OpenStore) {
    self.folder = folder
    self.open = open
  }

  /// Gives a view to `body`, on the caller's thread; any number of threads may read at once.
  package func read<Result: ~Copyable>(
    _ body: (consuming View) throws -> Result
  ) throws -> Result {
    let view = try View(open)
    return try body(view)
  }
}

extension EventStore {
  /// The commits that changed an entity, oldest first, each with its changes of that entity alone.
  ///
  /// Where they lie is known from a first pass over history on, which is made when this is first asked; each
  /// question goes on from there. Of an entity that is gone, or whose id was given twice, history is gone
  /// through.
  ///
  /// - Throws: `JournalError` where a commit is damaged; reading may throw more, see ``History``.
  /// - Complexity: O(history) the first time, then O(changes of the entity and of what was recorded since).
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
      // An id that several kinds have, such as a fingerprint's, is rare enough.
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
      // Where a shared log has given a number to another entity, these are changes of both.
      commit.changes.removeAll { $0.id != entity }
      if !commit.changes.isEmpty { commits.append(commit) }
    }
    return commits
  }
}
