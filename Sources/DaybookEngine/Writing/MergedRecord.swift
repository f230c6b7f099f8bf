package import DaybookEntities
package import DaybookJournal

/// A record that a merge gives to an entity.
package struct MergedRecord: Sendable {
  /// The kind of entity.
  package var kind: EntityKind
  /// The entity's id.
  package var id: EntityID
  /// The new record, or `nil` to delete the entity.
  package var record: Record?
  /// The recording number for an entity that is inserted, or 0 if none has been assigned yet.
  package var number: UInt64

  /// Creates a record for an entity.
  package init(_ kind: EntityKind, _ id: EntityID, _ record: Record?, number: UInt64 = 0) {
    self.kind = kind
    self.id = id
    self.record = record
    self.number = number
  }
}

/// An entity and its new recording number.
package struct Renumbering: Hashable, Sendable {
  /// The kind of entity.
  package var kind: EntityKind
  /// The entity's id.
  package var id: EntityID
  /// The new number.
  package var number: UInt64

  /// Creates a renumbering of an entity.
  package init(_ kind: EntityKind, _ id: EntityID, to number: UInt64) {
    self.kind = kind
    self.id = id
    self.number = number
  }
}

extension MergeContext {
  /// Appends a commit that gives entities new recording numbers.
  ///
  /// The commit deletes all of these entities and then inserts them with the new numbers, so two
  /// entities can swap numbers. Readers never see State between the changes of one commit.
  ///
  /// The views locate some entities through the numbers of others. For example, the lists and sums
  /// of a transaction depend on the numbers of its accounts. The commit therefore also deletes
  /// `references` and inserts them again with their old numbers.
  ///
  /// - Parameters:
  ///   - entities: The new numbers of the entities, all of which are in State. No other entity may
  ///     have one of these numbers.
  /// - references: The entities that refer to any of these entities.
  /// - Returns: The renumberings, with the former position of each entity.
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
    // Entities that refer to others have a kind with a greater number, so they are deleted first
    // and inserted last.
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
