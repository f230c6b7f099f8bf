// Goal: nothing that isn't a transaction is recorded as one, and nothing that is one is passed over: balances among the
// transactions are asked about, amounts that can be read in two ways, too, and no advice is to skip rows with money.
// Method: the built command on small files of every format.
import Foundation
import Testing

@Suite struct ImportEvidenceTests {
  private func desk() throws -> Desk {
    let desk = try Desk()
    try desk.done("init --base EUR")
    try desk.done("accounts create Giro --currency EUR")
    return desk
  }

  private func balance(_ desk: Desk) throws -> String? {
    try desk.run("balance Giro --json --today 2026-12-31").json()["balances"][0]["balance"][
      "amount"
    ].string
  }

  private static let statements: [(name: String, text: String)] = [
    (
      "bank.ofx",
      """
      OFXHEADER:100

      <OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>EUR<BANKACCTFROM><BANKID>1<ACCTID>77</BANKACCTFROM>
      <BANKTRANLIST><STMTTRN><DTPOSTED>20260201<TRNAMT>1000.00<FITID><MEMO>Saldo Anterior</STMTTRN>
      <STMTTRN><DTPOSTED>20260202<TRNAMT>-150,00<FITID>1<MEMO>Padaria</STMTTRN>
      <STMTTRN><DTPOSTED>20260202<TRNAMT>850.00<FITID><MEMO>Saldo do dia</STMTTRN></BANKTRANLIST>
      <LEDGERBAL><BALAMT>850,00<DTASOF>00000000</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>

      """
    ),
    (
      "bank.qif",
      "!Type:Bank\nD2026-02-01\nT1000.00\nMSaldo anterior\n^\nD2026-02-02\nT-150.00\nMPadaria\n^\n"
        + "D2026-02-02\nT850.00\nMSaldo do dia\n^\n"
    ),
    (
      "bank.sta",
      ":20:X\n:25:1234567\n:61:260201C1000,00NTRF\n:86:Saldo anterior\n"
        + ":61:260202D150,00NTRF\n:86:Padaria\n:61:260202C850,00NTRF\n:86:Saldo do dia\n-\n"
    ),
    (
      "bank.xml",
      "<Document><BkToCstmrStmt><Stmt><Acct><Id><Othr><Id>77</Id></Othr></Id></Acct>"
        + [
          ("1000.00", "CRDT", "Saldo anterior"), ("150.00", "DBIT", "Padaria"),
          ("850.00", "CRDT", "Saldo do dia"),
        ].map { amount, way, text in
          "<Ntry><Amt Ccy=\"EUR\">\(amount)</Amt><CdtDbtInd>\(way)</CdtDbtInd><Sts>BOOK</Sts>"
            + "<BookgDt><Dt>2026-02-02</Dt></BookgDt><AddtlNtryInf>\(text)</AddtlNtryInf></Ntry>"
        }.joined() + "</Stmt></BkToCstmrStmt></Document>"
    ),
  ]

  @Test(arguments: statements.indices)
  func balancesAmongTheTransactionsAreAskedAbout(index: Int) throws {
    let (name, text) = Self.statements[index]
    let desk = try desk()
    let file = try desk.write(name, text)
    let words = ["import", file, "--account", "Giro"]
    let run = try desk.run(words)
    #expect(run.status == 64, "\(run.output)\(run.errors)")
    #expect(run.errors.contains("may be a balance instead of a transaction"), "\(run.errors)")
    #expect(try desk.done("list --count").output == "0\n")
    let preview = try desk.run(words + ["--preview"])
    #expect(preview.output.contains("--skip-rows 'description=Saldo do dia'"), "\(preview.output)")
    let taken = [
      "--skip-rows", "description=saldo ant*", "--take-rows", "description=Saldo do dia",
      "--dry-run",
      "--json",
    ]
    #expect(try desk.run(words + taken).json()["imported"].int == 2)
    let skipped = try desk.run(words + ["--skip-rows", "description=Saldo*"])
    #expect(skipped.status == 0, "\(skipped.errors)")
    #expect(try balance(desk) == "-150.00", "\(name)")
  }

  @Test func onATerminalTheyAreAskedByNumber() throws {
    let desk = try desk()
    _ = try desk.write("bank.qif", Self.statements[1].text)
    let terminal = try PseudoTerminal(desk, ["import", "bank.qif", "--account", "Giro"])
    try terminal.wait(for: "Choose a number: ")
    terminal.press("1\n")
    try terminal.wait(for: "Saldo do dia")
    try terminal.wait(for: "Choose a number: ")
    terminal.press("1\n")
    try terminal.wait(for: "Imported 1 transaction")
    #expect(terminal.end() == 0)
    #expect(try balance(desk) == "-150.00")
  }

  @Test func aMarkIsAskedAboutAndAFlagSettlesIt() throws {
    let desk = try desk()
    let file = try desk.write("round.qif", "!Type:Bank\nD2026-01-15\nT-1.500\nPRent\n^\n")
    let run = try desk.run(["import", file, "--account", "Giro"])
    #expect(run.status == 65 && run.errors.contains("--decimal ,"), "\(run.errors)")
    #expect(!run.errors.contains("skip"), "\(run.errors)")
    try desk.done("import \(file) --account Giro --decimal ,")
    #expect(try balance(desk) == "-1500.00")
    let wrong = try desk.run(["import", file, "--account", "Giro", "--decimal", "x"])
    #expect(wrong.status == 64 && wrong.errors.contains("decimal mark"), "\(wrong.errors)")
    let table = try desk.write(
      "round.csv", "Day;Text;Betrag\n2026-01-15;Rent;-1.500\n2026-01-16;Pay;2.500\n")
    let guess = try desk.run(["import", table, "--guess", "--account", "Giro"])
    #expect(guess.status == 64 && guess.errors.contains("--decimal ,"), "\(guess.errors)")
    #expect(guess.errors.contains("--decimal .") && guess.errors.contains("1500"))
  }

  @Test func noAdviceIsToSkipRowsWithMoney() throws {
    let desk = try desk()
    let file = try desk.write(
      "mixed.csv", "Date,Amount,Text\n02.01.19,-1.00,A\n13.01.2019,-2.00,B\n2019-01-14,-3.00,C\n")
    let preview = try desk.run(["import", file, "--preview", "--account", "Giro"])
    #expect(preview.output.contains("lines 2 (“02.01.19”) and 3"), "\(preview.output)")
    #expect(!preview.output.contains("skip"), "\(preview.output)")
    let run = try desk.run(["import", file, "--guess", "--account", "Giro"])
    #expect(run.status == 65 && !run.errors.contains("skip"), "\(run.errors)")
    let amount = try desk.write(
      "amount.csv",
      "Date,Amount,Text\n2019-01-12,-1.00,A\n2019-01-13,-2.x0,B\n2019-01-14,-3.00,C\n"
        + "2019-01-15,-3.00,C\n2019-01-16,-3.00,C\n")
    let odd = try desk.run(["import", amount, "--guess", "--account", "Giro"])
    #expect(odd.status == 65 && !odd.errors.contains("skip"), "\(odd.errors)")
    // A total isn't a transaction.
    let total = try desk.write(
      "total.csv", "Date,Amount,Text\n2019-01-12,-1.00,A\n2019-01-13,-2.00,B\n,-3.00,Total\n")
    let footer = try desk.run(["import", total, "--guess", "--account", "Giro"])
    #expect(footer.status == 65 && footer.errors.contains("--skip-bad"), "\(footer.errors)")
  }

  @Test func transactionsOutsideAStatementAreRefused() throws {
    let desk = try desk()
    let file = try desk.write(
      "loose.ofx",
      "OFXHEADER:100\n\n<OFX><BANKTRANLIST>\n<STMTTRN><DTPOSTED>20260105<TRNAMT>5<FITID>1</STMTTRN>"
        + "</BANKTRANLIST></OFX>\n")
    let run = try desk.run(["import", file, "--account", "Giro"])
    #expect(run.status == 65 && run.errors.contains("line 4"), "\(run.output)\(run.errors)")
  }
}
