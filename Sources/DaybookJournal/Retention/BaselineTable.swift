import DaybookEntities
import DaybookLMDB

/// The table of the baseline's rows, ordered by kind and recording number; long rows are split into
/// parts.
struct BaselineTable: Sendable {
  let database: Database

  /// The maximum number of bytes of a part.
  static let partByteCountMax = 1_900

  static func key(_ kind: UInt8, _ number: UInt64, part: UInt16 = 0) -> [UInt8] {
    var writer = ByteWriter(reserving: 11)
    writer.u8(kind)
    writer.u64be(number)
    writer.u16be(part)
    return writer.bytes
  }

  func row(_ kind: UInt8, _ number: UInt64, _ view: TransactionView) throws -> BaselineRow? {
    let first = BaselineTable.key(kind, number)
    guard let value = try view.get(first.span.bytes, in: database) else { return nil }
    if value.byteCount < BaselineTable.partByteCountMax { return try BaselineRow(value) }
    var whole = value.copied()
    var part: UInt16 = 1
    while let more = try view.get(
      BaselineTable.key(kind, number, part: part).span.bytes, in: database)
    {
      whole.append(contentsOf: more.copied())
      if more.byteCount < BaselineTable.partByteCountMax { break }
      part += 1
    }
    return try BaselineRow(whole.span.bytes)
  }

  func remove(
    _ kind: UInt8, _ number: UInt64, from transaction: inout WriteTransaction
  ) throws {
    var part: UInt16 = 0
    while try transaction.delete(BaselineTable.key(kind, number, part: part), in: database) {
      part += 1
    }
  }

  /// Stores a row, replacing an existing one.
  func put(
    _ row: BaselineRow, _ kind: UInt8, _ number: UInt64, isNew: Bool,
    into transaction: inout WriteTransaction
  ) throws {
    if !isNew { try remove(kind, number, from: &transaction) }
    let bytes = row.bytes
    var start = 0
    var part: UInt16 = 0
    // A full part is always followed by another part, which may be empty.
    while true {
      let end = min(start + BaselineTable.partByteCountMax, bytes.count)
      try transaction.put(
        BaselineTable.key(kind, number, part: part).span.bytes,
        bytes.span.bytes.extracting(start..<end), in: database)
      if end - start < BaselineTable.partByteCountMax { return }
      start = end
      part += 1
    }
  }

  /// Calls `body` with every row, in the order of kinds and numbers.
  func forEachRow(
    _ view: TransactionView, _ body: (UInt8, UInt64, BaselineRow) throws -> Void
  ) throws {
    var whole: [UInt8] = []
    try view.forEach(in: database) { key, value in
      var reader = ByteReader(key)
      let kind = try reader.u8()
      let number = try reader.u64be()
      if try reader.u16be() == 0 { whole.removeAll(keepingCapacity: true) }
      unsafe value.withUnsafeBytes { unsafe whole.append(contentsOf: $0) }
      if value.byteCount < BaselineTable.partByteCountMax {
        try body(kind, number, BaselineRow(whole.span.bytes))
      }
      return true
    }
  }
}
