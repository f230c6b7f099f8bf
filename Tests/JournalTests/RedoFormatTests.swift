// Goal: the redo log is what Docs/Format.md says, byte by byte.
// Method: the vectors in that document, which were computed from its words by another program, are held
// against a header that is closed, one that is open, and a record; and each is read again.

import DaybookEntities
import DaybookLMDB
import Testing

@testable import DaybookJournal

@Suite struct RedoFormatTests {
  private func expectHex(_ name: String, _ bytes: some Sequence<UInt8>) {
    let digits = FormatTests.blocks[name]?.filter { !$0.isWhitespace }
    let text = hexText(Array(bytes))
    #expect(digits == text, "VECTOR hex \(name) \(text)")
  }

  private func base() throws -> RedoBase {
    var page = [UInt8](repeating: 0, count: MetaPages.byteCount / 2)
    page.replaceSubrange(40..<44, with: [0x00, 0x10, 0x00, 0x00])
    let link = try #require(FormatTests.blocks["commit-2-link"]).filter { !$0.isWhitespace }
    let bytes = try #require(hexBytes(link))
    var reader = ByteReader(bytes.span.bytes)
    return RedoBase(
      boot: Hash256(hashing: text("one boot")), file: FileIdentity(device: 5, inode: 6),
      sequence: 2,
      link: try reader.hash(), pages: try #require(MetaPages(bytes: page + page)))
  }

  @Test func headers() throws {
    let closed = RedoHeader(epoch: 3, base: nil)
    #expect(closed.offset == 4_096)
    expectHex("redo-closed", closed.bytes[0..<24] + closed.bytes[508..<512])
    let open = RedoHeader(epoch: 2, base: try base())
    #expect(open.offset == 0)
    expectHex("redo-open", open.bytes[0..<112] + open.bytes[508..<512])
    for header in [closed, open] {
      #expect(header.bytes.count == 1_024 && header.bytes[0..<512] == header.bytes[512...])
      #expect(RedoHeader(slot: header.bytes) == header)
    }
  }

  @Test func record() throws {
    var record = RedoRecord(after: 2, byteCountMax: 4_096)
    record.put(
      .commits, JournalTables.chunkKey(3, 0).span.bytes, text("abc").span.bytes)
    record.put(.meta, text("head").span.bytes, text("row").span.bytes)
    let mark = try base().mark(epoch: 2)
    let framed = record.framed(mark: mark, at: 8_192)
    let count = framed.count / 2
    expectHex("redo-record", framed[..<count])
    // The second copy differs in the checksum, which covers the offset.
    #expect(Array(framed[..<(count - 32)]) == Array(framed[count..<framed.count - 32]))
    #expect(Array(framed[(count - 32)..<count]) != Array(framed.suffix(32)))
    let log = [UInt8](repeating: 0, count: 8_192) + framed
    for offset in [8_192, 8_192 + count] {
      let content = RedoRecord.content(of: log.span.bytes, at: offset, mark: mark)
      #expect(content.map { RedoRecord.copy(around: $0) } == offset..<offset + count)
    }
  }
}
