internal import Entities
internal import Journal
internal import LMDB

/// Builds State from the journal, by sorting instead of by single writes.
struct StateLoader {
  let journal: JournalStore
  let clusterTags: ClusterTags
  let target: ViewsStore
  let through: UInt64
  /// Hears how far it is; what it throws ends the work.
  let progress: (Double) throws -> Void

  func load() throws {
    try journal.withReading { reading in try load(reading) }
  }

  /// Builds State from the journal as of one moment.
  func load(_ reading: borrowing JournalReading) throws {
    let rows = TableSorter(.rows, folder: target.path)
    let ids = TableSorter(.rows, folder: target.path)
    let parts = TableSorter(.rows, folder: target.path)
    try StateReplay(folder: target.path, through: through, progress: progress)
      .forEachEntity(reading) { kind, id, number, record in
        let position = StatePosition(
          cluster: try StateTable.cluster(of: record, tag: clusterTags[kind]), number: number)
        try rows.add(
          StateTable.rowKey(kind, position), StateTable.rowValue(id, record).span.bytes)
        try StateTable.idValue(position).withBytes { try ids.add(StateTable.idKey(kind, id), $0) }
        try StateTable.forEachPart(of: record, kind, number) { try parts.add($0, $1) }
      }
    let loader = try BulkAppender(target.environment)
    try loader.append(rows, to: target.state.rows)
    try loader.append(ids, to: target.state.ids)
    try loader.append(parts, to: target.state.overflow)
    try loader.finish()
  }
}
