package import Entities

/// What says in history that an entity's personal text was to be erased: an entity of the journal's own,
/// of kind 0, one for each erasure.
///
/// Everything that commits up to its own say of the entity in personal properties goes. Done is what the
/// journal's main database says is done.
package struct ErasureRecord: Hashable, Sendable {
  /// The kind of the entity whose text is erased.
  package var kind: EntityKind
  /// The entity.
  package var entity: EntityID

  package init(kind: EntityKind, entity: EntityID) {
    self.kind = kind
    self.entity = entity
  }

  /// Reads a record, or returns `nil` where it is another of the journal's own.
  package init?(_ record: Record) {
    guard let kind = record[16]?.first, let bytes = record[17], bytes.count == 16 else {
      return nil
    }
    var reader = ByteReader(bytes.span.bytes)
    guard let entity = try? reader.id() else { return nil }
    self.init(kind: EntityKind(rawValue: kind), entity: entity)
  }

  /// The record as the journal keeps it.
  package var record: Record {
    var writer = RecordWriter(reserving: 32)
    writer.put(16) { $0.u8(kind.rawValue) }
    writer.put(17) { $0.id(entity) }
    return writer.record
  }
}

/// An erasure that has been asked for and is not done.
package struct PendingErasure: Hashable, Sendable {
  /// The id of its record.
  package var id: EntityID
  /// What is to be erased.
  package var record: ErasureRecord

  package init(id: EntityID, record: ErasureRecord) {
    self.id = id
    self.record = record
  }
}
