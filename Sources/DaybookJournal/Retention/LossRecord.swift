package import DaybookEntities

/// The record of one accepted loss in history, an entity of the journal itself, of kind 0.
package struct LossRecord: Hashable, Sendable {
  /// The journal's newest commit when the loss was detected.
  package var newest: UInt64
  /// The newest commit that the views contained at that time.
  package var seen: UInt64

  package init(newest: UInt64, seen: UInt64) {
    self.newest = newest
    self.seen = seen
  }

  /// The stored form of the record.
  package var record: Record {
    var writer = RecordWriter(reserving: 32)
    writer.put(24) { $0.u64be(newest) }
    writer.put(25) { $0.u64be(seen) }
    return writer.record
  }
}
