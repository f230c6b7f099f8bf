import DaybookEntities
import DaybookMerging

// What concerns entities that take in others.
extension NaiveRun {
  /// The entities that a commit leaves as they are, although it takes one of them in.
  ///
  /// Unknown to its author, one of the two is gone, or the other one has taken in something else.
  mutating func refusedAbsorptions(_ placed: Placed) -> Set<EntityKey> {
    let commit = placed.commit
    var refused: Set<EntityKey> = []
    for change in commit.changes {
      guard let rule = model.rules.kinds[change.key.kind]?.absorption, let after = change.after,
        let before = change.before, let id = rule.absorbed(after), id != rule.absorbed(before),
        !model.has(.absorptionsAreMerged)
      else { continue }
      let other = EntityKey(change.key.kind, id)
      let deletes = commit.changes.contains {
        $0.key == other && $0.before != nil && $0.after == nil
      }
      guard deletes else { continue }
      var rivals: [Writer] = []
      for key in [other, change.key] {
        guard let entity = entities[key], entity.isDeleted else { continue }
        rivals += entity.deletions.filter { !saw(commit, $0) }.suffix(1)
      }
      if let writer = entities[change.key]?.writers[rule.register], !saw(commit, writer) {
        rivals.append(writer)
      }
      guard let rival = rivals.first else { continue }
      refused.formUnion([change.key, other])
      report(change, placed, rule.register, rival)
    }
    for key in refused { entities[key] = entities[key] ?? NaiveEntity() }
    return refused
  }

  private mutating func report(
    _ change: EntityChange, _ placed: Placed, _ register: Register, _ rival: Writer
  ) {
    let commit = placed.commit
    let kind = change.key.kind
    let writer = Writer(
      position: placed.position, replica: commit.replica, number: commit.number,
      clock: commit.clock, received: placed.received)
    let (old, new) = (split(change.before, kind), split(change.after, kind))
    let standing = entities[change.key] ?? NaiveEntity()
    let changed = Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }.sorted()
    let lost = changed.map { own in
      LostValue(
        own, lost: contender(new[own] ?? [:], writer),
        won: contender(
          standing.values[own] ?? [:], own == register ? rival : standing.writers[own]))
    }
    let id = FindingID(
      replica: commit.replica, number: commit.number, key: change.key, rule: .notAbsorbed)
    findings[id] = Finding(id: id, values: lost)
  }
}
