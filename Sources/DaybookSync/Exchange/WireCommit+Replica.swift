import DaybookBookkeeping
import DaybookEntities
import DaybookMerging
import DaybookSyncWire

extension WireCommit {
  /// Creates the wire form of a replica's commit.
  ///
  /// - Parameters:
  ///   - link: The log's link at the commit's base.
  ///   - state: The proof of State at the base; zero if it isn't known.
  init(_ commit: ReplicaCommit, link: Hash256, state: Hash256) {
    self.init(
      number: commit.number, foldVersion: Fold.version, leastFoldVersion: commit.version,
      baseLink: link, baseState: state,
      continues: commit.continues.map {
        Continuation(replica: $0.replica.rawValue, number: $0.number)
      },
      hasIndependentChanges: commit.hasIndependentChanges, attributes: commit.attributes,
      changes: commit.changes.map { change in
        WireChange(
          kind: change.key.kind, id: change.key.id, before: change.before, after: change.after,
          tombstone: change.tombstone, isMade: change.isMade, isErasure: change.isErasure,
          personalTags: KindDescription.of(change.key.kind)?.personalTags.sorted() ?? [])
      })
  }
}

extension ReplicaCommit {
  /// Creates a commit from its wire form and the header of its last part.
  init(_ commit: WireCommit, _ header: EntryHeader) {
    self.init(
      replica: ReplicaID(rawValue: header.replica), number: commit.number, base: header.base,
      clock: header.clock, version: commit.leastFoldVersion,
      continues: commit.continues.map {
        Continuation(replica: ReplicaID(rawValue: $0.replica), number: $0.number)
      },
      hasIndependentChanges: commit.hasIndependentChanges, attributes: commit.attributes,
      changes: commit.changes.map { change in
        EntityChange(
          DaybookMerging.EntityKey(change.kind, change.id), before: change.before,
          after: change.after,
          tombstone: change.tombstone, isMade: change.isMade, isErasure: change.isErasure)
      })
  }
}
