package import Entities
package import Journal

/// The record that a merge gives an entity.
package struct MergedRecord: Sendable {
  /// The kind of entity.
  package var kind: EntityKind
  /// Which one.
  package var id: EntityID
  /// Its record from now on; `nil` where it is gone.
  package var record: Record?
  /// The recording number that it gets where it is inserted; 0 where nobody has decided one yet.
  package var number: UInt64

  /// The record of an entity.
  package init(_ kind: EntityKind, _ id: EntityID, _ record: Record?, number: UInt64 = 0) {
    self.kind = kind
    self.id = id
    self.record = record
    self.number = number
  }
}

/// An entity that gets another recording number.
package struct Renumbering: Hashable, Sendable {
  /// The kind of entity.
  package var kind: EntityKind
  /// Which one.
  package var id: EntityID
  /// Its number from now on.
  package var number: UInt64

  /// An entity with its number from now on.
  package init(_ kind: EntityKind, _ id: EntityID, to number: UInt64) {
    self.kind = kind
    self.id = id
    self.number = number
  }
}

extension MergeContext {
  /// Appends a commit that gives entities other recording numbers.
  ///
  /// It deletes all of them, and inserts them again with the new numbers, so that two can swap theirs. Nobody sees State
  /// between the changes of one commit. Views find some entities by the numbers of others: a row's lists and sums by
  /// those of its accounts. So `references` are deleted and inserted with them, under their own numbers.
  ///
  /// - Parameters:
  ///   - entities: those with other numbers; all are in State, and no other entity has one of the numbers.
  ///   - references: those that refer to any of them.
  /// - Returns: where the entities with other numbers were.
  @discardableResult
  package func renumber(
    _ entities: [Renumbering], references: [(kind: EntityKind, id: EntityID)] = [],
    origin: CommitOrigin
  ) throws -> [(entity: Renumbering, place: StatePosition)] {
    var moves: [(place: StatePosition, old: StoredEntity, kind: EntityKind, number: UInt64)] = []
    func add(_ kind: EntityKind, _ id: EntityID, _ number: UInt64?) throws {
      guard let old = try entity(kind, id) else { return }
      let place = StatePosition(cluster: try cluster(of: old.record, kind), number: old.number)
      moves.append((place, old, kind, number ?? old.number))
    }
    for entity in entities { try add(entity.kind, entity.id, entity.number) }
    let renumbered = moves
    for one in references { try add(one.kind, one.id, nil) }
    // Entities that refer to others are of a later kind: they go first, and come last.
    moves.sort { ($0.kind.rawValue, $0.number) < ($1.kind.rawValue, $1.number) }
    var changes = moves.reversed().map { move in
      Change(
        kind: move.kind, id: move.old.id, number: move.old.number, before: move.old.record,
        after: nil)
    }
    changes += moves.map { move in
      Change(
        kind: move.kind, id: move.old.id, number: move.number, before: nil, after: move.old.record)
    }
    try append(changes, origin: origin, source: CommitHeader.renumberingSource)
    return renumbered.map { (Renumbering($0.kind, $0.old.id, to: $0.number), $0.place) }
  }
}
