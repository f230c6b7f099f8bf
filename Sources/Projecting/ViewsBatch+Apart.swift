internal import Entities
internal import LMDB

/// Large batches: a second thread brings State past the changes and tells the projections that ask it of
/// anything, while the writer's thread decides what follows and tells the others.
extension ViewsBatch {
  /// Whether a projection can be told by another thread than the one that brings State past the changes.
  private func isApart(_ projector: ProjectorCore) -> Bool {
    !projector.readsState && projector.derived == nil
  }

  /// Whether a projection is told by the thread that brings State past the changes.
  func isFollowing(_ projector: ProjectorCore) -> Bool {
    projector.readsState && projector.derived == nil
  }

  // MARK: The second thread

  /// Brings State, and the projections that ask it of anything, past the changes that are given, and writes
  /// what they have gathered once all is decided.
  func follow(_ feed: ChangeFeed, after previous: Checkpoint) throws {
    let told = projectors.filter(isFollowing)
    var failure: (any Error)?
    while true {
      for step in feed.next() {
        switch step {
        case .apply(let changes):
          if failure != nil { continue }
          do {
            for change in changes { try apply(change, telling: told) }
          } catch {
            failure = error
          }
        case .takeBack:
          forgetApplied()
          failure = nil
        case .end(let isDecided):
          if !isDecided { return }
          feed.tell(failure)
          if failure == nil { try write(after: previous, isFollowing) }
          return
        }
      }
    }
  }

  // MARK: The writer's thread

  /// Tells those that ask State of nothing.
  func tellApart(_ changes: [Change]) {
    let told = projectors.filter(isApart)
    if told.isEmpty { return }
    for change in changes {
      let projected = ProjectedChange(
        kind: change.kind, id: change.id, number: change.number, before: change.before,
        after: change.after)
      for projector in told { projector.apply(projected, reading: self) }
    }
  }

  /// Writes what those have gathered.
  func writeApart(after previous: Checkpoint) throws {
    changedApart = try writeProjections(after: previous, isApart)
  }
}
