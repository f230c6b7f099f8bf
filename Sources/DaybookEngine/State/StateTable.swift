package import DaybookEntities
package import DaybookLMDB

/// State: the current record of every entity, in three tables of the views.
///
/// | table | key | value |
/// |---|---|---|
/// | `state` | kind (1 byte), cluster (4), number (5) | id (16), packed record |
/// | `ids` | kind (1), id (16) | cluster (4), number (5); or five bytes, see ``idValue(_:)`` |
/// | `overflow` | kind (1), number (5), part (2) | up to 2,000 bytes of a long record |
///
/// A record that is too long for one row is split into parts in `overflow`; its row in `state` then
/// contains the id, a zero byte (no tag is 0) and the record's byte count.
package struct StateTable: Sendable {
  package let rows: Database
  package let ids: Database
  package let overflow: Database

  /// The version of State's format, stored in the mark of the views.
  ///
  /// It is increased whenever the format of the rows changes. Views of an older version can be
  /// read; a writer rebuilds them.
  static let version: UInt32 = 2

  /// The maximum number of bytes of a packed record that is stored inline in its row.
  package static let inlineByteCountMax = 1_900
  /// The maximum number of bytes of a row, which consists of the id and the record.
  static let rowByteCountMax = 16 + inlineByteCountMax
  /// The number of bytes of one part of a long record.
  package static let partByteCount = 2_000

  package init(rows: Database, ids: Database, overflow: Database) {
    self.rows = rows
    self.ids = ids
    self.overflow = overflow
  }

  @inline(__always)
  package static func rowKey(_ kind: EntityKind, _ position: StatePosition) -> TableKey {
    var key = TableKey()
    key.append(u8: kind.rawValue)
    key.append(u32: position.cluster)
    key.append(u40: position.number)
    return key
  }

  @inline(__always)
  package static func idKey(_ kind: EntityKind, _ id: EntityID) -> TableKey {
    var key = TableKey()
    key.append(u8: kind.rawValue)
    key.append(u64: id.high)
    key.append(u64: id.low)
    return key
  }

  static func overflowKey(_ kind: EntityKind, _ number: UInt64, part: Int) -> TableKey {
    var key = TableKey()
    key.append(u8: kind.rawValue)
    key.append(u40: number)
    key.append(UInt64(part), byteCount: 2)
    return key
  }

  /// Decodes the position in a key of `state`.
  @inline(__always)
  package static func position(inRowKey key: RawSpan) throws(DecodingFault) -> StatePosition {
    var reader = ByteReader(key)
    _ = try reader.u8()
    return try position(&reader)
  }

  @inline(__always)
  static func position(_ reader: inout ByteReader) throws(DecodingFault) -> StatePosition {
    let cluster = try reader.u32be()
    let high = try reader.u8()
    let low = try reader.u32be()
    return StatePosition(cluster: cluster, number: UInt64(high) << 32 | UInt64(low))
  }

  // MARK: Reading

  package func position(
    of id: EntityID, kind: EntityKind, in view: TransactionView
  ) throws -> StatePosition? {
    try StateTable.idKey(kind, id).withBytes { (key) throws -> StatePosition? in
      guard let value = try view.get(key, in: ids) else { return nil }
      return try StateTable.position(inIDValue: value)
    }
  }

  package func entity(
    _ kind: EntityKind, at position: StatePosition, in view: TransactionView
  ) throws -> StoredEntity? {
    try StateTable.rowKey(kind, position).withBytes { (key) throws -> StoredEntity? in
      guard let value = try view.get(key, in: rows) else { return nil }
      return try withRecord(value, kind, position.number, in: view) { id, record in
        StoredEntity(id: id, number: position.number, record: Record(bytes: record.copied()))
      }
    }
  }

  package func entity(
    _ kind: EntityKind, id: EntityID, in view: TransactionView
  ) throws -> StoredEntity? {
    guard let position = try position(of: id, kind: kind, in: view) else { return nil }
    return try entity(kind, at: position, in: view)
  }

  /// Calls `body` with the id and the whole packed record in a row of `state`.
  @inline(__always)
  package func withRecord<R: ~Copyable>(
    _ value: RawSpan, _ kind: EntityKind, _ number: UInt64, in view: TransactionView,
    _ body: (EntityID, RawSpan) throws -> R
  ) throws -> R {
    var reader = ByteReader(value)
    let id = try reader.id()
    let tag: UInt8 = value.byteCount > 16 ? try reader.u8() : 1
    if tag != 0 { return try body(id, value.extracting(16..<value.byteCount)) }
    let whole = try longRecord(kind, number, row: value, in: view)
    return try body(id, whole.span.bytes)
  }

  private func longRecord(
    _ kind: EntityKind, _ number: UInt64, row: RawSpan, in view: TransactionView
  ) throws -> [UInt8] {
    var reader = ByteReader(row)
    _ = try reader.skip(17)
    guard let length = Int(exactly: try reader.varint()), length < 1 << 32 else {
      throw DecodingFault.invalidValue("length of a long record")
    }
    var whole: [UInt8] = []
    whole.reserveCapacity(min(length, 1 << 20))
    for part in 0..<StateTable.partCount(of: length) {
      let found = try StateTable.overflowKey(kind, number, part: part).withBytes {
        (key) throws -> Bool in
        guard let value = try view.get(key, in: overflow) else { return false }
        whole.append(contentsOf: value.copied())
        return true
      }
      guard found else { break }
    }
    guard whole.count == length else { throw DecodingFault.truncated(atByte: whole.count) }
    return whole
  }

  // MARK: Writing

  /// Returns the cluster of a record: the big-endian number in the cluster property of its kind.
  package static func cluster(of record: Record, tag: UInt8?) throws(DecodingFault) -> UInt32 {
    guard let tag else { return 0 }
    var reader = RecordReader(record.bytes.span.bytes)
    while let property = try reader.next() {
      if property.tag == tag {
        var value = ByteReader(property.value)
        return try value.u32be()
      }
    }
    return 0
  }

  /// Returns the value of an entity's row in `state`, without the parts of a long record.
  package static func rowValue(_ id: EntityID, _ record: Record) -> [UInt8] {
    var writer = ByteWriter(reserving: 16 + min(record.bytes.count, inlineByteCountMax))
    writer.id(id)
    if record.bytes.count <= inlineByteCountMax {
      writer.raw(record.bytes)
    } else {
      writer.u8(0)
      writer.varint(UInt64(record.bytes.count))
    }
    return writer.bytes
  }

  static func partCount(of length: Int) -> Int { (length + partByteCount - 1) / partByteCount }

  /// Encodes a position as a value of `ids`.
  ///
  /// Nearly all positions are encoded in five bytes: the lower two bytes of a cluster from 80 00 00
  /// 00 to 80 00 FF FF (the days from 1970 to 2149), and the lower three bytes of a number below
  /// 2²⁴.
  @inline(__always)
  package static func idValue(_ position: StatePosition) -> TableKey {
    var value = TableKey()
    if position.cluster >> 16 == shortCluster >> 16, position.number < shortNumberEnd {
      value.append(UInt64(position.cluster & 0xffff), byteCount: 2)
      value.append(position.number, byteCount: 3)
    } else {
      value.append(u32: position.cluster)
      value.append(u40: position.number)
    }
    return value
  }

  private static let shortCluster: UInt32 = 0x8000_0000
  private static let shortNumberEnd: UInt64 = 1 << 24

  /// Decodes the position in a value of `ids`.
  @inline(__always)
  static func position(inIDValue value: RawSpan) throws(DecodingFault) -> StatePosition {
    var reader = ByteReader(value)
    guard value.byteCount == 5 else { return try position(&reader) }
    let high = try reader.u8()
    let low = try reader.u32be()
    return StatePosition(
      cluster: shortCluster | UInt32(high) << 8 | low >> 24, number: UInt64(low & 0xff_ffff))
  }

  /// Calls `body` with the rows of a long record in `overflow`; a short record has none.
  static func forEachPart(
    of record: Record, _ kind: EntityKind, _ number: UInt64,
    _ body: (TableKey, RawSpan) throws -> Void
  ) rethrows {
    guard record.bytes.count > inlineByteCountMax else { return }
    let bytes = record.bytes.span.bytes
    for part in 0..<partCount(of: bytes.byteCount) {
      let start = part * partByteCount
      let end = min(start + partByteCount, bytes.byteCount)
      try body(overflowKey(kind, number, part: part), bytes.extracting(start..<end))
    }
  }
}
