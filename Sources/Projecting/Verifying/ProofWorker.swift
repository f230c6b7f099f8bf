internal import Entities
internal import LMDB

/// What one thread of a ``ViewsProof`` reads, and what it makes of it.
///
/// Unchecked `Sendable`: used by one thread, and read when that has ended.
final class ProofWorker: StateReading, @unchecked Sendable {
  /// The views that this thread reads, if any.
  let views: SampledViews?
  private let projections: [(entry: ViewsStore.Registered, handle: ProjectionHandle)]
  private let numbers = NumberCache()
  /// What the tables read come to.
  var found: Fingerprints
  /// What State's tables are to come to.
  var given: Fingerprints
  private var tables: [ProjectionTables]
  /// Whether a projection could not be told of an entity.
  private(set) var hasFault = false

  init(
    views: SampledViews?,
    _ projections: [(entry: ViewsStore.Registered, handle: ProjectionHandle)],
    _ seed: FingerprintSeed
  ) {
    self.views = views
    self.projections = projections
    found = Fingerprints(projections.map(\.entry.type), seed)
    given = found
    tables = projections.map { entry, _ in
      ProjectionTables(
        buffers: entry.type.tables.map { definition in
          var buffer = TableBuffer(definition.kind)
          buffer.fingerprint = TableFingerprint(definition.kind, seed)
          return buffer
        })
    }
  }

  /// What the tables are to come to.
  var expected: Fingerprints {
    var expected = given
    for (index, tables) in tables.enumerated() {
      expected.projections[index] = tables.buffers.map(\.fingerprint)
    }
    return expected
  }

  /// Tells every projection of the entities in a range of State's keys, and reads their rows.
  func tell(from: TableKey?, to: TableKey?) throws {
    guard let views else { return }
    let memo = ChangeMemo()
    // Functions, since an existential is copied at each call.
    let told = projections.map { entry, _ in
      let projection = entry.projection
      return { (change: borrowing ProjectedChange, tables: inout ProjectionTables) throws in
        try projection.apply(change, reading: self, to: &tables)
        if let fault = tables.fault { throw fault }
      }
    }
    // Variables of its own: access to an object's would be checked for exclusivity each time.
    var (rows, tables) = (found.rows, [] as [ProjectionTables])
    swap(&tables, &self.tables)
    defer {
      found.rows = rows
      swap(&tables, &self.tables)
    }
    try views.read { transaction in
      try forEachRow(of: views.state.rows, from, to, transaction) { key, value in
        rows.read(key, value)
        do {
          var reader = ByteReader(key)
          let kind = EntityKind(rawValue: try reader.u8())
          let number = try StateTable.position(&reader).number
          memo.begin()
          let change = try views.state.withRecord(value, kind, number, in: transaction) {
            ProjectedChange(
              kind: kind, id: $0, number: number, before: nil, after: Record(bytes: $1.copied()),
              memo: memo)
          }
          for index in told.indices { try told[index](change, &tables[index]) }
        } catch {
          hasFault = true
        }
        return true
      }
    }
  }

  /// Reads a table of State.
  func read(_ part: StatePart) throws {
    switch part {
    case .rows: try read(part.database, into: &found.rows)
    case .ids: try read(part.database, into: &found.ids)
    case .overflow: try read(part.database, into: &found.overflow)
    }
  }

  /// Reads a table of a projection.
  func read(_ projection: Int, _ table: Int) throws {
    let database = projections[projection].handle[table].database
    try read({ _ in database }, into: &found.projections[projection][table])
  }

  private func read(
    _ database: (StateTable) -> Database, into fingerprint: inout TableFingerprint
  ) throws {
    guard let views else { return }
    var read = fingerprint
    try views.read { transaction in
      try transaction.forEach(in: database(views.state)) { key, value in
        read.read(key, value)
        return true
      }
    }
    fingerprint = read
  }

  private func forEachRow(
    of database: Database, _ from: TableKey?, _ to: TableKey?, _ transaction: TransactionView,
    _ body: (RawSpan, RawSpan) throws -> Bool
  ) throws {
    switch (from, to) {
    case (nil, nil): try transaction.forEach(in: database, body)
    case (nil, let to?):
      try to.withBytes { (to) throws in try transaction.forEach(in: database, to: to, body) }
    case (let from?, nil):
      try from.withBytes { (from) throws in try transaction.forEach(in: database, from: from, body)
      }
    case (let from?, let to?):
      try from.withBytes { (from) throws in
        try to.withBytes { (to) throws in
          try transaction.forEach(in: database, from: from, to: to, body)
        }
      }
    }
  }

  // MARK: Reading State, for projections

  func number(of id: EntityID, kind: EntityKind) throws -> UInt64? {
    try numbers.number(of: id, kind: kind) { try views?.number(of: id, kind: kind) }
  }

  func record(of id: EntityID, kind: EntityKind) throws -> Record? {
    try views?.record(of: id, kind: kind)
  }
}

extension SampledViews {
  /// State's keys in ranges that hold about as many entities each where these are spread over their
  /// clusters, and that together hold all.
  func entityRanges() throws -> [(from: TableKey?, to: TableKey?)] {
    var cuts: [TableKey] = []
    try read { transaction in
      var lower = TableKey()
      lower.append(u8: 0)
      while true {
        guard
          let first = try lower.withBytes({ (lower) throws in
            try transaction.cluster(in: state.rows, atOrAfter: lower)
          })
        else { break }
        var upper = TableKey()
        upper.append(u8: first.kind)
        guard let next = upper.afterPrefix,
          let last = try next.withBytes({ (next) throws in
            try transaction.cluster(in: state.rows, before: next)
          })
        else { break }
        let width = UInt64(last.cluster) - min(UInt64(first.cluster), UInt64(last.cluster)) + 1
        let count = min(width, SampledViews.rangeCountMax)
        for index in 0..<count {
          let cluster = UInt64(first.cluster) + width * index / count
          cuts.append(
            StateTable.rowKey(
              EntityKind(rawValue: first.kind),
              StatePosition(cluster: UInt32(truncatingIfNeeded: cluster), number: 0)))
        }
        lower = next
      }
    }
    let bounds: [TableKey?] = [nil] + cuts.dropFirst().map { $0 } + [nil]
    return zip(bounds, bounds.dropFirst()).map { ($0, $1) }
  }

  private static let rangeCountMax: UInt64 = 64
}

extension TransactionView {
  fileprivate typealias Place = (kind: UInt8, cluster: UInt32)

  fileprivate func cluster(in rows: Database, atOrAfter key: RawSpan) throws -> Place? {
    var cursor = try cursor(in: rows)
    guard let entry = try cursor.seek(atOrAfter: key) else { return nil }
    return try TransactionView.place(entry.key)
  }

  fileprivate func cluster(in rows: Database, before key: RawSpan) throws -> Place? {
    var cursor = try cursor(in: rows)
    guard let entry = try cursor.seek(before: key) else { return nil }
    return try TransactionView.place(entry.key)
  }

  private static func place(_ key: RawSpan) throws(DecodingFault) -> Place {
    var reader = ByteReader(key)
    return (try reader.u8(), try reader.u32be())
  }
}
