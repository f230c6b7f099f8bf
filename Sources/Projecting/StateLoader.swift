internal import Entities
internal import Journal
internal import LMDB

/// Builds State from the journal by sorting instead of by single writes.
///
/// What was purged stands in the baseline, in the order of numbers, and comes first.
///
/// Recording numbers make it cheap: insertions stand in the journal in the order of their numbers,
/// so only the later changes (amendments, deletions, insertions that bring back something deleted)
/// need sorting. Two passes: the first gathers the later changes, sorted by number and age; the
/// second walks through the insertions, folds into each its later changes, and hands the result,
/// where something is left, to sorters that bring State's rows in order. Memory is bounded by the
/// sorters' runs, whatever the length of the journal.
struct StateLoader {
  let journal: JournalStore
  let clusterTags: ClusterTags
  let target: ViewsStore
  let through: UInt64
  /// Hears how far it is; what it throws ends the work.
  let progress: (Double) throws -> Void

  private enum Later: UInt8 {
    case update = 0
    case delete = 1
    case insert = 2
  }

  func load() throws {
    try journal.withReading { reading in try load(reading) }
  }

  /// Builds State from the journal as of one moment.
  func load(_ reading: borrowing JournalReading) throws {
    let later = try gatherLaterChanges(reading)
    let rows = TableSorter(.rows, folder: target.path)
    let ids = TableSorter(.rows, folder: target.path)
    let parts = TableSorter(.rows, folder: target.path)
    for sorter in later.values { try sorter.startDraining() }
    func emit(_ kind: EntityKind, _ id: EntityID, _ number: UInt64, _ record: Record) throws {
      let tag = clusterTags[kind]
      let position = StatePosition(
        cluster: try StateTable.cluster(of: record, tag: tag), number: number)
      try rows.add(
        StateTable.rowKey(kind, position), StateTable.rowValue(id, record).span.bytes)
      try StateTable.idValue(position).withBytes { try ids.add(StateTable.idKey(kind, id), $0) }
      try StateTable.forEachPart(of: record, kind, number) { try parts.add($0, $1) }
    }
    try forEachFirstInsertion(reading) { kind, id, number, span in
      if let later = later[kind] {
        // Entities whose number was given out of turn have all their changes among the later ones.
        while let found = StateLoader.number(of: later.head), found < number {
          if let (id, record) = try settle(nil, found, later) { try emit(kind, id, found, record) }
        }
      }
      let inserted = (id, Record(bytes: span.copied()))
      guard let later = later[kind] else { return try emit(kind, id, number, inserted.1) }
      if let (id, record) = try settle(inserted, number, later) {
        try emit(kind, id, number, record)
      }
    }
    for (kind, later) in later {
      while let found = StateLoader.number(of: later.head) {
        if let (id, record) = try settle(nil, found, later) { try emit(kind, id, found, record) }
      }
    }
    let loader = try BulkAppender(target.environment)
    try loader.append(rows, to: target.state.rows)
    try loader.append(ids, to: target.state.ids)
    try loader.append(parts, to: target.state.overflow)
    try loader.finish()
  }

  /// The recording number that a key of later changes begins with.
  private static func number(of key: TableKey?) -> UInt64? { key.map { $0.word0 >> 24 } }

  /// The entity after all its later changes, or `nil` where it was deleted.
  private func settle(
    _ inserted: (EntityID, Record)?, _ number: UInt64, _ later: TableSorter
  ) throws -> (EntityID, Record)? {
    var entity = inserted
    while StateLoader.number(of: later.head) == number {
      try later.withValue { value in
        var reader = ByteReader(value)
        let operation = Later(rawValue: try reader.u8())
        let id = try reader.id()
        let body = value.extracting(reader.offset..<value.byteCount)
        switch operation {
        case .update:
          let current = entity?.1 ?? Record()
          entity = (
            id, try RecordFold.fold(RecordFold.decode(body), into: current.bytes.span.bytes)
          )
        case .insert:
          entity = (id, Record(bytes: body.copied()))
        case .delete, nil:
          entity = nil
        }
      }
      try later.advance()
    }
    return entity
  }

  /// Calls `body` with every entity of the baseline and every later insertion whose number is new, the
  /// numbers of each kind ascending.
  private func forEachFirstInsertion(
    _ reading: borrowing JournalReading,
    _ body: (EntityKind, EntityID, UInt64, RawSpan) throws -> Void
  ) throws {
    try reading.forEachBaselineEntity { kind, number, id, record in
      try body(kind, id, number, record.span.bytes)
    }
    var greatest = try greatestNumbers(reading)
    try reading.forEachCommit(through: through) { commit in
      try commit.forEachChange { change in
        guard change.operation == .insert, change.number > greatest[Int(change.kind.rawValue)]
        else { return true }
        greatest[Int(change.kind.rawValue)] = change.number
        if change.isLongForm {
          let record = try RecordFold.fold(
            change.steps(), into: Record().bytes.span.bytes)
          try body(change.kind, change.id, change.number, record.bytes.span.bytes)
        } else {
          try body(change.kind, change.id, change.number, change.encodedProperties)
        }
        return true
      }
      try report(commit.sequence, half: 1)
      return true
    }
  }

  /// Up to which numbers insertions are not new.
  private func greatestNumbers(_ reading: borrowing JournalReading) throws -> [UInt64] {
    var greatest = [UInt64](repeating: 0, count: 256)
    for (kind, number) in try reading.purgedNumbers { greatest[Int(kind)] = number }
    return greatest
  }

  private func gatherLaterChanges(
    _ reading: borrowing JournalReading
  ) throws -> [EntityKind: TableSorter] {
    var sorters: [EntityKind: TableSorter] = [:]
    var greatest = try greatestNumbers(reading)
    var ordinal: UInt64 = 0
    try reading.forEachCommit(through: through) { commit in
      try commit.forEachChange { change in
        let kind = Int(change.kind.rawValue)
        if change.operation == .insert, change.number > greatest[kind] {
          greatest[kind] = change.number
          return true
        }
        var value = ByteWriter(reserving: 128)
        switch change.operation {
        case .update:
          value.u8(Later.update.rawValue)
          value.id(change.id)
          value.raw(RecordFold.encode(try change.steps()))
        case .delete:
          value.u8(Later.delete.rawValue)
          value.id(change.id)
        case .insert:
          value.u8(Later.insert.rawValue)
          value.id(change.id)
          value.raw(try RecordFold.fold(change.steps(), into: Record().bytes.span.bytes).bytes)
        }
        var key = TableKey()
        key.append(u40: change.number)
        key.append(u64: ordinal)
        ordinal += 1
        let sorter =
          sorters[change.kind] ?? TableSorter(.rows, folder: target.path)
        sorters[change.kind] = sorter
        try sorter.add(key, value.bytes)
        return true
      }
      try report(commit.sequence, half: 0)
      return true
    }
    return sorters
  }

  private func report(_ sequence: UInt64, half: Double) throws {
    guard sequence & 0xff == 0, through > 0 else { return }
    try progress((half + Double(sequence) / Double(through)) / 2)
  }
}

extension ChangeView {
  /// What the change makes of the properties it names.
  func steps() throws(DecodingFault) -> [RecordFold.Step] {
    try properties().map { RecordFold.Step(tag: $0.tag, after: $0.after) }
  }
}

/// Appends sorted rows to tables in transactions of bounded size.
final class BulkAppender {
  private let environment: Environment
  private var transaction: WriteTransaction?
  private var byteCount = 0

  /// The bytes of rows that one transaction writes.
  static let byteCountMax = 64 << 20
  private static let blockRowCount = 1_024

  init(_ environment: Environment) throws {
    self.environment = environment
    transaction = try environment.beginWrite()
  }

  /// Drains a sorter into an empty table.
  func append(_ sorter: TableSorter, to database: Database) throws {
    var rows = RowRun()
    try sorter.drain { key, value in
      rows.add(key, value)
      if rows.count == BulkAppender.blockRowCount { try append(&rows, to: database) }
    }
    try append(&rows, to: database)
  }

  /// Appends rows with one cursor, which stays at the end, and empties them.
  private func append(_ rows: inout RowRun, to database: Database) throws {
    try write { transaction in
      var cursor = try transaction.writeCursor(in: database)
      for index in 0..<rows.count {
        let key = rows.key(at: index)
        let words = key.words
        try rows.withValue(at: index) {
          try cursor.put(words.span.bytes.extracting(first: key.count), $0, flags: .append)
        }
        byteCount += key.count + 10
      }
    }
    byteCount += rows.valueByteCount
    rows.removeAll()
    if byteCount < BulkAppender.byteCountMax { return }
    try finish()
    transaction = try environment.beginWrite()
    byteCount = 0
  }

  /// Writes outside of tables that are appended to, such as marks.
  func write(_ body: (inout WriteTransaction) throws -> Void) throws {
    guard var held = transaction.take() else {
      throw ProjectingError(.closed, "The bulk load has ended.")
    }
    try body(&held)
    transaction = consume held
  }

  func finish() throws {
    guard let held = transaction.take() else { return }
    try held.commit()
  }
}
