import DaybookEntities
import Foundation

@testable import DaybookJournal
@testable import DaybookLMDB

extension FuzzTarget {
  /// The redo log.
  ///
  /// Headers and records are decoded unchanged. Headers are also decoded with correct checksums,
  /// which random mutations can't produce. The rows of a record are put into a journal's tables.
  static let redo = FuzzTarget(
    name: "redo",
    seeds: { _ in
      var page = [UInt8](repeating: 0, count: MetaPages.byteCount / 2)
      page.replaceSubrange(40..<44, with: [0x00, 0x10, 0x00, 0x00])
      guard let pages = MetaPages(bytes: page + page) else { return [] }
      let base = RedoBase(
        boot: .zero, file: FileIdentity(device: 5, inode: 6), sequence: 2, link: .zero,
        pages: pages)
      let headers = [RedoHeader(epoch: 3, base: nil), RedoHeader(epoch: 2, base: base)]
      var record = RedoRecord(after: 2, byteCountMax: 4_096)
      let rows: [(RedoRecord.Table, key: [UInt8], value: [UInt8])] = [
        (.commits, JournalTables.chunkKey(3, 0), [1, 2, 3]), (.meta, JournalTables.headKey, [4]),
        (.keys, [6], []),
      ]
      for (table, key, value) in rows { record.put(table, key.span.bytes, value.span.bytes) }
      let copies = record.framed(mark: mark, at: 0)
      let framed = Array(copies.prefix(copies.count / 2))
      let content = Array(framed[12..<framed.count - Hash256.byteCount])
      return headers.map(\.bytes) + headers.map { Array($0.bytes.prefix(508)) }
        + [copies, framed, content]
    },
    run: { bytes in
      let raw = RedoHeader(slot: bytes)
      // A header slot has 508 bytes of content and a checksum of 4 bytes.
      let title = Array("daybook redo 1\n".utf8)
      let room = 508 - bytes.count
      let content = room < 0 ? Array(bytes.prefix(508)) : bytes + [UInt8](repeating: 0, count: room)
      let mended = RedoHeader(slot: sealed(content, under: title))
      for header in [raw, mended].compactMap({ $0 }) {
        require(RedoHeader(slot: header.bytes) == header, "a header that is written is read again")
        _ = header.base?.pages.newestCommit
      }
      _ = RedoHeader.newest([bytes, content])
      for offset in [0, bytes.count / 2, bytes.count] {
        guard let found = RedoRecord.content(of: bytes.span.bytes, at: offset, mark: mark) else {
          continue
        }
        require(
          RedoRecord.copy(around: found).upperBound <= bytes.count, "a record ends in the log")
      }
      redo(bytes)
    })

  private static let mark: UInt64 = 0x0102_0304_0506_0708

  /// A journal's tables in a temporary folder, which is removed immediately.
  private static let journal: (environment: Environment, tables: JournalTables)? = {
    let path = NSTemporaryDirectory() + "/fuzz-redo-\(ProcessInfo.processInfo.processIdentifier)"
    var options = EnvironmentOptions(mapByteCount: 1 << 28)
    options.durability = .deferred
    guard let environment = try? Environment.open(path: path, options: options),
      let meta = try? environment.mainDatabase()
    else { return nil }
    let others = JournalTables.names.compactMap {
      try? environment.database(named: $0, create: true)
    }
    guard others.count == 4 else { return nil }
    // The files stay open as long as the process runs.
    try? FileManager.default.removeItem(atPath: path)
    return (
      environment,
      JournalTables(
        meta: meta, commits: others[0], keys: others[1], baseline: others[2], consumers: others[3])
    )
  }()

  /// Puts a record's rows into the tables in a transaction that is rolled back.
  private static func redo(_ content: [UInt8]) {
    guard let journal else { endWith("no journal could be made") }
    guard var transaction = try? journal.environment.beginWrite() else {
      endWith("no transaction could be begun")
    }
    var reader = ByteReader(content.span.bytes)
    guard let head = try? reader.u64be() else { return }
    try? RedoRecord.redo(content.span.bytes, after: head, in: journal.tables, &transaction)
  }
}
