import DaybookBookkeeping
import Testing

@testable import DaybookFormats

/// Goal: what OFX says of accounts, balances, currencies, pending and corrected rows, trades and refusals.
///
/// Method: small files, each for one of them.
@Suite("Statements of OFX")
struct OFXStatementTests {
  private let euro = Currency.iso("EUR")
  private let dollar = Currency.iso("USD")

  private func row(_ more: String, id: String = "1", amount: String = "-10.00") -> String {
    "<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20240131<TRNAMT>\(amount)<FITID>\(id)\(more)</STMTTRN>"
  }

  private func statement(_ rows: String, after: String = "") throws -> FileContents {
    try OFXTests.read(OFXTests.statement(rows, after: after))
  }

  @Test("The ledger balance closes the statement; one that is empty is told")
  func closing() throws {
    let after = "<LEDGERBAL>\n<BALAMT>-5.25<DTASOF>20240131235959</LEDGERBAL><AVAILBAL><BALAMT>9"
    let contents = try statement(OFXTests.row, after: after + "<DTASOF>20240201</AVAILBAL>")
    let euro = try #require(euro)
    #expect(
      contents.statements.first?.closing
        == StatedBalance(line: 12, day: try #require(Day("2024-01-31")), amount: Money(-525, euro)))
    let empty = try statement("", after: "<LEDGERBAL><BALAMT><DTASOF>20240131</LEDGERBAL>")
    #expect(empty.statements.first?.closing == nil)
    #expect(empty.notices.count == 1)
    let wrong = try statement("", after: "<LEDGERBAL><BALAMT>x<DTASOF>20240131</LEDGERBAL>")
    #expect(wrong.statements.first?.closing == nil)
    #expect(wrong.badLines == [] && wrong.notices.count == 1)
  }

  @Test("What else a row says goes to code, note and value day")
  func details() throws {
    let more = """
      <DTUSER>20240129<DTAVAIL>20240202<CHECKNUM>1001<REFNUM>AB-7<SIC>5411<PAYEE><NAME>Shop<ADDR1>1 High St\
      <CITY>York<STATE>N<POSTALCODE>YO1<PHONE>555</PAYEE><EXTDNAME>Shop of Many Things\
      <BANKACCTTO><BANKID>12<ACCTID>345</BANKACCTTO><MEMO>one<MEMO>two
      """
    let row = try #require(try statement(row(more)).statements.first?.rows.first)
    #expect(row.payee == "Shop of Many Things")
    #expect(row.code == "1001")
    #expect(row.description == "one two")
    #expect(row.valueDay == Day("2024-02-02"))
    #expect(
      row.note == """
        1 High St
        YO1 York N
        555
        12/345
        Reference: AB-7
        Made on 2024-01-29
        Merchant category: 5411
        """)
  }

  @Test("Zeros for a cheque's number are none; the reference takes its place")
  func noCheque() throws {
    let contents = try statement(row("<CHECKNUM>0<REFNUM>R1"))
    #expect(contents.statements.first?.rows.first?.code == "R1")
    #expect(contents.statements.first?.rows.first?.note == "")
  }

  @Test("A converted amount is taken where the rate gives a whole one, and told otherwise")
  func original() throws {
    let rows =
      row("<ORIGCURRENCY><CURRATE>0.8<CURSYM>USD</ORIGCURRENCY>")
      + row("<ORIGCURRENCY><CURRATE>0.3<CURSYM>USD</ORIGCURRENCY>", id: "2")
    let found = try #require(try statement(rows).statements.first?.rows)
    #expect(found.map(\.original) == [Money(1250, try #require(dollar)), nil])
    #expect(found.map(\.amount.minorUnits) == [-1000, -1000])
    #expect(found.map(\.note) == ["Converted from USD at 0.8", "Converted from USD at 0.3"])
  }

  @Test("Rows in another currency are a statement of their own")
  func otherCurrency() throws {
    let rows = row("<CURRENCY><CURRATE>0.9<CURSYM>USD</CURRENCY>") + OFXTests.row
    let contents = try statement(rows)
    #expect(contents.statements.map(\.account.currency) == [euro, dollar])
    #expect(contents.statements.map(\.rows.count) == [1, 1])
    #expect(contents.notices.count == 1)
    let unknown = try statement(row("<CURRENCY><CURRATE>1<CURSYM>XYZ</CURRENCY>"))
    #expect(unknown.badLines.map(\.code) == [.currency])
  }

  @Test("A statement without a currency takes that of the options, of its row, or is refused")
  func noCurrency() throws {
    let text = OFXTests.statement(OFXTests.row, currency: "<CURDEF>")
    let error = #expect(throws: InterchangeError.self) { try OFXTests.read(text) }
    #expect(error?.remedy.contains("--currency") == true)
    #expect(error?.path == "test.ofx")
    var options = ReadingOptions()
    options.currency = .iso("JPY")
    let rounded = text.replacing("-12.50", with: "-12.00")
    #expect(try OFXTests.read(rounded, options).statements.first?.account.currency == .iso("JPY"))
    let own = OFXTests.statement(
      row("<CURRENCY><CURRATE>1<CURSYM>usd</CURRENCY>"), currency: "<CURDEF>")
    #expect(try OFXTests.read(own).statements.map(\.account.currency) == [dollar])
    let wrong = OFXTests.statement("", currency: "<CURDEF>XYZ")
    #expect(throws: InterchangeError.self) { try OFXTests.read(wrong) }
  }

  @Test("Pending rows are pending, with the day of the transaction")
  func pending() throws {
    let list = """
      <BANKTRANLISTP><DTASOF>20240131<STMTTRNP><TRNTYPE>HOLD<DTTRAN>20240130<TRNAMT>-3.00<NAME>Hotel\
      </STMTTRNP></BANKTRANLISTP>
      """
    let rows = try #require(try statement(OFXTests.row, after: list).statements.first?.rows)
    #expect(rows.map(\.isPending) == [false, true])
    #expect(rows.last?.day == Day("2024-01-30"))
    #expect(rows.last?.reference == "ofx:")
  }

  @Test("Corrections take the place of rows of the same file, and are told otherwise")
  func corrections() throws {
    let rows =
      row("", id: "1") + row("", id: "2")
      + row("<CORRECTFITID>1<CORRECTACTION>REPLACE", id: "3", amount: "-9.00")
      + row("<CORRECTFITID>2<CORRECTACTION>DELETE", id: "4")
      + row("<CORRECTFITID>9<CORRECTACTION>DELETE", id: "5")
    let contents = try statement(rows)
    #expect(contents.statements.first?.rows.map(\.reference) == ["ofx:3"])
    #expect(contents.notices.count == 1)
    #expect(contents.notices.first?.message.contains("ofx:9") == true)
  }

  @Test("Cards are liabilities, and each account has its statement")
  func accounts() throws {
    let card = """
      <CREDITCARDMSGSRSV1><CCSTMTTRNRS><CCSTMTRS><CURDEF>USD<CCACCTFROM><ACCTID>4111</CCACCTFROM>\
      <BANKTRANLIST>\(row(""))</BANKTRANLIST></CCSTMTRS></CCSTMTTRNRS></CREDITCARDMSGSRSV1></OFX>
      """
    let text = OFXTests.statement(OFXTests.row).replacing("</OFX>", with: card)
    let statements = try OFXTests.read(text).statements
    #expect(statements.map(\.account.number) == ["DE89 3704 0044 0532 0130 00", "4111"])
    #expect(statements.map(\.account.kind) == [.asset, .liability])
    #expect(statements.map(\.account.iban) == ["DE89370400440532013000", ""])
  }

  @Test("Trades move cash: fee, settlement, and the security's name from the end of the file")
  func trades() throws {
    let text = """
      <OFX><INVSTMTMSGSRSV1><INVSTMTTRNRS><INVSTMTRS><DTASOF>20240201<CURDEF>USD<INVACCTFROM>\
      <BROKERID>b.example<ACCTID>9</INVACCTFROM><INVTRANLIST><BUYSTOCK><INVBUY><INVTRAN><FITID>1\
      <DTTRADE>20240130<DTSETTLE>20240201</INVTRAN><SECID><UNIQUEID>458140100</SECID><UNITS>+0100.000\
      <UNITPRICE>025.6350<COMMISSION>7.95<FEES>0.05<TOTAL>-2571.50<SUBACCTFUND>CASH</INVBUY></BUYSTOCK>
      <INCOME><INVTRAN><FITID>2<DTTRADE>20240130</INVTRAN><SECID><UNIQUEID>458140100</SECID><INCOMETYPE>DIV\
      <TOTAL>5<SUBACCTFUND>CASH</INCOME>
      <TRANSFER><INVTRAN><FITID>3<DTTRADE>20240130</INVTRAN><UNITS>1</TRANSFER>
      <BUYMF><INVBUY><INVTRAN><FITID>4<DTTRADE>20240130</INVTRAN><TOTAL>-5<SUBACCTFUND>OTHER</INVBUY></BUYMF>
      </INVTRANLIST><INVPOSLIST><POSSTOCK><INVPOS><MEMO>x</INVPOS></POSSTOCK></INVPOSLIST>\
      <INVBAL><AVAILCASH>100.10<BALLIST><BAL><NAME>Worth<VALUE>5</BAL></BALLIST></INVBAL>\
      </INVSTMTRS></INVSTMTTRNRS></INVSTMTMSGSRSV1><SECLISTMSGSRSV1><SECLIST><STOCKINFO><SECINFO><SECID>\
      <UNIQUEID>458140100</SECID><SECNAME>Intel<TICKER>INTC</SECINFO></STOCKINFO></SECLIST></SECLISTMSGSRSV1></OFX>
      """
    let contents = try OFXTests.read(text)
    let statement = try #require(contents.statements.first)
    let dollar = try #require(dollar)
    #expect(statement.rows.map(\.amount.minorUnits) == [-257_150, 500])
    #expect(statement.rows.map(\.fee) == [Money(800, dollar), nil])
    #expect(statement.rows.map(\.valueDay) == [Day("2024-02-01"), nil])
    #expect(statement.rows.map(\.description) == ["Buy", "Dividend"])
    #expect(
      statement.rows.map(\.note)
        == ["Buy: 100 of 458140100 at 25.635\nIntel (INTC)", "Dividend: 458140100\nIntel (INTC)"])
    #expect(statement.closing?.amount == Money(10_010, dollar))
    #expect(statement.closing?.day == Day("2024-02-01"))
    #expect(
      contents.notices.map(\.message) == [
        "Skipped <TRANSFER>, which moves no cash.",
        "Skipped <BUYMF>, whose money doesn't come from the account.",
        "Skipped <INVPOSLIST>.",
      ])
  }

  @Test("What a bank refuses is said in words; beside statements it is told")
  func refusals() throws {
    let status = "<STATUS><CODE>15500<SEVERITY>ERROR<MESSAGE>No &amp; no</STATUS>"
    let signOn = "<SIGNONMSGSRSV1><SONRS>\n\(status)</SONRS></SIGNONMSGSRSV1>"
    let error = #expect(throws: InterchangeError.self) {
      try OFXTests.read("<OFX>\(signOn)</OFX>")
    }
    #expect(
      error?.message == "The bank refused the sign-on: the user ID or password is wrong (15500). "
        + "The bank's message: “No & no”")
    #expect(error?.line == 2)
    let text = OFXTests.statement(OFXTests.row).replacing("<OFX>", with: "<OFX>\(signOn)")
    let contents = try OFXTests.read(text)
    #expect(contents.statements.count == 1)
    #expect(contents.notices.map(\.message) == [try #require(error?.message)])
    #expect(try OFXTests.read("<OFX></OFX>").notices.count == 1)
  }

  @Test("A file that is cut off is refused", arguments: [5, 40, 70, 110, 150])
  func cutOff(byteCount: Int) throws {
    let text = OFXTests.statement(OFXTests.row)
    let error = #expect(throws: InterchangeError.self) {
      try OFXTests.read(String(text.dropLast(byteCount + 40)))
    }
    #expect(error?.line != nil)
    #expect(error?.remedy.isEmpty == false)
  }
}
