internal import DaybookEntities
internal import DaybookJournal
internal import DaybookLMDB

/// Finds the origin of a row: the last commit in history that changed it.
///
/// The search replays State through history in separate views, change by change. It passes each
/// change to the affected projections and records which changes affect the row. This works for any
/// projection in bounded memory. The search takes about as long as applying all of history to empty
/// views, so it runs only if there is a difference.
struct OriginSearch {
  let journal: JournalStore
  let schema: Schema
  /// The commit as of which the views were compared.
  let through: UInt64
  /// Empty views for the replay.
  let scratch: ViewsStore

  /// The last commit that changed a row, and the entity that the commit changed.
  struct Origin {
    let sequence: UInt64
    let kind: EntityKind
    let entity: EntityID
  }

  struct Result {
    /// The origin of each difference, or `nil` if no commit in the journal changed the row.
    var origins: [Origin?]
    /// The last purged commit; the journal contains only later commits.
    var floor: UInt64
  }

  func run(_ differences: [RowDifference]) throws -> Result {
    try journal.withReading { reading in
      let floor = try reading.floor.sequence
      try StateLoader(
        journal: journal, clusterTags: ClusterTags(schema), target: scratch, through: floor,
        progress: { _ in }
      ).load(reading)
      var watch = Watch(differences)
      let numbers = NumberCache()
      func newBatch() throws -> ViewsBatch {
        try ViewsBatch(
          scratch, clusterTags: ClusterTags(schema), numbers: numbers, projectors: [])
      }
      var batch = try newBatch()
      var written = Checkpoint.none
      var changeCount = 0
      try reading.forEachCommit(through: through) { commit in
        try commit.forEachChange { change in
          let change = try batch.replayed(change)
          try batch.apply(change)
          watch.note(change, of: commit.sequence, reading: batch)
          return true
        }
        changeCount += commit.changeCount
        if changeCount >= ViewsReplay.changeCountMax {
          let reached = Checkpoint(sequence: commit.sequence, link: try commit.link)
          try batch.commit(at: reached, after: written)
          written = reached
          changeCount = 0
          batch = try newBatch()
        }
        return true
      }
      batch.abort()
      return Result(origins: watch.origins, floor: floor)
    }
  }
}

/// The differing rows, and for each row the last change that affected it.
private struct Watch {
  private let differences: [RowDifference]
  /// The affected projections, with their differences for the current change.
  private var projections: [(entry: ViewsStore.Registered, tables: ProjectionTables)] = []
  private(set) var origins: [OriginSearch.Origin?]

  init(_ differences: [RowDifference]) {
    self.differences = differences
    origins = Array(repeating: nil, count: differences.count)
    for case .row(let entry, _, _) in differences.map(\.place)
    where !projections.contains(where: { $0.entry.name == entry.name }) {
      projections.append((entry, ProjectionTables(for: entry.type.tables)))
    }
  }

  mutating func note(_ change: Change, of sequence: UInt64, reading state: any StateReading) {
    let projected = ProjectedChange(
      kind: change.kind, id: change.id, number: change.number, before: change.before,
      after: change.after)
    for index in projections.indices {
      projections[index].tables.removeAll()
      // Errors are ignored, because a change for which a projection throws isn't written to its
      // tables.
      try? projections[index].entry.projection.apply(
        projected, reading: state, to: &projections[index].tables)
    }
    for (index, difference) in differences.enumerated() where touches(difference.place, change) {
      origins[index] = OriginSearch.Origin(
        sequence: sequence, kind: change.kind, entity: change.id)
    }
  }

  private func touches(_ place: RowDifference.Place, _ change: Change) -> Bool {
    switch place {
    case .entity(let kind, let id, let number):
      change.kind == kind && (change.id == id || change.number == number)
    case .row(let entry, let table, let key):
      projections.first { $0.entry.name == entry.name }?.tables.buffers[table].changes(key) ?? false
    case .nowhere, .derived: false
    }
  }
}

extension EventStore {
  /// Describes each difference together with the commit that last changed the row.
  func explain(
    _ differences: [RowDifference], in journal: JournalStore, through sequence: UInt64
  ) -> [VerificationReport.Finding] {
    let found = differences.isEmpty ? nil : try? origins(differences, journal, sequence)
    return differences.enumerated().map { index, difference in
      let origin = found?.origins[index]
      let suffix =
        if case .derived = difference.place {
          "; it is derived from other totals, so look first for what differs there"
        } else {
          suffix(origin, found)
        }
      return VerificationReport.Finding(
        message:
          "\(difference.table): \(difference.what)\(suffix). Rebuild the views.",
        sequence: origin?.sequence)
    }
  }

  private func origins(
    _ differences: [RowDifference], _ journal: JournalStore, _ sequence: UInt64
  ) throws -> OriginSearch.Result {
    let folder = try TemporaryFolder()
    let scratch = try ViewsStore(
      path: folder.path + "/views", generation: 0, folder: self.folder, projections: [],
      options: options.environmentOptions(.deferred))
    defer { try? scratch.environment.close() }
    return try withExtendedLifetime(folder) {
      try OriginSearch(journal: journal, schema: schema, through: sequence, scratch: scratch)
        .run(differences)
    }
  }

  private func suffix(_ origin: OriginSearch.Origin?, _ found: OriginSearch.Result?) -> String {
    guard let found else { return "" }
    if let origin {
      let kind = schema[origin.kind]?.name ?? "entity of kind \(origin.kind.rawValue)"
      return ", changed last by commit \(origin.sequence) (\(kind) \(origin.entity))"
    }
    return found.floor > 0
      ? "; no commit since the purge up to \(found.floor) changed it"
      : "; no commit ever wrote such a row"
  }
}
