import DaybookEntities

/// The elements of which a snapshot consists, and from which a digest of the fold is computed.
///
/// The state of the fold is a list of elements: one for the log's end, and one for each replica,
/// entity, finding and deferred change. An element's bytes encode it completely and in only one
/// way, so two folds are equal exactly if their lists are equal. It is known which elements a
/// commit changes (the log's end, the author, its entities, its findings), so a digest that is a
/// sum over elements can be updated incrementally.
///
/// Values are encoded as in `Docs/Format.md`, "Values". An element starts with a byte for its type,
/// followed by:
///
/// | byte | element | fields |
/// |---|---|---|
/// | 1 | the log's end | head varint, received zigzag, floor varint; if the log assigns recording numbers, a varint count of kinds, ascending, each with kind u8 and next recording number varint |
/// | 2 | a replica | replica u64, last commit varint; then 0, or 1 and the replica u64 and commit varint that it continues |
/// | 3 | an entity | kind u8, id, flags u8 (1 inserted, 2 deleted, 4 erased, 8 has a recording number); with flag 8, that number varint; record bytes; revivals, then deletions: each a varint count and that many writers; a varint count of registers, each u16 and its writer; with flag 4, a varint count of erasures, each a writer |
/// | 4 | a finding | replica u64, commit varint, kind u8, id, rule u8, whether a person must decide u8; a varint count of values, each with register u16, then the losing and the winning value (each as bytes, then 0, or 1 and its writer); a varint count of entities, each with kind u8 and id |
/// | 5 | a deferred change | replica u64, commit varint, kind u8, id, flags u8 (1 has an old record, 2 has a new record); these records' bytes; the writers of the closing and of the last commit merged into the change |
///
/// A writer is: position varint, replica u64, commit varint, clock zigzag, received zigzag, u8 (1 if
/// made by a program).
extension Folded {
  /// Calls `body` with each element: the log's end, then replicas, findings, deferred changes (by
  /// entity) and entities, each in ascending order.
  ///
  /// - Complexity: O(n log n) in the number of elements.
  public func forEachElement(_ body: ([UInt8]) throws -> Void) rethrows {
    try body(end)
    for (id, progress) in replicas.sorted(by: { $0.key < $1.key }) {
      try body(progress.element(of: id))
    }
    for finding in findings.values.sorted(by: { $0.id < $1.id }) { try body(finding.element) }
    for change in held.values.joined().sorted(by: { $0.place < $1.place }) {
      try body(change.element)
    }
    for (key, entity) in entities.sorted(by: { $0.key < $1.key }) {
      try body(entity.element(of: key))
    }
  }

  /// The element that describes the log's end.
  public var end: [UInt8] {
    var writer = ByteWriter(reserving: 24)
    writer.u8(1)
    writer.varint(head)
    writer.zigzag(received)
    writer.varint(floor)
    guard isNumbered else { return writer.bytes }
    writer.varint(UInt64(nextNumbers.count))
    for (kind, next) in nextNumbers.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      writer.u8(kind.rawValue)
      writer.varint(next)
    }
    return writer.bytes
  }
}

extension ReplicaProgress {
  /// Returns the element that describes a replica.
  public func element(of id: ReplicaID) -> [UInt8] {
    var writer = ByteWriter(reserving: 32)
    writer.u8(2)
    writer.u64be(id.rawValue)
    writer.varint(last)
    writer.u8(continues == nil ? 0 : 1)
    if let continues {
      writer.u64be(continues.replica.rawValue)
      writer.varint(continues.number)
    }
    return writer.bytes
  }
}

extension EntityState {
  /// Returns the element that describes an entity.
  public func element(of key: EntityKey) -> [UInt8] {
    var writer = ByteWriter(reserving: 96 + record.bytes.count)
    writer.u8(3)
    writer.key(key)
    writer.u8(
      (isInserted ? 1 : 0) | (isDeleted ? 2 : 0) | (isErased ? 4 : 0)
        | (number > 0 ? 8 : 0))
    if number > 0 { writer.varint(number) }
    writer.counted(record.bytes)
    writer.varint(UInt64(revivals.count))
    for revival in revivals { writer.writer(revival) }
    writer.varint(UInt64(deletions.count))
    for deletion in deletions { writer.writer(deletion) }
    writer.varint(UInt64(writers.count))
    for one in writers {
      writer.u16be(one.register.rawValue)
      writer.writer(one.writer)
    }
    if !isErased { return writer.bytes }
    writer.varint(UInt64(erasures.count))
    for erasure in erasures { writer.writer(erasure) }
    return writer.bytes
  }
}

extension Finding {
  /// The element that describes the finding.
  public var element: [UInt8] {
    var writer = ByteWriter(reserving: 128)
    writer.u8(4)
    writer.place(id)
    writer.u8(id.rule.rawValue)
    writer.u8(asks ? 1 : 0)
    writer.varint(UInt64(values.count))
    for value in values {
      writer.u16be(value.register.rawValue)
      for side in [value.lost, value.won] {
        writer.counted(side.bytes)
        writer.u8(side.writer == nil ? 0 : 1)
        if let author = side.writer { writer.writer(author) }
      }
    }
    writer.varint(UInt64(entities.count))
    for entity in entities { writer.key(entity) }
    return writer.bytes
  }
}

extension HeldChange {
  /// The element that describes the deferred change.
  public var element: [UInt8] {
    var writer = ByteWriter(reserving: 128)
    writer.u8(5)
    writer.place(id)
    writer.u8((before == nil ? 0 : 1) | (after == nil ? 0 : 2))
    if let before { writer.counted(before.bytes) }
    if let after { writer.counted(after.bytes) }
    writer.writer(closing)
    writer.writer(last)
    return writer.bytes
  }

  /// The key by which deferred changes are sorted: the entity, then the commit.
  var place: (EntityKey, FindingID) { (id.key, id) }
}

extension ByteWriter {
  fileprivate mutating func key(_ key: EntityKey) {
    u8(key.kind.rawValue)
    id(key.id)
  }

  /// Writes the commit and the entity that identify a finding or a deferred change.
  fileprivate mutating func place(_ id: FindingID) {
    u64be(id.replica.rawValue)
    varint(id.number)
    key(id.key)
  }

  fileprivate mutating func counted(_ bytes: [UInt8]) {
    varint(UInt64(bytes.count))
    raw(bytes)
  }

  fileprivate mutating func writer(_ writer: Writer) {
    varint(writer.position)
    u64be(writer.replica.rawValue)
    varint(writer.number)
    zigzag(writer.clock)
    zigzag(writer.received)
    u8(writer.isMade ? 1 : 0)
  }
}
