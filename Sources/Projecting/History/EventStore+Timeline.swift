public import Entities
internal import Journal
internal import LMDB

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
      guard
        var commit = try journal.commit(at: sequence, changesAt: changes.map(\.offset).sorted())
      else { return nil }
      // Where a shared log has given a number to another entity, these are changes of both.
      commit.changes.removeAll { $0.id != entity }
      if !commit.changes.isEmpty { commits.append(commit) }
    }
    return commits
  }
}
