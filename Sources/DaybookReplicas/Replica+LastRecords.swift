import DaybookEngine
package import DaybookEntities
package import DaybookMerging

extension Replica {
  /// The current or last record of an entity.
  package struct LastRecord: Sendable {
    /// The record; for a deleted entity, the record that an undeletion restores.
    package var record: Record
    /// Whether the entity is deleted, on this replica or in the log at the pulled position.
    package var isGone: Bool
  }

  /// Returns the current or last records of entities; unknown entities are omitted.
  ///
  /// - Throws: `JournalError`; ``/Projecting/ProjectingError``.
  /// - Complexity: O(requested entities, and commits since pending commits were last read).
  package func lastRecords(
    of keys: some Sequence<DaybookMerging.EntityKey>
  ) async throws -> [DaybookMerging.EntityKey: LastRecord] {
    let moment = try await store.mergeMoment(of: Self.consumer)
    let side = SideValues(source: moment)
    let pending = try memory.take(side)
    defer { memory.put(pending) }
    var found: [DaybookMerging.EntityKey: LastRecord] = [:]
    for key in Set(keys) {
      if let record = try moment.entity(key.kind, key.id)?.record {
        found[key] = LastRecord(record: record, isGone: false)
      } else if let record = try tombstone(key, side) ?? pending.before(key)??.record {
        found[key] = LastRecord(record: record, isGone: true)
      }
    }
    return found
  }

  /// Returns the record in the log's tombstone for an entity.
  private func tombstone(
    _ key: DaybookMerging.EntityKey, _ side: SideValues<some MergeSource>
  ) throws -> Record? {
    guard let element = try side.value(SideKey.entity(key)) else { return nil }
    var folded = Folded()
    try folded.readEntity(element)
    return folded.entities[key].flatMap { $0.isInserted ? $0.record : nil }
  }
}
