package import DaybookEntities

/// The record of purges in the retained history.
///
/// It is an entity of the journal itself, of kind 0. It links the baseline to the hash chain by
/// storing the last purged commit, that commit's link, and the digest of the baseline. There is
/// only one such entity, and every purge changes it.
package struct PurgeRecord: Hashable, Sendable {
  /// The floor; the retained history begins after this commit.
  package var floor: UInt64
  /// The link of the floor's commit.
  package var link: Hash256
  /// The baseline's digest, hashed to 32 bytes.
  package var digest: Hash256
  /// The number of entities in the baseline.
  package var entityCount: UInt64

  /// The kind of the journal's own entities.
  package static let kind = EntityKind(rawValue: 0)
  /// The id of the only purge record.
  package static let id = EntityID(high: 0, low: 1)

  static let definition = KindDefinition(kind: kind, name: "purge")

  package init(floor: UInt64, link: Hash256, digest: Hash256, entityCount: UInt64) {
    self.floor = floor
    self.link = link
    self.digest = digest
    self.entityCount = entityCount
  }

  package init(_ record: Record) throws(DecodingFault) {
    guard let floor = record[1], let link = record[2], let digest = record[3],
      let count = record[4]
    else { throw .invalidValue("purge record") }
    func number(_ bytes: [UInt8]) throws(DecodingFault) -> UInt64 {
      var reader = ByteReader(bytes.span.bytes)
      return try reader.u64be()
    }
    guard let linkHash = Hash256(link), let digestHash = Hash256(digest) else {
      throw .invalidValue("purge record")
    }
    self.init(
      floor: try number(floor), link: linkHash, digest: digestHash, entityCount: try number(count))
  }

  /// The stored form of the record.
  package var record: Record {
    var writer = RecordWriter(reserving: 96)
    writer.put(1) { $0.u64be(floor) }
    writer.put(2) { $0.hash(link) }
    writer.put(3) { $0.hash(digest) }
    writer.put(4) { $0.u64be(entityCount) }
    return writer.record
  }
}
