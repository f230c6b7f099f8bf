internal import Entities
internal import Journal
internal import LMDB

/// Has the rows of derived projections anew from the totals that they are derived from, and compares.
///
/// They are few beside what they are derived from, so they are not chosen among.
struct DerivedCheck {
  let views: SampledViews
  let deadline: Deadline

  init(_ views: SampledViews, _ deadline: Deadline) {
    self.views = views
    self.deadline = deadline
  }

  /// What came of it.
  struct Outcome {
    /// How much was looked at; `nil` where there are no such rows.
    var coverage: VerificationCoverage?
    var differences: [RowDifference] = []
  }

  func run() throws -> Outcome {
    var outcome = Outcome()
    var (checked, total, isCutShort) = (0, 0, false)
    for (entry, handle) in try views.answering() {
      guard let derived = entry.projection as? any DerivedProjection else { continue }
      var rows = 0
      for table in entry.type.tables.indices {
        rows += try views.count(of: handle[table].database)
      }
      total += rows
      isCutShort = isCutShort || deadline.isOver
      if isCutShort { continue }
      try compare(derived, entry, handle, &outcome)
      checked += rows
    }
    if total > 0 {
      outcome.coverage = VerificationCoverage(
        .derived, checked, of: total, isCutShort: isCutShort)
    }
    return outcome
  }

  private func compare(
    _ derived: any DerivedProjection, _ entry: ViewsStore.Registered, _ handle: ProjectionHandle,
    _ outcome: inout Outcome
  ) throws {
    func find(_ table: String, _ what: String) {
      outcome.differences.append(RowDifference(table: table, what: what, place: .derived))
    }
    var tables = ProjectionTables(for: entry.type.tables)
    try derived.settle(SampledReading(views, of: entry.name), to: &tables)
    if let fault = tables.fault { throw fault }
    for (table, definition) in entry.type.tables.enumerated() {
      let name = "\(entry.name).\(definition.name)"
      var expected: [(key: TableKey, value: [UInt8])] = []
      switch definition.kind {
      case .rows: expected = tables.rows(table)
      case .places: expected = try PlacePacker.rows(of: tables.rows(table).map(\.key))
      case .bitmaps: expected = tables.bitmaps(table).map { ($0.key, $0.bitmap.bytes) }
      case .sums:
        expected = tables.sums(table).map { key, sums in
          var writer = ByteWriter(reserving: 64)
          sums.write(to: &writer, fieldCount: definition.fieldCount)
          return (key, writer.bytes)
        }
      }
      let count = try views.count(of: handle[table].database)
      if count != expected.count {
        find(name, "has \(count) rows, what it is derived from gives \(expected.count)")
        continue
      }
      for (key, value) in expected
      where try views.value(key, in: handle[table].database) != value {
        let bytes = key.withBytes { hexadecimal($0) }
        find(name, "the row with key \(bytes) is not what it is derived from gives")
        break
      }
    }
  }
}

/// What a derived projection reads when it is had anew beside its own tables.
private final class SampledReading: SettledReading {
  private let views: SampledViews
  private let name: String

  init(_ views: SampledViews, of name: String) {
    self.views = views
    self.name = name
  }

  func hasChanged(_ kind: EntityKind) -> Bool { true }

  func forEachEntity(_ kind: EntityKind, _ body: (StoredEntity) throws -> Void) throws {
    try views.read { try views.store.forEachEntity(kind, in: $0, body) }
  }

  func forEachDifference(
    in table: Int, of source: any Projection.Type, _ body: (TableKey, Sums) throws -> Void
  ) throws {}

  func forEachRow(
    in table: Int, of projection: any Projection.Type, from: TableKey, to: TableKey,
    _ body: (_ key: RawSpan, _ value: RawSpan) throws -> Bool
  ) throws {
    if projection.name == name { return }
    try views.read { try views.store.forEachRow(table, projection, from, to, in: $0, body) }
  }

  func forEachSum(
    in table: Int, of projection: any Projection.Type, from: TableKey, to: TableKey,
    _ body: (_ key: RawSpan, _ sums: Sums) throws -> Bool
  ) throws {
    if projection.name == name { return }
    try views.read { try views.store.forEachSum(table, projection, from, to, in: $0, body) }
  }
}
