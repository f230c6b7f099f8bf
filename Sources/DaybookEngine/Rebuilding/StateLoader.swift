internal import DaybookEntities
internal import DaybookJournal
internal import DaybookLMDB

/// Builds State from the journal by sorting rows instead of inserting them one by one.
struct StateLoader: Sendable {
  let journal: JournalStore
  let clusterTags: ClusterTags
  let target: ViewsStore
  let through: UInt64
  /// Called with the completed fraction, from 0 to 1; if it throws, the work ends with that error.
  var progress: @Sendable (Double) throws -> Void

  func load() throws {
    try journal.withReading { try load($0) }
  }

  /// Builds State from one consistent view of the journal.
  func load(_ reading: borrowing JournalReading) throws {
    let rows = TableSorter(.rows, folder: target.path)
    let ids = TableSorter(.rows, folder: target.path)
    let parts = TableSorter(.rows, folder: target.path)
    try replay(progress).forEachEntity(reading) { kind, id, number, record in
      let position = StatePosition(
        cluster: try StateTable.cluster(of: record, tag: clusterTags[kind]), number: number)
      try rows.add(StateTable.rowKey(kind, position), StateTable.rowValue(id, record).span.bytes)
      try StateTable.idValue(position).withBytes { try ids.add(StateTable.idKey(kind, id), $0) }
      try StateTable.forEachPart(of: record, kind, number) { try parts.add($0, $1) }
    }
    let loader = try BulkAppender(target.environment, isAhead: true)
    try loader.append(rows, to: target.state.rows)
    try loader.append(ids, to: target.state.ids)
    try loader.append(parts, to: target.state.overflow)
    try loader.finish()
  }

  /// Calls `body` with every current entity, roughly in the order of the numbers within each kind.
  ///
  /// - Parameter progress: Called instead of the loader's own closure; if it throws, the work ends
  ///   with that error.
  func forEachEntity(
    _ progress: @escaping (Double) throws -> Void,
    _ body: (EntityKind, EntityID, UInt64, Record) throws -> Void
  ) throws {
    try journal.withReading { try replay(progress).forEachEntity($0, body) }
  }

  private func replay(_ progress: @escaping (Double) throws -> Void) -> StateReplay {
    StateReplay(folder: target.path, through: through, progress: progress)
  }
}
