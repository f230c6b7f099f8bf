package import DaybookEntities

/// The record of one erasure in history.
///
/// It is an entity of the journal itself, of kind 0. The erasure removes the personal properties of
/// an entity from all commits up to and including the record's commit. The journal's main database
/// lists the completed erasures.
package struct ErasureRecord: Hashable, Sendable {
  /// The kind of the erased entity.
  package var kind: EntityKind
  /// The id of the erased entity.
  package var entity: EntityID

  package init(kind: EntityKind, entity: EntityID) {
    self.kind = kind
    self.entity = entity
  }

  /// Decodes a record; returns `nil` if the journal's own record is of another type.
  package init?(_ record: Record) {
    guard let kind = record[16]?.first, let bytes = record[17], bytes.count == 16 else {
      return nil
    }
    var reader = ByteReader(bytes.span.bytes)
    guard let entity = try? reader.id() else { return nil }
    self.init(kind: EntityKind(rawValue: kind), entity: entity)
  }

  /// The stored form of the record.
  package var record: Record {
    var writer = RecordWriter(reserving: 32)
    writer.put(16) { $0.u8(kind.rawValue) }
    writer.put(17) { $0.id(entity) }
    return writer.record
  }
}

/// An erasure that has been requested but not completed.
package struct PendingErasure: Hashable, Sendable {
  /// The id of the erasure's record.
  package var id: EntityID
  /// The record of the erasure, which names the entity.
  package var record: ErasureRecord

  package init(id: EntityID, record: ErasureRecord) {
    self.id = id
    self.record = record
  }
}
