internal import Entities
internal import Journal
internal import LMDB

/// Adds up some totals anew from the entities they are of.
///
/// A projection says of a row of totals which clusters of State (for transactions: days) its entities are
/// in. So a day, a month or a year is added up from its own entities, whatever the ledger's size. Days, months
/// and years are chosen, not single totals: those of a day cost no more than one of them. Totals of which
/// clusters cannot be said are made of all entities; they are chosen or not together, and come last.
struct TotalsSample {
  let views: SampledViews
  let sample: VerificationSample
  let deadline: Deadline
  private let projections: [(entry: ViewsStore.Registered, handle: ProjectionHandle)]
  private var checked = 0
  private var isCutShort = false
  private var hasFound = false

  /// So many totals are chosen at the most.
  static let totalCountMax = 20_000
  /// With more totals than this not all of them are added up at once, as each takes up memory.
  static let wholeCountMax = 4_000_000

  /// Totals that are made of the entities of some clusters; of all of them where `clusters` is `nil`.
  private struct Section {
    var clusters: ClosedRange<UInt32>?
    /// Rows that are there, by projection and table.
    var rows: [(projection: Int, table: Int, key: TableKey)] = []

    var clusterCount: UInt64 { clusters.map { UInt64($0.count) } ?? .max }
  }

  init(_ views: SampledViews, _ sample: VerificationSample, _ deadline: Deadline) throws {
    self.views = views
    self.deadline = deadline
    projections = try views.projections()
    self.sample = sample
  }

  mutating func run() throws {
    let total = try totalCount()
    for section in try sections(total) where !hasFound {
      if deadline.isOver || (section.clusters == nil && total > TotalsSample.wholeCountMax) {
        isCutShort = true
        break
      }
      try compare(section)
    }
    views.coverage.append(
      VerificationCoverage(.totals, min(checked, total), of: total, isCutShort: isCutShort))
  }

  private func totalCount() throws -> Int {
    var count = 0
    for (entry, handle) in projections {
      for (table, definition) in entry.type.tables.enumerated() where definition.fieldCount > 0 {
        count += try views.count(of: handle[table].database)
      }
    }
    return count
  }

  /// Puts together what is made of the same entities, and chooses among these sections, small ones
  /// first.
  private func sections(_ total: Int) throws -> [Section] {
    var sections: [ClosedRange<UInt32>?: Section] = [:]
    let sample = sample.isWhole ? sample : sample.limited(to: TotalsSample.totalCountMax, of: total)
    for (index, (entry, handle)) in projections.enumerated() {
      for (table, definition) in entry.type.tables.enumerated() where definition.fieldCount > 0 {
        try views.read { transaction in
          try transaction.forEach(in: handle[table].database) { bytes, _ in
            guard bytes.byteCount <= TableKey.byteCountMax else { return true }
            let key = TableKey(bytes: bytes)
            // All at once is less work than one after the other.
            let clusters = sample.isWhole ? nil : entry.type.clusters(ofRow: key, table: table)
            let place = clusters.map { UInt64($0.lowerBound) << 32 | UInt64($0.upperBound) }
            guard sample.takes(place ?? .max) else { return true }
            sections[clusters, default: Section(clusters: clusters)].rows
              .append((index, table, key))
            return true
          }
        }
      }
    }
    if sample.isWhole, sections.isEmpty { return [Section(clusters: nil)] }
    return sections.values.sorted { left, right in
      (left.clusterCount, left.clusters?.lowerBound ?? 0)
        < (right.clusterCount, right.clusters?.lowerBound ?? 0)
    }
  }

  private mutating func compare(_ section: Section) throws {
    guard let tables = try sums(of: section.clusters) else {
      isCutShort = true
      return
    }
    for (index, (entry, handle)) in projections.enumerated() {
      for (table, definition) in entry.type.tables.enumerated() where definition.fieldCount > 0 {
        for (key, sums) in tables[index].sums(table)
        where isOwn(key, of: entry, table, section.clusters) {
          let value = try views.value(key, in: handle[table].database)
          let found = try value.map { try Sums($0.span.bytes, fieldCount: definition.fieldCount) }
          guard found == sums else {
            return find(
              entry, table, key,
              "holds \(told(found, definition)), the entities give "
                + "\(told(sums, definition))")
          }
          checked += 1
        }
      }
    }
    for (index, table, key) in section.rows
    where tables[index].buffers[table].changes(key) == false {
      return find(projections[index].entry, table, key, "is of no entity")
    }
  }

  /// Whether all that makes a row lies in the section.
  private func isOwn(
    _ key: TableKey, of entry: ViewsStore.Registered, _ table: Int,
    _ clusters: ClosedRange<UInt32>?
  ) -> Bool {
    guard let clusters else { return true }
    guard let own = entry.type.clusters(ofRow: key, table: table) else { return false }
    return clusters.lowerBound <= own.lowerBound && own.upperBound <= clusters.upperBound
  }

  /// What the entities of some clusters add up to; `nil` where there is no time for it.
  private func sums(of clusters: ClosedRange<UInt32>?) throws -> [ProjectionTables]? {
    var tables = projections.map { ProjectionTables(for: $0.entry.type.tables) }
    var (count, isOver) = (0, false)
    func add(
      _ kind: EntityKind, _ position: StatePosition, _ id: EntityID, _ record: RawSpan
    ) throws -> Bool {
      let change = ProjectedChange(
        kind: kind, id: id, number: position.number, before: nil,
        after: Record(bytes: record.copied()))
      for (index, (entry, _)) in projections.enumerated() {
        // What cannot be told of was found where rows were looked for.
        try? entry.projection.apply(change, reading: views, to: &tables[index])
        for table in tables[index].buffers.indices
        where tables[index].buffers[table].fieldCount == 0 {
          tables[index].buffers[table].removeAll()
        }
      }
      count += 1
      if count & 0xff == 0 { isOver = deadline.isOver }
      return !isOver
    }
    if let clusters {
      for kind in views.schema.kinds.map(\.kind) where !isOver {
        let lower = StateTable.rowKey(
          kind, StatePosition(cluster: clusters.lowerBound, number: 0))
        let upper = StateTable.rowKey(
          kind, StatePosition(cluster: clusters.upperBound, number: 0xff_ffff_ffff))
        try views.forEachRow(from: lower, to: upper, add)
      }
    } else {
      try views.forEachRow(add)
    }
    return isOver ? nil : tables
  }

  private mutating func find(
    _ entry: ViewsStore.Registered, _ table: Int, _ key: TableKey, _ what: String
  ) {
    hasFound = true
    let name = "\(entry.name).\(entry.type.tables[table].name)"
    let bytes = key.withBytes { hexadecimal($0) }
    views.differences.append(
      RowDifference(
        table: name, what: "the row with key \(bytes) \(what)",
        place: .row(of: entry, table: table, key: key)))
  }

  private func told(_ sums: Sums?, _ definition: TableDefinition) -> String {
    guard let sums else { return "nothing" }
    return (0..<definition.fieldCount).map { "\(sums[$0])" }.joined(separator: ", ")
  }
}
