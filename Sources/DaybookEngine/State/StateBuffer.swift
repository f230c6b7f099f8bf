internal import DaybookEntities
internal import DaybookJournal
internal import DaybookLMDB

/// Buffered changes of State, written at the end of a batch in key order.
///
/// Because of this order, each write starts near the previous one. Projections that read State
/// within the batch look here first. Decisions read State as of before the batch.
struct StateBuffer {
  private var rows = TableBuffer(.rows, valueByteCountMax: StateTable.rowByteCountMax)
  private var ids = TableBuffer(.rows)

  /// Returns the position of an entity, taking the batch's changes into account.
  func position(
    of id: EntityID, kind: EntityKind, _ table: StateTable, in view: TransactionView
  ) throws -> StatePosition? {
    guard let buffered = ids.value(of: StateTable.idKey(kind, id)) else {
      return try table.position(of: id, kind: kind, in: view)
    }
    guard let bytes = buffered else { return nil }
    return try StateTable.position(inIDValue: bytes.span.bytes)
  }

  /// Returns an entity, taking the batch's changes into account.
  func entity(
    _ kind: EntityKind, _ id: EntityID, _ table: StateTable, in view: TransactionView
  ) throws -> StoredEntity? {
    guard let position = try position(of: id, kind: kind, table, in: view) else { return nil }
    guard let buffered = rows.value(of: StateTable.rowKey(kind, position)) else {
      return try table.entity(kind, at: position, in: view)
    }
    guard let bytes = buffered else { return nil }
    return try table.withRecord(bytes.span.bytes, kind, position.number, in: view) { id, record in
      StoredEntity(id: id, number: position.number, record: Record(bytes: record.copied()))
    }
  }

  /// Returns whether a change has a record so long that it is stored in parts; see
  /// ``putParts(of:_:in:)``.
  static func hasParts(_ change: Change) -> Bool {
    (change.before?.bytes.count ?? 0) > StateTable.inlineByteCountMax
      || (change.after?.bytes.count ?? 0) > StateTable.inlineByteCountMax
  }

  /// Writes the parts of a long record, which are not buffered.
  func putParts(
    of change: Change, _ table: StateTable, in transaction: inout WriteTransaction
  ) throws {
    if let before = change.before {
      try table.removeParts(of: before, change.kind, change.number, from: &transaction)
    }
    if let after = change.after {
      try table.putParts(of: after, change.kind, change.number, into: &transaction)
    }
  }

  /// Buffers a change, except for the parts of long records.
  mutating func apply(_ change: Change, clusterTag: UInt8?) throws {
    var old: StatePosition?
    if let before = change.before {
      old = StatePosition(
        cluster: try StateTable.cluster(of: before, tag: clusterTag), number: change.number)
    }
    guard let after = change.after else {
      if let old {
        rows.remove(StateTable.rowKey(change.kind, old))
        ids.remove(StateTable.idKey(change.kind, change.id))
      }
      return
    }
    let new = StatePosition(
      cluster: try StateTable.cluster(of: after, tag: clusterTag), number: change.number)
    if let old, old != new { rows.remove(StateTable.rowKey(change.kind, old)) }
    rows.put(StateTable.rowKey(change.kind, new), StateTable.rowValue(change.id, after))
    if old != new {
      let value = StateTable.idValue(new).withBytes { $0.copied() }
      ids.put(StateTable.idKey(change.kind, change.id), value)
    }
  }

  /// Writes the buffered changes.
  mutating func write(to batch: ViewsBatch) throws {
    let table = batch.store.state
    if !rows.isEmpty { try rows.write(to: table.rows, of: batch) }
    if !ids.isEmpty { try ids.write(to: table.ids, of: batch) }
    rows.removeAll()
    ids.removeAll()
  }
}

extension StateTable {
  fileprivate func removeParts(
    of record: Record, _ kind: EntityKind, _ number: UInt64,
    from transaction: inout WriteTransaction
  ) throws(LMDBError) {
    guard record.bytes.count > StateTable.inlineByteCountMax else { return }
    for part in 0..<StateTable.partCount(of: record.bytes.count) {
      try StateTable.overflowKey(kind, number, part: part).withBytes { (key) throws(LMDBError) in
        _ = try transaction.delete(key, in: overflow)
      }
    }
  }

  fileprivate func putParts(
    of record: Record, _ kind: EntityKind, _ number: UInt64,
    into transaction: inout WriteTransaction
  ) throws {
    try StateTable.forEachPart(of: record, kind, number) { key, value in
      try key.withBytes { (key) throws(LMDBError) in
        try transaction.put(key, value, in: overflow)
      }
    }
  }
}
