import DaybookBookkeeping
import Testing

@testable import DaybookFormats

/// Goal: a bad balance, an odd header or a stray mark isn't a bad file: the transactions come in, or are refused by line.
///
/// Method: small files, most of them rebuilt from reports about other programs.
@Suite("Odd statements")
struct OddStatementTests {
  private func units(_ contents: FileContents) -> [Int64] {
    #expect(contents.badLines == [])
    return contents.statements.flatMap(\.rows).map(\.amount.minorUnits)
  }

  // MARK: - Balances

  @Test(
    "An OFX balance without a valid day or amount is told and left out",
    arguments: [
      "<BALAMT>900,00<DTASOF>00000000", "<BALAMT>900,00", "<BALAMT>900,00<DTASOF>20240230",
      "<BALAMT>n/a<DTASOF>20240131", "<BALAMT>1-2<DTASOF>20240131",
    ])
  func ofx(balance: String) throws {
    let contents = try OFXTests.read(
      OFXTests.statement(OFXTests.row, after: "<LEDGERBAL>\(balance)</LEDGERBAL>"))
    #expect(units(contents) == [-1_250])
    #expect(contents.statements[0].closing == nil)
    #expect(contents.notices.count == 1)
    #expect(contents.notices.first?.message.contains("closing balance") == true)
  }

  @Test(
    "A CAMT balance without a valid day or amount is told and left out",
    arguments: [
      ("10.00", "2026-02-30"), ("10.00", "0000-00-00"), ("ten", "2026-02-28"),
      ("10.005", "2026-02-28"),
    ])
  func camt(amount: String, day: String) throws {
    let balance = """
      <Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">\(amount)</Amt>\
      <CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>\(day)</Dt></Dt></Bal>
      """
    let contents = try readStatement(
      CAMTSample.statement(balance + CAMTSample.entry("")), CAMT.self)
    #expect(units(contents).count == 1)
    #expect(contents.statements[0].closing == nil)
    #expect(contents.notices.first?.message.contains("CLBD") == true)
  }

  @Test(
    "An MT940 balance without a valid day or amount is told, and its currency is used",
    arguments: ["C000000SEK100,00", "C260230SEKx", "C261301SEK100,00", "SEK100,00", "X260131SEK1,"])
  func mt940(balance: String) throws {
    let contents = try readStatement(
      ":20:1\n:25:12345678\n:60F:\(balance)\n:61:260131C1,00NTRF\n:62F:C260131SEK101,00\n-\n",
      MT940.self)
    #expect(units(contents) == [100])
    #expect(contents.statements.count == 1)
    #expect(contents.statements[0].account.currency == Currency.iso("SEK"))
    #expect(contents.statements[0].closing?.amount.minorUnits == 10_100)
    #expect(contents.notices.count == 1)
  }

  @Test("A QIF balance without a valid day or amount is told and left out")
  func qif() throws {
    for balance in ["/30.02.2026\n$5.00", "/31.01.2026\n$five"] {
      let contents = try QIFTests.read(
        "!Account\nNGiro\nTBank\n\(balance)\n^\n!Type:Bank\nD31.01.2026\nT1.00\n^\n")
      #expect(units(contents) == [100])
      #expect(contents.statements[0].closing == nil && contents.notices.count == 1)
    }
  }

  // MARK: - Rows outside of a statement

  @Test("Rows outside a statement are refused by line")
  func outside() throws {
    let row = "<STMTTRN><DTPOSTED>20260105<TRNAMT>5<FITID>1</STMTTRN>"
    let ofx = try OFXTests.read(
      "OFXHEADER:100\n\n<OFX><BANKMSGSRSV1><BANKTRANLIST>\n\(row)\n\(row)</BANKTRANLIST></BANKMSGSRSV1></OFX>"
    )
    #expect(ofx.badLines.map(\.line) == [4, 5] && ofx.badLines[0].code == .account)
    let camt = try readStatement(
      "<Document><BkToCstmrStmt>\n\(CAMTSample.entry(""))</BkToCstmrStmt></Document>", CAMT.self)
    #expect(camt.badLines.map(\.line) == [2])
  }

  // MARK: - MT940

  private static let head = ":20:A\n:25:10020030/1234567\n:60M:C251124EUR100,00\n"

  @Test(
    "A hyphen inside a statement isn't its end",
    arguments: [
      head + "-\n:61:2511261126CR30,00N062NONREF\n:86:166?20Gift\n:62F:C251126EUR130,00\n-\n",
      head + ":61:2511261126CR30,00N062NONREF\n-\n:86:166?20Gift\n:62F:C251126EUR130,00\n-\n",
      head + ":61:2511261126CR30,00N062NONREF\n:86:166?20Gift\n-\n:62F:C251126EUR130,00\n-\n",
      head + ":61:2511261126CR30,00N062NONREF\n:86:166?20Gi\n-\nft\n:62F:C251126EUR130,00\n-\n",
    ])
  func hyphen(text: String) throws {
    let contents = try readStatement(text, MT940.self)
    #expect(contents.statements.count == 1)
    #expect(units(contents) == [3_000])
    #expect(contents.statements[0].difference?.units == 0)
    #expect(contents.statements[0].rows[0].description == "Gift")
  }

  @Test("A hyphen between statements is the end of the first")
  func between() throws {
    // Some banks write no :20:, and headers between the messages.
    let one = ":25:10020030/%\n:28:1\n:60F:C251124EUR0,\n:61:251126C1,N062NONREF\n:86:Gift\n"
    let text = [1, 2].map { one.replacing("%", with: "\($0)") + "-\nABNANL2A\n940\n" }.joined()
    let contents = try readStatement("ABNANL2A\n940\n" + text, MT940.self)
    #expect(contents.statements.map(\.account.number) == ["1", "2"])
    #expect(units(contents) == [100, 100])
    #expect(contents.statements.flatMap(\.rows).map(\.description) == ["Gift", "Gift"])
  }

  // MARK: - QIF

  @Test(
    "Unknown types with transactions are read as bank accounts",
    arguments: ["!Type:Banque", "!Type:Bankkonto", "!Type: Bank", "! Type : Bank", "!TYPE:BANK"])
  func types(header: String) throws {
    let contents = try QIFTests.read("\(header)\nD15/11/2025\nT-18.00\nPShop\n^\n")
    #expect(units(contents) == [-1_800])
    let isKnown = !header.contains("anque") && !header.contains("konto")
    #expect(contents.notices.isEmpty == isKnown)
  }

  @Test("Unknown types without transactions are lists")
  func lists() throws {
    let contents = try QIFTests.read(
      "!Type:Catégories\nNFood\nDWhat we eat\nE\n^\n!Type:Bank\nD15/11/2025\nT1\n^\n")
    #expect(units(contents) == [100])
    #expect(contents.notices.map(\.message).first?.contains("Skipped the list") == true)
    let card = try QIFTests.read("!Type:Kreditkarte\nD15/11/2025\nT1\n^\n")
    #expect(card.statements[0].account.kind == .liability)
  }

  @Test("A field can follow a header or the end of a record")
  func sameLine() throws {
    let contents = try QIFTests.read(
      "!Type:Bank D6/11'06\nT-18.00\n^\nD22/11'06\nT-13.00\n^ D23/11'06\nT-7.00\n^\n")
    #expect(units(contents) == [-1_800, -1_300, -700])
    #expect(contents.statements.flatMap(\.rows).map(\.line) == [1, 4, 6])
    let asset = try QIFTests.read("!Type:Oth A D2006-11-06\nT5\n^\n")
    #expect(units(asset) == [500])
  }
}
