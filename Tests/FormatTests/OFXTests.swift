import DaybookBookkeeping
import Testing

@testable import DaybookFormats

/// Goal: what the shapes of OFX mean.
///
/// Method: small files, each for one of them.
@Suite("OFX")
struct OFXTests {
  static func read(
    _ text: String, _ options: ReadingOptions = ReadingOptions()
  ) throws -> FileContents {
    try OFX.read(RawFile(Array(text.utf8), name: "test.ofx"), options)
  }

  /// A bank's statement in EUR around rows.
  static func statement(
    _ rows: String, header: String = "OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\n\n",
    after: String = "", currency: String = "<CURDEF>EUR"
  ) -> String {
    """
    \(header)<OFX><BANKMSGSRSV1><STMTTRNRS><TRNUID>1<STATUS><CODE>0<SEVERITY>INFO</STATUS>
    <STMTRS>\(currency)<BANKACCTFROM><BANKID>37040044<ACCTID>DE89 3704 0044 0532 0130 00\
    <ACCTTYPE>CHECKING</BANKACCTFROM>
    <BANKTRANLIST><DTSTART>20240101<DTEND>20240131
    \(rows)
    </BANKTRANLIST>\(after)</STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>
    """
  }

  static let row = """
    <STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20240131120000.000[-5:EST]<TRNAMT>-12.50<FITID>7
    <NAME>Bakery<MEMO>Bread  and
    rolls</STMTTRN>
    """

  private func onlyRow(
    _ text: String, _ options: ReadingOptions = ReadingOptions()
  ) throws -> StatementRow {
    let contents = try Self.read(text, options)
    #expect(contents.badLines.isEmpty)
    return try #require(contents.statements.first?.rows.first)
  }

  @Test("A row without end tags has its day, amount, texts and reference")
  func plain() throws {
    let contents = try Self.read(Self.statement(Self.row))
    let statement = try #require(contents.statements.first)
    #expect(statement.account.iban == "DE89370400440532013000")
    #expect(statement.account.bank == "37040044")
    #expect(statement.account.currency == .iso("EUR"))
    let row = try #require(statement.rows.first)
    #expect(statement.rows.count == 1)
    #expect(row.line == 8)
    #expect(row.day == Day("2024-01-31"))
    #expect(row.amount == Money(-1250, try #require(.iso("EUR"))))
    #expect(row.payee == "Bakery")
    #expect(row.description == "Bread and rolls")
    #expect(row.reference == "ofx:7")
    #expect(!row.isPending)
    #expect(contents.notices.isEmpty)
  }

  @Test(
    "Headers of every shape lead to the same rows",
    arguments: [
      "", "\n\n\n\n", "\u{FEFF}",
      "OFXHEADER:100 DATA:OFXSGML VERSION:102 ENCODING:USASCII CHARSET:1252 ",
      "OFXHEADER:100DATA:OFXSGMLVERSION:102SECURITY:NONEENCODING:USASCIICHARSET:1252COMPRESSION:NONE",
      "OFXHEADER:100\r\nENCODING: UTF-8\r\nCHARSET: NONE\r\n\r\n",
      "ofxheader:100\rencoding:unicode\r\r",
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<?OFX OFXHEADER=\"200\" VERSION=\"211\"?>\n",
      "<?xml version='1.0' encoding='us-ascii'?><!-- <OFX-like> --><?OFX OFXHEADER='200'?>",
    ])
  func headers(header: String) throws {
    let text = Self.statement(Self.row, header: header)
    #expect(OFX.recognise(FileHead(RawFile(Array(text.utf8), name: "x"))) == .certain)
    #expect(try Self.read(text).statements.first?.rows.first?.payee == "Bakery")
  }

  @Test("Text that is no OFX is not taken for it")
  func recognition() {
    for text in ["", "Date,Amount\n", "<Document><OFXX></Document>", "!Type:Bank\n"] {
      #expect(OFX.recognise(FileHead(RawFile(Array(text.utf8), name: "x.ofx"))) == .no)
    }
    let mail = "From the bank\n<OFX></OFX>"
    #expect(OFX.recognise(FileHead(RawFile(Array(mail.utf8), name: "x"))) == .possible)
  }

  @Test("End tags may be left out of some values, and values may be empty")
  func endTags() throws {
    let row = try onlyRow(
      Self.statement(
        """
        <STMTTRN><TRNTYPE>CREDIT</TRNTYPE><DTPOSTED>20240131<TRNAMT>5</TRNAMT><FITID></FITID>\
        <CHECKNUM><REFNUM/><NAME>Anna<MEMO></STMTTRN>
        """))
    #expect(row.payee == "Anna")
    #expect(row.description.isEmpty)
    #expect(row.reference == "ofx:")
    #expect(row.code.isEmpty)
  }

  @Test("Values of what is not known do not become those of the row, and are told")
  func unknown() throws {
    let contents = try Self.read(
      Self.statement(
        """
        <STMTTRN><DTPOSTED>20240131<TRNAMT>5<FITID>1<BANK.EXT><NAME>Wrong</BANK.EXT><EMPTY>\
        <NAME>Right</STMTTRN>
        """))
    #expect(contents.statements.first?.rows.first?.payee == "Right")
    #expect(
      contents.notices.map(\.message) == ["Skipped <BANK.EXT>.", "Skipped <EMPTY>."])
  }

  @Test("Entities, CDATA, comments and stray signs in texts")
  func texts() throws {
    let row = try onlyRow(
      Self.statement(
        """
        <STMTTRN><DTPOSTED>20240131<TRNAMT>5<FITID>1<NAME>AT&T &amp; Co&#46; \
        &lt;&#x41;&gt;&nbsp;5 < 6 <b c
        <MEMO><![CDATA[ a<b & c ]]><!-- no --> d & e</STMTTRN>
        """))
    #expect(row.payee == "AT&T & Co. <A> 5 < 6 <b c")
    #expect(row.description == "a<b & c d & e")
  }

  @Test(
    "Amounts in the ways of banks",
    arguments: [
      ("-12.5", -1250), ("+1058,53", 105853), ("1.234,56", 123456), ("1,234.56", 123456),
      ("-1 025,53", -102553), ("-00000000001500.0000", -150000), ("1,234,567", 123_456_700),
      ("null", 0), (".5", 50), ("5.", 500), ("-92233720368547758.08", Int64.min),
    ] as [(String, Int64)])
  func amounts(text: String, units: Int64) throws {
    let row = try onlyRow(
      Self.statement("<STMTTRN><DTPOSTED>20240131<TRNAMT>\(text)<FITID>1</STMTTRN>"))
    #expect(row.amount.minorUnits == units)
  }

  @Test(
    "What is no amount is a bad line with its place",
    arguments: [
      "$120", "1,234", "12.345", "1-2", "-", "", "1..2,", "92233720368547758.08", "12 EUR", "+-1",
      ".",
    ])
  func noAmounts(text: String) throws {
    let contents = try Self.read(
      Self.statement("<STMTTRN><DTPOSTED>20240131\n<TRNAMT>\(text)<FITID>1</STMTTRN>"))
    #expect(contents.statements.first?.rows.isEmpty == true)
    let bad = try #require(contents.badLines.first)
    #expect(bad.code == .amount)
    #expect(bad.line == (text.isEmpty ? 8 : 9))
    #expect(bad.column == (text.isEmpty ? 1 : 9))
    #expect(!bad.remedy.isEmpty)
  }

  @Test("Days that are missing or do not exist are bad lines, and the other rows are read")
  func days() throws {
    let rows = [
      "", "<DTPOSTED>", "<DTPOSTED>20240230", "<DTPOSTED>31.01.2024", "<DTPOSTED>2024-01-31",
    ]
    let contents = try Self.read(
      Self.statement(
        rows.map { "<STMTTRN>\($0)<TRNAMT>5<FITID>1</STMTTRN>" }.joined(separator: "\n")))
    #expect(contents.badLines.map(\.line) == [8, 9, 10, 11])
    #expect(contents.badLines.allSatisfy { $0.code == .date })
    let day = try #require(Day("2024-01-31"))
    #expect(contents.statements.first?.rows.map(\.day) == [day])
  }

  @Test("Two files in one are read one after the other")
  func twice() throws {
    let text = Self.statement(Self.row) + "\n" + Self.statement(Self.row)
    #expect(try Self.read(text).statements.map(\.rows.count) == [1, 1])
  }
}
