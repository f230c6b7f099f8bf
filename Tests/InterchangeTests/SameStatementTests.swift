// Goal: one statement that comes as a table, OFX, CAMT and MT940 is there once, whatever comes first. Method:
// a seeded account, written by four writers and imported in all 24 orders, whole and in parts; rows and
// balance are those of the account.
import Daybook
import DaybookInterchange
import DaybookRandom
import Foundation
import Testing

@Suite struct SameStatementTests {
  /// A row of the account.
  private struct Row {
    var day: Day
    var cents: Int
    var payee: String
    var text: String
    var reference: String

    var amount: String { String(format: "%d.%02d", abs(cents) / 100, abs(cents) % 100) }
  }

  private static let writers: [@Sendable ([Row]) -> String] = [csv, ofx, camt, mt940]
  private static let names = ["bank.csv", "bank.ofx", "bank.xml", "bank.sta"]

  private static func rows(seed: UInt64) -> [Row] {
    var random = SeededGenerator(seed: seed)
    func next(_ count: Int) -> Int { random.below(count) }
    var rows: [Row] = []
    let shops = ["Baker Blum", "Rail Co", "Power Ltd", "Anna Berg"]
    for index in 0..<40 {
      let day = SameStatementTests.first.adding(days: index / 3)
      var row = Row(
        day: day, cents: next(2) == 0 ? -next(9_000) - 1 : next(9_000) + 1,
        payee: shops[next(4)], text: "Order \(next(5))", reference: "B\(seed)X\(index)")
      // Two of everything at times: the same day, amount and words.
      if index % 5 == 4, let last = rows.last, last.day == day {
        row = last
        row.reference = "B\(seed)X\(index)"
      }
      rows.append(row)
    }
    return rows
  }

  private static let first = day("2026-01-05")

  @Sendable private static func csv(_ rows: [Row]) -> String {
    "day,amount,payee,text\n"
      + rows.map { "\($0.day),\($0.cents < 0 ? "-" : "")\($0.amount),\($0.payee),\($0.text)\n" }
      .joined()
  }

  private static func digits(_ day: Day) -> String {
    "\(day)".filter { $0 != "-" }
  }

  @Sendable private static func ofx(_ rows: [Row]) -> String {
    let list = rows.map { row in
      """
      <STMTTRN><TRNTYPE>OTHER<DTPOSTED>\(digits(row.day))<TRNAMT>\(row.cents < 0 ? "-" : "")\(row.amount)
      <FITID>\(row.reference)<NAME>\(row.payee)<MEMO>\(row.text)</STMTTRN>
      """
    }.joined(separator: "\n")
    return """
      OFXHEADER:100
      DATA:OFXSGML
      VERSION:102
      SECURITY:NONE
      ENCODING:USASCII
      CHARSET:1252
      COMPRESSION:NONE
      OLDFILEUID:NONE
      NEWFILEUID:NONE

      <OFX><SIGNONMSGSRSV1><SONRS><STATUS><CODE>0<SEVERITY>INFO</STATUS><DTSERVER>20260201
      <LANGUAGE>ENG</SONRS></SIGNONMSGSRSV1><BANKMSGSRSV1><STMTTRNRS><TRNUID>1
      <STATUS><CODE>0<SEVERITY>INFO</STATUS><STMTRS><CURDEF>EUR
      <BANKACCTFROM><BANKID>37040044<ACCTID>0532013000<ACCTTYPE>CHECKING</BANKACCTFROM>
      <BANKTRANLIST><DTSTART>20260105<DTEND>20260131
      \(list)
      </BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>
      """
  }

  @Sendable private static func camt(_ rows: [Row]) -> String {
    let list = rows.map { row in
      let party = row.cents < 0 ? "Cdtr" : "Dbtr"
      return """
        <Ntry><Amt Ccy="EUR">\(row.amount)</Amt><CdtDbtInd>\(row.cents < 0 ? "DBIT" : "CRDT")</CdtDbtInd>
        <Sts>BOOK</Sts><BookgDt><Dt>\(row.day)</Dt></BookgDt><ValDt><Dt>\(row.day)</Dt></ValDt>
        <AcctSvcrRef>\(row.reference)</AcctSvcrRef><NtryDtls><TxDtls>
        <RltdPties><\(party)><Nm>\(row.payee)</Nm></\(party)></RltdPties>
        <RmtInf><Ustrd>\(row.text)</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>
        """
    }.joined(separator: "\n")
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt>
      <GrpHdr><MsgId>M</MsgId><CreDtTm>2026-02-01T00:00:00</CreDtTm></GrpHdr>
      <Stmt><Id>S</Id><CreDtTm>2026-02-01T00:00:00</CreDtTm>
      <Acct><Id><IBAN>DE89370400440532013000</IBAN></Id><Ccy>EUR</Ccy></Acct>
      \(list)
      </Stmt></BkToCstmrStmt></Document>
      """
  }

  @Sendable private static func mt940(_ rows: [Row]) -> String {
    let list = rows.map { row in
      let day = digits(row.day).dropFirst(2)
      let amount = row.amount.replacingOccurrences(of: ".", with: ",")
      return """
        :61:\(day)\(day.dropFirst(2))\(row.cents < 0 ? "D" : "C")\(amount)NTRFNONREF//\(row.reference)
        :86:166?00UEBERWEISUNG?20\(row.text)?32\(row.payee)
        """
    }.joined(separator: "\n")
    return """
      :20:STATEMENT
      :25:37040044/0532013000
      :28C:1/1
      :60F:C260104EUR0,00
      \(list)
      :62F:C260131EUR0,00
      -
      """
  }

  /// Imports what a writer has written.
  private func bring(_ writer: Int, _ rows: [Row], into ledger: Ledger) async throws -> Int {
    let text = Self.writers[writer](rows)
    if writer == 0 {
      let mapping = try ImportMapping(
        json: Data(
          """
          {"date": {"column": "day"}, "amount": {"column": "amount"}, "currency": "EUR",
           "account": "Giro", "payee": "{payee}", "description": "{text}"}
          """.utf8))
      return try await CSVImporter().run(CSVFile(text), mapping: mapping, into: ledger).imported
    }
    let file = RawFile(Array(text.utf8), name: Self.names[writer])
    let formats = FileFormats.candidates(file)
    #expect(formats.count == 1, "\(Self.names[writer])")
    let contents = try #require(formats.first).read(file, ReadingOptions())
    #expect(contents.badLines == [])
    return try await StatementImporter(accounts: AccountChoice(all: "Giro"))
      .run(contents, into: ledger).imported
  }

  @Test(arguments: 0..<24) func inAnyOrder(_ order: Int) async throws {
    var left = [0, 1, 2, 3]
    var rest = order
    var writers: [Int] = []
    for count in [4, 3, 2, 1] {
      writers.append(left.remove(at: rest % count))
      rest /= count
    }
    let rows = Self.rows(seed: UInt64(order) + 1)
    let home = try await Home()
    // The first files end in the middle, as files do that are fetched on different days.
    var imported = try await bring(writers[0], Array(rows[..<21]), into: home.ledger)
    #expect(imported == 21)
    imported += try await bring(writers[1], Array(rows[12...]), into: home.ledger)
    for writer in writers { imported += try await bring(writer, rows, into: home.ledger) }
    #expect(imported == rows.count, "\(writers)")
    let (count, balance) = try home.ledger.read { snapshot in
      let account = try #require(try snapshot.account(named: "Giro"))
      return (
        try snapshot.transactions(limit: 500).count,
        try snapshot.balance(of: account.id, on: day("2026-12-31")).units
      )
    }
    #expect(count == rows.count)
    #expect(balance == rows.reduce(0) { $0 + Int128($1.cents) })
    try await home.end()
  }
}
