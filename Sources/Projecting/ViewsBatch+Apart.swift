internal import Entities
internal import LMDB

/// Large batches: the projections that ask State of nothing are told and written by a second thread, while
/// the writer's thread brings State past the changes and tells the others.
extension ViewsBatch {
  /// The fewest changes for which it pays to wake the other thread.
  static let changeCountMinApart = 32

  /// Whether a projection can be told by another thread than the one that brings State past the changes.
  func isApart(_ projector: ProjectorCore) -> Bool {
    !projector.readsState && projector.derived == nil
  }

  /// Brings State and the projections past the changes of a batch.
  ///
  /// What goes wrong with writing those that are told apart is thrown when the batch is prepared, like what
  /// goes wrong with the others; at once only where State cannot take the changes either.
  ///
  /// - Parameters:
  ///   - changes: all that the batch applies.
  ///   - previous: the commit that the views held before.
  ///   - aside: the other thread.
  func apply(_ changes: [Change], after previous: Checkpoint, with aside: AsideThread) throws {
    let others = projectors.filter { $0.derived == nil && !isApart($0) }
    let isLarge = changes.count >= ViewsBatch.changeCountMinApart
    guard isLarge, projectors.contains(where: isApart) else {
      for change in changes { try apply(change) }
      return
    }
    precondition(apart == nil, "the changes of a batch are applied at once")
    var tags: Set<ChangeTag> = []
    var failure: (any Error)?
    let outcome = try aside.run {
      tags = try applyApart(changes, after: previous)
    } beside: {
      do {
        for change in changes { try apply(change, telling: others) }
      } catch {
        failure = error
      }
    }
    if let failure {
      // The first fault makes LMDB refuse what follows, and only the first says why.
      _ = try outcome.get()
      throw failure
    }
    apart = outcome.map { tags }
  }

  /// Tells those that ask State of nothing, and writes what they have gathered.
  ///
  /// - Returns: what readers find changed.
  private func applyApart(
    _ changes: [Change], after previous: Checkpoint
  ) throws -> Set<ChangeTag> {
    var tags: Set<ChangeTag> = []
    let told = projectors.filter(isApart)
    for change in changes {
      let projected = ProjectedChange(
        kind: change.kind, id: change.id, number: change.number, before: change.before,
        after: change.after)
      for projector in told { projector.apply(projected, reading: self) }
    }
    for (position, projector) in projectors.enumerated() where isApart(projector) {
      tags.formUnion(
        try withTransaction {
          try projector.flush(
            store.registered[position], previous: previous, into: &$0, meta: store.meta)
        })
    }
    return tags
  }
}
