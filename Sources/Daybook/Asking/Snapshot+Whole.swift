import Bookkeeping
import Entities
import Projecting

extension Snapshot {
  /// Gives every entity of a kind to `body`, for exports: transactions in the order of their days,
  /// then of their recording; everything else in the order of its recording.
  package func forEach<Entity: LedgerEntity>(
    _ type: Entity.Type, _ body: (Entity) throws -> Void
  ) throws {
    try view.forEachEntity(Entity.kind) { position, id, record in
      try body(try Entity(record, id: id, number: position.number))
      return true
    }
  }
}
