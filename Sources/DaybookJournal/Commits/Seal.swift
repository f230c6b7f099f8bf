import DaybookEntities
import DaybookLMDB

// Rows that the hash chain doesn't cover end with a seal, which is a checksum of the row's key and
// value. These rows are used as soon as the journal is opened, so without a seal, a damaged byte in
// them would go unnoticed. See `Docs/Format.md`, "Seals".

/// Returns a value with its seal appended.
package func sealed(_ value: [UInt8], under key: [UInt8]) -> [UInt8] {
  var writer = ByteWriter(reserving: value.count + Seal.byteCount)
  writer.raw(value)
  writer.u32be(Seal.checksum(key.span.bytes, value.span.bytes))
  return writer.bytes
}

/// Checks the seal of a value, and returns the value without it.
///
/// - Throws: `JournalError` with `damagedFolder` if the seal doesn't match.
@_lifetime(copy value)
func unsealed(
  _ value: RawSpan, under key: RawSpan, path: String
) throws(JournalError) -> RawSpan {
  guard let content = Seal.content(of: value, under: key) else {
    throw JournalError(
      .damagedFolder,
      "A row of the journal “\(path)” (\(hexText(key.copied()))) does not match its seal: restore "
        + "the ledger from a backup.", path: path)
  }
  return content
}

enum Seal {
  static let byteCount = 4

  @_lifetime(copy value)
  static func content(of value: RawSpan, under key: RawSpan) -> RawSpan? {
    let count = value.byteCount - byteCount
    guard count >= 0 else { return nil }
    let content = value.extracting(0..<count)
    var reader = ByteReader(value.extracting(count..<value.byteCount))
    guard (try? reader.u32be()) == checksum(key, content) else { return nil }
    return content
  }

  /// Returns the CRC-32 (IEEE 802.3), which detects every change within four consecutive bytes.
  static func checksum(_ key: RawSpan, _ value: RawSpan) -> UInt32 {
    var state = UInt32.max
    add(key, to: &state)
    add(value, to: &state)
    return ~state
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in
      value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xEDB8_8320
    }
  }

  private static func add(_ span: RawSpan, to state: inout UInt32) {
    for offset in span.byteOffsets {
      let byte = unsafe span.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
      state = table[Int(UInt8(truncatingIfNeeded: state) ^ byte)] ^ state >> 8
    }
  }
}

extension JournalStore {
  /// Checks the seals of all sealed rows.
  ///
  /// - Throws: `JournalError` with `damagedFolder` for the first seal that doesn't match.
  /// - Complexity: O(idempotency keys + consumers).
  package func verifySeals() throws {
    try read { view throws in
      try verifySealsOfMeta(view)
      for table in [tables.keys, tables.consumers] {
        try view.forEach(in: table) { key, value in
          _ = try unsealed(value, under: key, path: path)
          return true
        }
      }
    }
  }

  private func verifySealsOfMeta(_ view: TransactionView) throws {
    let prefix: [UInt8] = [0]
    try view.forEach(in: tables.meta, prefix: prefix.span.bytes) { key, value in
      let bytes = key.copied()
      // The mark is checked as a whole elsewhere, and each digest together with the rows that it
      // covers.
      if bytes == GenerationMark.key { return true }
      if bytes == JournalTables.digestKey(0) || bytes == JournalTables.digestKey(1) {
        return true
      }
      _ = try unsealed(value, under: key, path: path)
      return true
    }
  }
}
