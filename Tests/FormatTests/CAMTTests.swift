import DaybookBookkeeping
import Testing

@testable import DaybookFormats

/// A message around statements, and entries in one.
enum CAMTSample {
  static func message(_ statement: String, version: String = "053.001.08") -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.\(version)"><BkToCstmrStmt>
    <GrpHdr><MsgId>1</MsgId><CreDtTm>2026-02-01T08:00:00+01:00</CreDtTm></GrpHdr>
    \(statement)
    </BkToCstmrStmt></Document>
    """
  }

  static let account = """
    <Id>S</Id><Acct><Id><IBAN>DE89370400440532013000</IBAN></Id><Ccy>EUR</Ccy>\
    <Nm>Giro</Nm><Svcr><FinInstnId><BICFI>COBADEFF</BICFI></FinInstnId></Svcr></Acct>
    """

  static func statement(_ content: String) -> String {
    message("<Stmt>\(account)\(content)</Stmt>")
  }

  static func entry(
    _ content: String, amount: String = "<Amt Ccy=\"EUR\">10.00</Amt>", direction: String = "DBIT",
    status: String = "<Sts><Cd>BOOK</Cd></Sts>"
  ) -> String {
    """
    <Ntry>\(amount)<CdtDbtInd>\(direction)</CdtDbtInd>\(status)\
    <BookgDt><Dt>2026-01-31</Dt></BookgDt><ValDt><DtTm>2026-02-02T00:00:00</DtTm></ValDt>\
    <AcctSvcrRef>R1</AcctSvcrRef>\(content)</Ntry>
    """
  }

  static func rows(_ entries: String) throws(InterchangeError) -> [StatementRow] {
    try readStatement(statement(entries), CAMT.self).statements.flatMap(\.rows)
  }
}

// Goal: what a message says stands in the right fields. Method: small messages, one matter each.
@Suite("CAMT")
struct CAMTTests {
  private let euro = Currency(code: "EUR", digits: 2) ?? Currency(packed: 0)

  @Test("A payment with all that is taken of it")
  func payment() throws {
    let row = try #require(
      try CAMTSample.rows(
        CAMTSample.entry(
          """
          <NtryDtls><TxDtls><Refs><EndToEndId>E1</EndToEndId><MndtId>M1</MndtId></Refs>
          <Amt Ccy="EUR">10.00</Amt><CdtDbtInd>DBIT</CdtDbtInd>
          <RltdPties><Dbtr><Pty><Nm>Me</Nm></Pty></Dbtr>
          <DbtrAcct><Id><IBAN>DE89370400440532013000</IBAN></Id></DbtrAcct>
          <Cdtr><Pty><Nm>Power &amp; Light</Nm><Id><PrvtId><Othr><Id>DE98ZZZ1</Id></Othr></PrvtId></Id>
          </Pty></Cdtr><CdtrAcct><Id><IBAN>NL91ABNA0417164300</IBAN></Id></CdtrAcct>
          <UltmtCdtr><Pty><Nm>Grid</Nm></Pty></UltmtCdtr></RltdPties>
          <RltdAgts><CdtrAgt><FinInstnId><BICFI>ABNANL2A</BICFI></FinInstnId></CdtrAgt></RltdAgts>
          <Purp><Cd>ELEC</Cd></Purp>
          <RmtInf><Ustrd>Bill  7</Ustrd><Ustrd>of May</Ustrd><Strd><CdtrRefInf><Tp><CdOrPrtry>
          <Cd>SCOR</Cd></CdOrPrtry></Tp><Ref>RF18</Ref></CdtrRefInf></Strd></RmtInf>
          </TxDtls></NtryDtls><AddtlNtryInf>DIRECT DEBIT</AddtlNtryInf>
          """)
      ).first)
    #expect(row.day == Day("2026-01-31"))
    #expect(row.valueDay == Day("2026-02-02"))
    #expect(row.amount == Money(-1000, euro))
    #expect(!row.isInflow && !row.isPending)
    #expect(row.payee == "Power & Light")
    #expect(row.description == "Bill 7 of May RF18")
    #expect(row.code == "E1")
    #expect(row.reference == "camt:R1")
    #expect(
      row.note.split(separator: "\n") == [
        "NL91ABNA0417164300", "BIC ABNANL2A", "For Grid", "Mandate M1", "Creditor DE98ZZZ1",
        "Purpose ELEC", "DIRECT DEBIT",
      ])
    #expect(row.line == 4)
  }

  @Test("Account and balances")
  func account() throws {
    func balance(_ code: String, _ amount: String, _ mark: String, _ day: String) -> String {
      "<Bal><Tp><CdOrPrtry><Cd>\(code)</Cd></CdOrPrtry></Tp><Amt Ccy='EUR'>\(amount)</Amt>"
        + "<CdtDbtInd>\(mark)</CdtDbtInd><Dt><Dt>\(day)</Dt></Dt></Bal>"
    }
    let statement = try #require(
      try readStatement(
        CAMTSample.statement(
          balance("PRCD", "5", "DBIT", "2026-01-30") + balance("CLAV", "9", "CRDT", "2026-01-31")
            + balance("CLBD", "15.00000", "DBIT", "2026-01-31") + CAMTSample.entry("")), CAMT.self
      ).statements.first)
    #expect(statement.account.iban == "DE89370400440532013000")
    #expect(statement.account.name == "Giro")
    #expect(statement.account.bank == "COBADEFF")
    #expect(statement.account.currency == euro)
    #expect(statement.opening?.amount == Money(-500, euro))
    #expect(statement.opening?.day == Day("2026-01-31"))
    #expect(statement.closing?.amount == Money(-1500, euro))
    #expect(statement.difference?.units == 0)
  }

  @Test("States: booked, pending, future and for information")
  func states() throws {
    let contents = try readStatement(
      CAMTSample.statement(
        ["<Sts>BOOK</Sts>", "<Sts><Cd>PDNG</Cd></Sts>", "<Sts>FUTR</Sts>", "<Sts>INFO</Sts>", ""]
          .map { CAMTSample.entry("", status: $0) }.joined()), CAMT.self)
    #expect(contents.statements[0].rows.map(\.isPending) == [false, true, true, false])
    #expect(contents.notices.count == 1)
  }

  @Test("Details become rows where their amounts make the entry's")
  func batch() throws {
    func details(_ amounts: [String]) -> String {
      "<NtryDtls><Btch/>"
        + amounts.map {
          "<TxDtls><Amt Ccy='EUR'>\($0)</Amt><RltdPties><Cdtr><Nm>P\($0)</Nm></Cdtr></RltdPties>"
            + "</TxDtls>"
        }.joined() + "</NtryDtls>"
    }
    let rows = try CAMTSample.rows(
      CAMTSample.entry(details(["4", "6"])) + CAMTSample.entry(details(["4", "5"])))
    #expect(rows.map(\.amount.minorUnits) == [-400, -600, -1000])
    #expect(rows.map(\.payee) == ["P4", "P6", ""])
    #expect(rows.map(\.reference) == ["camt:R1/1", "camt:R1/2", "camt:R1"])
    #expect(rows[2].note == "4.00 EUR, P4\n5.00 EUR, P5")
  }

  @Test("Money in another currency is the original, and what is charged in it the fee")
  func exchange() throws {
    let rows = try CAMTSample.rows(
      CAMTSample.entry(
        """
        <AmtDtls><InstdAmt><Amt Ccy="USD">10.50</Amt></InstdAmt><TxAmt><Amt Ccy="EUR">9.50</Amt>
        <CcyXchg><XchgRate>1.1053</XchgRate></CcyXchg></TxAmt></AmtDtls>
        <Chrgs><Amt Ccy="EUR">0.50</Amt></Chrgs>
        """)
        + CAMTSample.entry(
          "<Chrgs><Rcrd><Amt Ccy='EUR'>1</Amt><ChrgInclInd>true</ChrgInclInd></Rcrd></Chrgs>")
        + CAMTSample.entry(
          "<Chrgs><Rcrd><Amt Ccy='EUR'>1</Amt><ChrgInclInd>false</ChrgInclInd></Rcrd></Chrgs>"))
    #expect(rows.map { $0.fee?.minorUnits } == [50, 100, nil])
    #expect(rows[0].original == Currency.iso("USD").map { Money(1050, $0) })
    #expect(rows[0].note == "Rate 1.1053")
    #expect(rows[2].note == "Charges 1.00 EUR")
  }

  @Test("A payment that comes back is from whom it went to")
  func returned() throws {
    let parties = """
      <RltdPties><Dbtr><Nm>Me</Nm></Dbtr>DEBTOR<Cdtr><Nm>Shop</Nm></Cdtr></RltdPties>
      <RtrInf><Rsn><Cd>AC04</Cd></Rsn><AddtlInf>closed</AddtlInf></RtrInf>
      """
    let own = "<DbtrAcct><Id><IBAN>DE89370400440532013000</IBAN></Id></DbtrAcct>"
    let rows = try CAMTSample.rows(
      ["", own].map {
        CAMTSample.entry(
          "<NtryDtls><TxDtls>\(parties.replacing("DEBTOR", with: $0))</TxDtls></NtryDtls>",
          direction: "CRDT")
      }.joined())
    #expect(rows.map(\.payee) == ["Shop", "Shop"])
    #expect(rows.map(\.note) == ["Returned AC04", "Returned AC04"])
    #expect(rows.map(\.description) == ["closed", "closed"])
  }

  @Test("Bad entries are named, and the others read")
  func badEntries() throws {
    let contents = try readStatement(
      CAMTSample.statement(
        [
          "<Amt Ccy='EUR'>1.005</Amt>", "<Amt Ccy='XYZ'>1</Amt>", "<Amt Ccy='EUR'>-1</Amt>", "",
          "<Amt Ccy='EUR'>92233720368547758.08</Amt>", "<Amt Ccy='EUR'>1.00500</Amt>",
          "<Amt>1.000</Amt>",
        ].map { "\n" + CAMTSample.entry("", amount: $0) }.joined()
          + "\n" + CAMTSample.entry("", direction: "IN") + "\n<Ntry><Amt>1</Amt>"
          + "<CdtDbtInd>CRDT</CdtDbtInd><BookgDt><Dt>2026-02-30</Dt></BookgDt></Ntry>"), CAMT.self)
    #expect(contents.statements[0].rows.map(\.amount.minorUnits) == [-100])
    #expect(
      contents.badLines.map(\.code) == [
        .amount, .currency, .amount, .amount, .amount, .amount, .direction, .date,
      ])
    #expect(contents.badLines.map(\.line) == [5, 6, 7, 8, 9, 10, 12, 13])
    #expect(contents.badLines.allSatisfy { $0.column != nil && !$0.remedy.isEmpty })
    #expect(contents.badLines[0].column == 7)
  }

  @Test("Reports and notifications, any version, wrapped and with prefixes")
  func versions() throws {
    let entry = CAMTSample.entry("")
    for (message, statement) in [
      ("BkToCstmrAcctRpt", "Rpt"), ("BkToCstmrDbtCdtNtfctn", "Ntfctn"),
      ("BkToCstmrStmtV01", "Stmt"),
    ] {
      let xml = """
        <x:Envelope xmlns:x="urn:x"><x:Header>1</x:Header><Document xmlns="urn:camt.999">
        <\(message)><\(statement)>\(CAMTSample.account)\(entry)</\(statement)>
        <\(statement)>\(CAMTSample.account)</\(statement)></\(message)></Document></x:Envelope>
        """
      let contents = try readStatement(xml, CAMT.self)
      #expect(contents.statements.map(\.rows.count) == [1, 0])
      #expect(CAMT.recognise(FileHead(RawFile(Array(xml.utf8), name: "x"))) == .certain)
    }
  }

  @Test("What is no statement is refused", arguments: ["<a/>", "", "<BkToCstmrStmt/>"])
  func refused(xml: String) {
    let error = readingFault(xml, CAMT.self)
    #expect(error?.code == .format)
    #expect(error?.path == "x")
  }
}
