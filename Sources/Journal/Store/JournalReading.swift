package import Entities
import LMDB

/// The journal as of one moment: what is read of it in several passes belongs together, although a
/// purge may move the floor meanwhile.
package struct JournalReading: ~Escapable {
  let view: TransactionView
  let store: JournalStore

  @_lifetime(copy view)
  init(_ view: TransactionView, _ store: JournalStore) {
    self.view = view
    self.store = store
  }

  /// The commit after which what is kept begins.
  package var floor: Floor {
    get throws { try store.floor(view) }
  }

  /// Calls `body` with every commit that is kept, up to one of them, in order.
  package func forEachCommit(
    through last: UInt64, _ body: (CommitView) throws -> Bool
  ) throws {
    let floor = try floor
    guard last >= floor.sequence else {
      throw JournalError(
        .token(.expired(floor: floor.sequence)),
        "Commits up to \(floor.sequence) have been purged: the ledger as of commit \(last) is gone.",
        path: store.path, sequence: last)
    }
    try store.forEachCommit(
      after: floor.sequence, through: last, reversed: false, checkingKinds: true, view, body)
  }

  /// Calls `body` with every entity of the baseline, by kind and then by recording number.
  package func forEachBaselineEntity(
    _ body: (EntityKind, UInt64, EntityID, [UInt8]) throws -> Void
  ) throws {
    try store.tables.baselineTable.forEachRow(view) { kind, number, row in
      let kind = EntityKind(rawValue: kind)
      try body(kind, number, row.id, try store.upcast(row, kind).record)
    }
  }

  /// The greatest recording number of each kind that was purged.
  package var purgedNumbers: [UInt8: UInt64] {
    get throws { try BaselineState(store, view).greatest }
  }
}

extension JournalStore {
  /// Lends the journal as of now.
  package func withReading<Result>(
    _ body: (borrowing JournalReading) throws -> Result
  ) throws -> Result {
    try read { view throws in
      let reading = JournalReading(view, self)
      return try body(reading)
    }
  }

  /// A row of the baseline in the newest version of its kind.
  func upcast(_ row: BaselineRow, _ kind: EntityKind) throws -> BaselineRow {
    guard let definition = schema[kind], row.version < definition.newestVersion,
      let upcast = definition.upcast
    else { return row }
    var properties: [PropertyChange] = []
    var reader = RecordReader(row.record.span.bytes)
    while let property = try reader.next() {
      properties.append(
        PropertyChange(tag: property.tag, before: nil, after: property.value.copied()))
    }
    var writer = RecordWriter(reserving: row.record.count)
    for property in try upcast(row.version, properties).sorted(by: { $0.tag < $1.tag }) {
      if let after = property.after { writer.put(property.tag) { $0.raw(after) } }
    }
    var newer = row
    newer.version = definition.newestVersion
    newer.record = writer.record.bytes
    return newer
  }
}
