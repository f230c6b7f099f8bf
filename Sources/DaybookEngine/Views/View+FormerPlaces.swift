package import DaybookEntities
internal import DaybookJournal

extension View {
  /// The entities that used to have a position in State on this copy of a shared ledger, and have
  /// another one now.
  ///
  /// They are remembered until every device has seen the merge that moved them.
  ///
  /// - Throws: `JournalError` if the journal can't be read.
  package func formerEntities(_ kind: EntityKind, at place: StatePosition) throws -> [EntityID] {
    let key = EventStore.formerPlaceKey(kind, place) + [0, 0]
    let value = try open.journal.value(key, of: EventStore.replicaConsumer)
    return try value.map { try EventStore.formerPlaces($0).map(\.id) } ?? []
  }
}
