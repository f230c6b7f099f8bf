import DaybookBookkeeping
import DaybookEngine
import DaybookEntities

extension Snapshot {
  /// Calls `body` with every entity of a kind, for exports.
  ///
  /// Transactions are ordered by day and then by recording order. Other entities are in recording
  /// order.
  package func forEach<Entity: LedgerEntity>(
    _ type: Entity.Type, _ body: (Entity) throws -> Void
  ) throws {
    try view.forEachEntity(Entity.kind) { position, id, record in
      try body(try Entity(record, id: id, number: position.number))
      return true
    }
  }
}
