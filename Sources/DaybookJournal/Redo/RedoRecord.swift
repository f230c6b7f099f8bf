import DaybookEntities
import DaybookLMDB

/// The rows that a write transaction put into the journal's tables, so that they can be put again.
struct RedoRecord: ~Copyable {
  /// The tables that a commit changes.
  enum Table: UInt8 {
    case meta = 0
    case commits = 1
    case keys = 2
  }

  /// The last commit before the record's commits.
  let previous: UInt64
  private let byteCountMax: Int
  private var writer: ByteWriter
  /// Whether the record is too large for the log.
  private(set) var isTooLarge: Bool

  /// Creates an empty record.
  ///
  /// - Parameter byteCountMax: The maximum number of bytes; with 0, nothing is recorded.
  init(after previous: UInt64, byteCountMax: Int) {
    self.previous = previous
    self.byteCountMax = byteCountMax
    isTooLarge = byteCountMax == 0
    writer = ByteWriter(reserving: isTooLarge ? 0 : 1_024)
    if isTooLarge { return }
    // Placeholders for the mark and the byte count, which are known at the end.
    writer.u64be(0)
    writer.u32be(0)
    writer.u64be(previous)
  }

  /// Records a row.
  mutating func put(_ table: Table, _ key: RawSpan, _ value: RawSpan) {
    if isTooLarge { return }
    let room = byteCountMax - writer.bytes.count - Hash256.byteCount
    guard key.byteCount + value.byteCount + 7 <= room else { return giveUp() }
    writer.u8(table.rawValue)
    writer.u16be(UInt16(key.byteCount))
    writer.u32be(UInt32(value.byteCount))
    writer.span(key)
    writer.span(value)
  }

  /// Discards the record and marks it as too large for the log.
  mutating func giveUp() {
    isTooLarge = true
    writer = ByteWriter(reserving: 0)
  }

  /// Returns the record's bytes in the log: two copies, one after the other.
  ///
  /// If one copy is damaged, the other stays intact. A damaged last record would otherwise look like
  /// one that was torn before its commits were acknowledged.
  consuming func framed(mark: UInt64, at offset: Int) -> [UInt8] {
    var head = ByteWriter(reserving: 16)
    head.u64be(mark)
    head.u32be(UInt32(writer.bytes.count - 12))
    var frame = writer
    frame.bytes.replaceSubrange(0..<12, with: head.bytes)
    let content = frame.bytes
    frame.hash(RedoRecord.checksum(content.span.bytes, offset))
    let second = offset + frame.bytes.count
    frame.raw(content)
    frame.hash(RedoRecord.checksum(content.span.bytes, second))
    return frame.bytes
  }

  private static func checksum(_ framed: RawSpan, _ offset: Int) -> Hash256 {
    var place = ByteWriter(reserving: 8)
    place.u64be(UInt64(offset))
    var stream = Hash256.Stream()
    stream.update(framed)
    stream.update(place.bytes.span.bytes)
    return stream.finish()
  }

  /// Returns the range of a record's content, or `nil` if there is no intact copy of a record at the
  /// offset.
  static func content(of log: RawSpan, at offset: Int, mark: UInt64) -> Range<Int>? {
    guard offset >= 0, offset <= log.byteCount else { return nil }
    var reader = ByteReader(log.extracting(offset..<log.byteCount))
    guard let found = try? reader.u64be(), found == mark, let count = try? reader.u32be() else {
      return nil
    }
    let end = offset + 12 + Int(count)
    guard end + Hash256.byteCount <= log.byteCount else { return nil }
    var rest = ByteReader(log.extracting(end..<end + Hash256.byteCount))
    guard (try? rest.hash()) == checksum(log.extracting(offset..<end), offset) else { return nil }
    return offset + 12..<end
  }

  /// Returns the content of the first intact copy of a record at or after an offset.
  static func firstContent(of log: [UInt8], from offset: Int, mark: UInt64) -> Range<Int>? {
    var writer = ByteWriter(reserving: 8)
    writer.u64be(mark)
    var offset = offset
    while offset + 8 <= log.count {
      if log[offset] == writer.bytes[0], Array(log[offset..<offset + 8]) == writer.bytes,
        let content = content(of: log.span.bytes, at: offset, mark: mark)
      {
        return content
      }
      offset += 1
    }
    return nil
  }

  /// Returns the range of a whole copy of a record, given the range of its content.
  static func copy(around content: Range<Int>) -> Range<Int> {
    content.lowerBound - 12..<content.upperBound + Hash256.byteCount
  }

  /// Puts the rows of a record into the journal again.
  static func redo(
    _ content: RawSpan, after head: UInt64, in tables: JournalTables,
    _ transaction: inout WriteTransaction
  ) throws {
    var reader = ByteReader(content)
    guard try reader.u64be() == head else {
      throw DecodingFault.invalidValue("a record of the redo log does not follow commit \(head)")
    }
    while !reader.isAtEnd {
      let table: Database
      switch Table(rawValue: try reader.u8()) {
      case .meta: table = tables.meta
      case .commits: table = tables.commits
      case .keys: table = tables.keys
      case nil: throw DecodingFault.invalidValue("a row of the redo log is of no table")
      }
      let keyByteCount = Int(try reader.u16be())
      let valueByteCount = Int(try reader.u32be())
      let key = try reader.raw(keyByteCount)
      let value = try reader.raw(valueByteCount)
      try transaction.put(key, value, in: table)
    }
  }
}
