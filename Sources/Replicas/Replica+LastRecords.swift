package import Entities
package import Merging
import Projecting

extension Replica {
  /// What an entity is, or was last.
  package struct LastRecord: Sendable {
    /// Its record; of something deleted the one that comes back with it.
    package var record: Record
    /// Whether it is gone: deleted here, or as far as the log was pulled.
    package var isGone: Bool
  }

  /// The records of entities as they are, or as they were last; those are left out of which nothing was ever known.
  ///
  /// - Throws: `JournalError`; ``/Projecting/ProjectingError``.
  /// - Complexity: O(entities asked for, and commits since pending ones were read last).
  package func lastRecords(
    of keys: some Sequence<Merging.EntityKey>
  ) async throws -> [Merging.EntityKey: LastRecord] {
    let moment = try await store.mergeMoment(of: Self.consumer)
    let side = SideValues(source: moment)
    let pending = try memory.take(side)
    defer { memory.put(pending) }
    var found: [Merging.EntityKey: LastRecord] = [:]
    for key in Set(keys) {
      if let record = try moment.entity(key.kind, key.id)?.record {
        found[key] = LastRecord(record: record, isGone: false)
      } else if let record = try tombstone(key, side) ?? pending.before(key)??.record {
        found[key] = LastRecord(record: record, isGone: true)
      }
    }
    return found
  }

  /// What the log keeps of an entity that is not there.
  private func tombstone(
    _ key: Merging.EntityKey, _ side: SideValues<some MergeSource>
  ) throws -> Record? {
    guard let element = try side.value(SideKey.entity(key)) else { return nil }
    var folded = Folded()
    try folded.readEntity(element)
    return folded.entities[key].flatMap { $0.isInserted ? $0.record : nil }
  }
}
