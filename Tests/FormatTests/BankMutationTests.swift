import DaybookBookkeeping
import DaybookRandom
import Testing

@testable import DaybookFormats

/// Goal: no bytes end the process, whatever they are.
///
/// Method: seeded mutations of files that have a bit of everything: bytes changed, cut out, doubled,
/// moved, and words of the format thrown in. What is read has to be within the ledger's bounds.
@Suite("Broken OFX and QIF")
struct BankMutationTests {
  private static let ofx = OFXTests.statement(
    """
    \(OFXTests.row)<STMTTRN><TRNTYPE>CHECK<DTPOSTED>20240101<TRNAMT>1.234,5<FITID>2<CHECKNUM>1<PAYEE><NAME>A
    <ADDR1>x</PAYEE><CURRENCY><CURRATE>1.1<CURSYM>USD</CURRENCY><CORRECTFITID>7<CORRECTACTION>REPLACE</STMTTRN>
    <STMTTRNP><DTTRAN>20240102<TRNAMT>5<ORIGCURRENCY><CURRATE>0.5<CURSYM>JPY</ORIGCURRENCY></STMTTRNP>
    <BUYSTOCK><INVBUY><INVTRAN><FITID>3<DTTRADE>20240103</INVTRAN><SECID><UNIQUEID>1</SECID><TOTAL>-5
    <COMMISSION>1</INVBUY></BUYSTOCK><MEMO>&amp;<![CDATA[x]]><!-- y --><LEDGERBAL><BALAMT>1<DTASOF>20240103
    </LEDGERBAL>
    """)
  private static let ofxWords = [
    "<STMTTRN>", "</STMTTRN>", "<STMTRS>", "</STMTRS>", "<![CDATA[", "]]>", "<!--", "&#",
    "&#x110000;", "</",
    "<", ">", "<A/>", "<STATUS><SEVERITY>ERROR", "99999999999999999999", "<OFX>", "-", ",",
    "<CURSYM>", "\r",
  ]
  private static let qifWords = [
    "!Type:Bank\n", "!Type:Invst\n", "!Account\n", "^\n", "D31/12/99\n", "T1,234.5\n", "S[A]\n",
    "$5\n", "L[B]/x\n",
    "!Option:", "N", "P", "\r", "D1/ 1'00\n", "T99999999999999999999\n", "NBuyX\n", "D1 Feb 2020\n",
    "|", "[", "]",
  ]

  private func mutated(_ text: [UInt8], _ words: [String], _ random: inout SeededGenerator)
    -> [UInt8]
  {
    var bytes = text
    for _ in 0...random.below(5) {
      let start = random.below(bytes.count + 1)
      let end = min(bytes.count, start + random.below(40))
      switch random.below(7) {
      case 0 where start < bytes.count: bytes[start] = UInt8(random.below(256))
      case 1: bytes.removeSubrange(start..<end)
      case 2: bytes.insert(contentsOf: bytes[start..<end], at: random.below(bytes.count + 1))
      case 3: bytes = Array(bytes[..<start])
      case 4: bytes.insert(UInt8(random.below(256)), at: start)
      default: bytes.insert(contentsOf: Array(random.pick(words).utf8), at: start)
      }
    }
    return bytes
  }

  private func check(
    _ format: any FileFormat.Type, _ bytes: [UInt8], _ random: inout SeededGenerator, _ seed: UInt64
  ) {
    let file = RawFile(bytes, name: "x")
    _ = format.recognise(FileHead(file))
    var options = ReadingOptions()
    options.currency = random.isTrue(oneOf: 4) ? nil : .iso("USD")
    if random.isTrue(oneOf: 2) { options.isDayFirst = random.isTrue(oneOf: 2) }
    do {
      let contents = try format.read(file, options)
      #expect(contents.badLines.count <= contents.badLineCount, "seed \(seed)")
      for row in contents.statements.flatMap(\.rows) {
        #expect(row.day.isInRange && row.line > 0, "seed \(seed)")
      }
      for statement in contents.statements { _ = statement.difference }
    } catch {
      #expect(!error.message.isEmpty && !error.remedy.isEmpty, "seed \(seed)")
    }
  }

  @Test("OFX", arguments: 0..<8 as Range<UInt64>)
  func ofx(part: UInt64) {
    for seed in part * 500..<(part + 1) * 500 {
      var random = SeededGenerator(seed: seed)
      let bytes = mutated(Array(Self.ofx.utf8), Self.ofxWords, &random)
      check(OFX.self, bytes, &random, seed)
    }
  }

  @Test("QIF", arguments: 0..<8 as Range<UInt64>)
  func qif(part: UInt64) {
    for seed in part * 500..<(part + 1) * 500 {
      var random = SeededGenerator(seed: seed)
      let bytes = mutated(Array(QIFTests.everything.utf8), Self.qifWords, &random)
      check(QIF.self, bytes, &random, seed)
    }
  }
}
