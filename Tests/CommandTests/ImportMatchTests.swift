// Goal: a person sees before and after an import which pending transactions and due dates its rows are, why a balance
// differs, and how to decide otherwise. Method: files are imported by the built command, and its output is read.
import Foundation
import Testing

@Suite struct ImportMatchTests {
  private func desk() throws -> Desk {
    let desk = try Desk()
    try desk.done("init --base EUR")
    try desk.done("accounts create Giro --currency EUR")
    return desk
  }

  private func entry(
    _ amount: String, _ status: String, _ day: String, _ name: String, _ reference: String = ""
  ) -> String {
    """
    <Ntry><Amt Ccy="EUR">\(amount)</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>\(status)</Cd></Sts>\
    <BookgDt><Dt>\(day)</Dt></BookgDt>\
    \(reference.isEmpty ? "" : "<AcctSvcrRef>\(reference)</AcctSvcrRef>")<BkTxCd/><NtryDtls><TxDtls>\
    <RltdPties><Cdtr><Pty><Nm>\(name)</Nm></Pty></Cdtr></RltdPties><RmtInf><Ustrd>Card</Ustrd></RmtInf>\
    </TxDtls></NtryDtls></Ntry>
    """
  }

  private func statement(_ entries: [String], opening: String, closing: String) -> String {
    func balance(_ code: String, _ amount: String, _ day: String) -> String {
      """
      <Bal><Tp><CdOrPrtry><Cd>\(code)</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">\(amount)</Amt>\
      <CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>\(day)</Dt></Dt></Bal>
      """
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt><Id>1</Id>
      <Acct><Id><IBAN>DE89370400440532013000</IBAN></Id><Ccy>EUR</Ccy></Acct>
      \(balance("OPBD", opening, "2026-03-10"))\(balance("CLBD", closing, "2026-03-12"))
      \(entries.joined(separator: "\n"))</Stmt></BkToCstmrStmt></Document>
      """
  }

  @Test("Pending transactions are settled, listed while they are not, and explain a balance")
  func pendingThenBooked() throws {
    let desk = try desk()
    _ = try desk.write(
      "pending.xml",
      statement(
        [
          entry("12.50", "PDNG", "2026-03-10", "Cafe"),
          entry("40.00", "PDNG", "2026-03-10", "Tank AG", "HOLD"),
        ], opening: "100.00", closing: "100.00"))
    _ = try desk.write(
      "booked.xml",
      statement(
        [
          entry("12.50", "BOOK", "2026-03-11", "Cafe", "B-1"),
          entry("42.70", "BOOK", "2026-03-12", "TANK AG", "B-2"),
        ], opening: "100.00", closing: "44.80"))
    try desk.done("opening Giro 100")
    try desk.done("import pending.xml --pending --account Giro")
    let before = try desk.done("list --json").output
    let preview = try desk.done("import booked.xml --dry-run")
    #expect(
      preview.output.contains("Would settle the pending transaction 2026-03-10#"))
    #expect(preview.output.contains("add --no-match"))
    #expect(try desk.done("list --json").output == before)
    let run = try desk.done("import booked.xml")
    #expect(run.output.contains("Settled the pending transaction 2026-03-10#"))
    #expect(run.output.contains("(Cafe): Cafe -12.50 EUR on 2026-03-11."))
    #expect(run.output.contains("Still pending, and not in the file: 2026-03-10#"))
    #expect(run.output.contains("40.00 EUR less"))
    #expect(run.output.contains("includes pending transactions of -40.00 EUR"))
    #expect(run.output.contains("Imported 1 transaction, settled 1 pending transaction"))
    // The named command deletes it.
    let line = try #require(run.lines.first { $0.contains("Still pending") })
    let command = try #require(line.split(separator: "`").dropFirst().first)
    try desk.done(String(command.dropFirst("daybook ".count)))
    let balance = try desk.done("import booked.xml")
    #expect(balance.output.contains("as the bank states"))
    #expect(balance.output.contains("skipped 2 duplicates"))
  }

  @Test("A pending transaction in the closed period stays unchanged, and is reported")
  func pendingInTheClosedPeriod() throws {
    let desk = try desk()
    for (name, status, day) in [("p", "PDNG", "2026-03-10"), ("b", "BOOK", "2026-03-11")] {
      _ = try desk.write(
        "\(name).xml",
        statement(
          [entry("12.50", status, day, "Cafe", name)], opening: "100.00", closing: "87.50"))
    }
    try desk.done("import p.xml --pending --account Giro")
    try desk.done("close --through 2026-03-10")
    let preview = try desk.done("import b.xml --dry-run")
    #expect(preview.output.contains("(Cafe), because its period is closed."))
    #expect(preview.output.contains("Cafe -12.50 EUR on 2026-03-11 would be a new transaction."))
    let run = try desk.done("import b.xml")
    #expect(run.output.contains("Couldn't settle 2026-03-10#"))
    #expect(!run.output.contains("Still pending"))
    #expect(try desk.done("list --json").json()["transactions"].array.count == 2)
    // The named commands settle it.
    try desk.done("undo")
    try desk.done("reopen")
    let again = try desk.done("import b.xml")
    #expect(again.output.contains("settled 1 pending transaction"))
    #expect(try desk.done("list --json").json()["transactions"].array.count == 1)
  }

  @Test("Rent counts once, whether the recurring transaction or the import comes first")
  func dueDates() throws {
    let rows = "Date,Payee,Amount\n2026-02-02,LANDLORD GMBH,-900.00\n2026-02-03,Rewe,-20.00\n"
    for isGenerated in [true, false] {
      let desk = try Desk()
      try desk.done("init --base EUR")
      try desk.done("accounts create Giro --currency EUR --opening 2000")
      try desk.done("categories create Rent")
      try desk.done(
        "recurring add Rent expense 900 --account Giro --category Rent --from 2026-02-01 --payee "
          + "Landlord --today 2026-01-15")
      if isGenerated { try desk.done("recurring generate --today 2026-02-02") }
      _ = try desk.write("s.csv", rows)
      let run = try desk.done("import s.csv --guess --account Giro")
      #expect(
        run.output.contains(
          "Matched Rent, due 2026-02-01: LANDLORD GMBH -900.00 EUR on 2026-02-02."))
      try desk.done("recurring generate --today 2026-02-28")
      for _ in 0..<2 {
        let balances = try desk.done("balance Giro --on 2026-02-28 --json").json()["balances"]
        #expect(balances[0]["balance"]["amount"].string == "1080.00")
        try desk.done("import s.csv --guess --account Giro")
      }
      #expect(try desk.done("list --json --today 2026-02-28").output.contains("LANDLORD GMBH"))
    }
  }

  @Test("A missing opening balance is named with the command that sets it")
  func missingOpening() throws {
    let desk = try desk()
    _ = try desk.write(
      "a.xml",
      statement(
        [entry("10.00", "BOOK", "2026-03-11", "Cafe", "1")], opening: "100.00", closing: "90.00"))
    let run = try desk.done("import a.xml --account Giro")
    #expect(run.output.contains("100.00 EUR less"))
    #expect(run.output.contains("run `daybook opening \"Giro\" 100.00`"))
    try desk.done("opening Giro 100.00")
    #expect(try desk.done("import a.xml").output.contains("is 90.00 EUR, as the bank states"))
  }

  @Test("duplicates finds the same amount and payee on neighbouring days")
  func duplicates() throws {
    let desk = try desk()
    _ = try desk.write(
      "a.xml",
      statement(
        [
          entry("12.50", "BOOK", "2026-03-10", "Cafe", "1"),
          entry("12.50", "BOOK", "2026-03-11", "Cafe", "2"),
          entry("7.00", "BOOK", "2026-03-10", "Kino", "3"),
          entry("7.00", "BOOK", "2026-03-10", "Kino", "4"),
        ], opening: "100.00", closing: "61.00"))
    try desk.done("import a.xml --account Giro")
    let pairs = try desk.done("duplicates --json --from 2026-03-01 --through 2026-03-31").json()
    #expect(pairs["duplicates"].array.count == 1)
    #expect(pairs["duplicates"][0]["original"]["payee"].string == "Cafe")
  }
}
