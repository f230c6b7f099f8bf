package import DaybookEntities
internal import DaybookJournal

extension View {
  /// Returns the entities that were at a position of State on this device and have moved since.
  ///
  /// In a shared ledger, a merge can move entities to other positions. Former positions are kept
  /// until every device has seen the merge.
  ///
  /// - Throws: `JournalError` if the journal can't be read.
  package func formerEntities(_ kind: EntityKind, at place: StatePosition) throws -> [EntityID] {
    let key = EventStore.formerPlaceKey(kind, place) + [0, 0]
    let value = try open.journal.value(key, of: EventStore.replicaConsumer)
    return try value.map { try EventStore.formerPlaces($0).map(\.id) } ?? []
  }
}
