internal import Entities
internal import Journal
internal import LMDB

/// Tells projections of some entities, as a rebuild would, and looks for every row that they put.
///
/// The entities are those that ``StateSample`` compares with history. Where all are looked at, the counts
/// of rows say whether there are others, too.
struct RowSample {
  let views: SampledViews
  let sample: VerificationSample
  let deadline: Deadline
  private let projections: [(entry: ViewsStore.Registered, handle: ProjectionHandle)]
  /// How many rows, or bits, were put into each table.
  private var counts: [[Int]]
  private var hasFound = false

  init(_ views: SampledViews, _ sample: VerificationSample, _ deadline: Deadline) throws {
    self.views = views
    self.deadline = deadline
    self.sample = sample
    projections = try views.projections()
    counts = projections.map { $0.entry.type.tables.map { _ in 0 } }
  }

  mutating func run() throws {
    var tables = projections.map { ProjectionTables(for: $0.entry.type.tables) }
    var (checked, seen, isOver) = (0, 0, false)
    try views.forEachRow { kind, position, id, record in
      seen += 1
      if seen & 0xff == 0 { isOver = deadline.isOver }
      guard sample.takes(kind, id) else { return !isOver }
      try compare(kind, position, id, Record(bytes: record.copied()), &tables)
      checked += 1
      return !isOver && !hasFound
    }
    if sample.isWhole, !isOver, !hasFound { try compareCounts(seen) }
    views.coverage.append(
      VerificationCoverage(
        .rows, checked, of: try views.entityCount(), isCutShort: isOver))
  }

  private mutating func compare(
    _ kind: EntityKind, _ position: StatePosition, _ id: EntityID, _ record: Record,
    _ tables: inout [ProjectionTables]
  ) throws {
    guard try views.position(of: id, kind) == position else {
      return find("State ids: the \(views.name(kind, id)) is elsewhere", kind, id)
    }
    let change = ProjectedChange(
      kind: kind, id: id, number: position.number, before: nil, after: record)
    for (index, (entry, handle)) in projections.enumerated() {
      tables[index].removeAll()
      do {
        try entry.projection.apply(change, reading: views, to: &tables[index])
        if let fault = tables[index].fault { throw fault }
      } catch {
        return find(
          "\(entry.name): it cannot be told of the \(views.name(kind, id)) (\(error))", kind, id)
      }
      for (table, definition) in entry.type.tables.enumerated() where definition.kind == .bitmaps {
        for row in tables[index].bitmaps(table) {
          counts[index][table] += row.bitmap.count
          if try views.holds(row.bitmap, row.key, in: handle[table].database) { continue }
          return find(
            "\(entry.name).\(definition.name): a bit of the \(views.name(kind, id)) is missing",
            kind, id)
        }
      }
      for (table, definition) in entry.type.tables.enumerated() where definition.kind.isPut {
        for row in tables[index].rows(table) {
          counts[index][table] += 1
          if definition.kind == .places {
            if try views.holds(row.key, in: handle[table].database) { continue }
            return find(
              "\(entry.name).\(definition.name): a place of the \(views.name(kind, id)) is missing",
              kind, id)
          }
          let found = try views.value(row.key, in: handle[table].database)
          guard found == row.value else {
            let what = found == nil ? "is missing" : "holds something else"
            return find(
              "\(entry.name).\(definition.name): a row of the \(views.name(kind, id)) \(what)",
              kind, id)
          }
        }
      }
    }
  }

  private mutating func compareCounts(_ entityCount: Int) throws {
    let ids = try views.entityCount()
    if ids != entityCount {
      return find("State ids: \(ids) are there for \(entityCount) entities")
    }
    for (index, (entry, handle)) in projections.enumerated() {
      for (table, definition) in entry.type.tables.enumerated() {
        let database = handle[table].database
        let (found, unit) =
          switch definition.kind {
          case .sums: (counts[index][table], "rows")
          case .rows: (try views.count(of: database), "rows")
          case .places: (try views.placeCount(of: database), "rows")
          case .bitmaps: (try views.bitCount(of: database), "bits")
          }
        if found != counts[index][table] {
          return find(
            "\(entry.name).\(definition.name): \(found) \(unit) are there, the entities give "
              + "\(counts[index][table])")
        }
      }
    }
  }

  private mutating func find(_ what: String, _ kind: EntityKind? = nil, _ id: EntityID? = nil) {
    hasFound = true
    let commit = kind.flatMap { kind in id.flatMap { views.lastCommit(of: kind, $0) } }
    let origin = commit.map { ", changed last by commit \($0)" } ?? ""
    views.find("\(what)\(origin). Rebuild the views.", at: commit)
  }
}

extension SampledViews {
  /// Whether a table of places has the one that a key ends in; false where the row that should have it cannot be
  /// read.
  fileprivate func holds(_ key: TableKey, in database: Database) throws -> Bool {
    try read { transaction in
      var walk = StoredPlaces(transaction, database)
      do {
        return try walk.first(atOrAfter: key) == key
      } catch is DecodingFault {
        return false
      }
    }
  }

  /// How many places the lists of a table have; a row that cannot be read has none.
  fileprivate func placeCount(of database: Database) throws -> Int {
    var count = 0
    try read { transaction in
      try transaction.forEach(in: database) { key, value in
        do {
          try PlacePiece.forEachPlace(inRow: key, value) { _ in count += 1 }
        } catch is DecodingFault {}
        return true
      }
    }
    return count
  }

  /// How many numbers the sets of a table have; a row that cannot be read has none.
  fileprivate func bitCount(of database: Database) throws -> Int {
    var count = 0
    try read { transaction in
      try transaction.forEach(in: database) { _, value in
        do { count += try Bitmap(value).count } catch is DecodingFault {}
        return true
      }
    }
    return count
  }

  /// Whether a row has every number of a set.
  fileprivate func holds(_ bitmap: Bitmap, _ key: TableKey, in database: Database) throws -> Bool {
    guard let value = try value(key, in: database) else { return bitmap.isEmpty }
    var common = try Bitmap(value.span.bytes)
    common.formIntersection(bitmap)
    return common == bitmap
  }

  /// The last commit that is kept and changed an entity.
  ///
  /// - Complexity: O(commits since): for findings.
  func lastCommit(of kind: EntityKind, _ id: EntityID) -> UInt64? {
    var found: UInt64?
    try? open.journal.withReading { reading in
      try reading.forEachCommit(backwardFrom: sequence) { commit in
        try commit.forEachChange { change in
          if change.kind == kind, change.id == id { found = commit.sequence }
          return found == nil
        }
        return found == nil
      }
    }
    return found
  }
}
