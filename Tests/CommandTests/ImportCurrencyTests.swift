// Goal: an amount without a currency is in that of its account, and never in the ledger's base currency just because
// there is a rate. Method: files of every format that don't name a currency are imported into an account in kronor of a
// ledger in euros, by the built command, and the balances are compared.
import Foundation
import Testing

@Suite struct ImportCurrencyTests {
  private func desk() throws -> Desk {
    let desk = try Desk()
    try desk.done("init --base EUR")
    try desk.done("accounts create Konto --currency SEK")
    try desk.done("accounts create Haus --currency CHF")
    try desk.done("rate add SEK EUR 0.1 --on 2025-01-01")
    return desk
  }

  private func balance(_ desk: Desk, _ account: String = "Konto") throws -> String {
    let balances = try desk.run(["balance", account, "--json", "--today", "2026-12-31"]).json()
    let balance = balances["balances"][0]["balance"]
    return "\(balance["amount"].string ?? "?") \(balance["currency"].string ?? "?")"
  }

  private static let files: [(name: String, text: String, flags: [String])] = [
    ("bank.csv", "Date,Text,Amount\n2026-02-02,A,-100.00\n2026-02-13,B,50.00\n", ["--guess"]),
    (
      "pair.csv", "Date;Text;Out;In\n2026-02-02;A;100,00;\n2026-02-13;B;;50,00\n", ["--guess"]
    ),
    (
      "bank.qif", "!Type:Bank\nD2026-02-02\nT-100.00\nPA\n^\nD2026-02-13\nT50.00\nPB\n^\n", []
    ),
    (
      "bank.ofx",
      """
      OFXHEADER:100

      <OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><BANKACCTFROM><BANKID>1<ACCTID>77</BANKACCTFROM>
      <BANKTRANLIST><STMTTRN><DTPOSTED>20260202<TRNAMT>-100.00<FITID>1<NAME>A</STMTTRN>
      <STMTTRN><DTPOSTED>20260213<TRNAMT>50.00<FITID>2<NAME>B</STMTTRN></BANKTRANLIST>
      </STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>

      """, []
    ),
    (
      "bank.sta",
      ":20:X\n:25:1234567\n:61:2602020202D100,00NTRF\n:86:A\n:61:2602130213C50,00NTRF\n:86:B\n-\n",
      []
    ),
  ]

  @Test(arguments: files.indices)
  func anAmountWithoutACurrencyIsInItsAccounts(index: Int) throws {
    let (name, text, flags) = Self.files[index]
    let desk = try desk()
    let file = try desk.write(name, text)
    let run = try desk.run(["import", file, "--account", "Konto"] + flags)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try balance(desk) == "-50.00 SEK", "\(name)")
    // The flag is more specific than the account.
    let preview = try desk.run(
      ["import", file, "--preview", "--account", "Konto", "--currency", "EUR"])
    #expect(preview.output.contains("EUR"), "\(preview.output)\(preview.errors)")
  }

  @Test func theFilesOwnCurrencyComesFirst() throws {
    let desk = try desk()
    let file = try desk.write(
      "bank.csv", "Date,Text,Amount (EUR)\n2026-02-02,A,-10.00\n2026-02-13,B,5.00\n")
    try desk.done("import \(file) --guess --account Konto")
    #expect(try balance(desk) == "-50.00 SEK")
    // A dollar sign stands for the dollars of the account.
    try desk.done("accounts create Toronto --currency CAD")
    let dollars = try desk.write("cad.csv", "Date,Text,Amount\n2026-02-02,A,-$10.00\n")
    try desk.done("import \(dollars) --guess --account Toronto")
    #expect(try balance(desk, "Toronto") == "-10.00 CAD")
  }

  @Test func eachAccountOfAFileHasItsOwn() throws {
    let desk = try desk()
    let file = try desk.write(
      "books.qif",
      """
      !Account
      NKonto
      TBank
      ^
      !Type:Bank
      D2026-02-02
      T-100.00
      PA
      ^
      !Account
      NHaus
      TOth A
      ^
      !Type:Oth A
      D2026-02-03
      T7.00
      PB
      ^

      """)
    try desk.done("import \(file)")
    #expect(try balance(desk) == "-100.00 SEK")
    #expect(try balance(desk, "Haus") == "7.00 CHF")
    // The first row can name the account, too.
    let opening = try desk.write(
      "opening.qif",
      "!Type:Bank\nD2026-01-01\nT0.00\nPOpening Balance\nL[Haus]\n^\nD2026-02-04\nT1.00\nPC\n^\n")
    try desk.done("import \(opening)")
    #expect(try balance(desk, "Haus") == "8.00 CHF")
  }

  @Test func aColumnCanNameTheAccount() throws {
    let desk = try desk()
    let file = try desk.write(
      "both.csv", "Day,Account,Amount\n2026-02-02,Konto,-100\n2026-02-03,Haus,-7\n")
    let flags = ["--guess", "--account", "{Account}"]
    let run = try desk.run(["import", file] + flags)
    #expect(run.status == 64 || run.status == 0, "\(run.errors)")
    try desk.done("import \(file) --guess --account {Account} --no-inverted")
    #expect(try balance(desk) == "-100.00 SEK")
    #expect(try balance(desk, "Haus") == "-7.00 CHF")
  }

  @Test func aMappingWithoutACurrencyFitsEveryAccount() throws {
    let desk = try desk()
    let file = try desk.write("bank.csv", Self.files[0].text)
    try desk.done("import \(file) --preview --account Konto --save-mapping bank.json")
    let saved = try String(contentsOfFile: desk.folder + "/bank.json", encoding: .utf8)
    #expect(!saved.contains("currency"), "\(saved)")
    try desk.done("import \(file) --mapping bank.json")
    #expect(try balance(desk) == "-50.00 SEK")
    try desk.done("import \(file) --mapping bank.json --account Haus")
    #expect(try balance(desk, "Haus") == "-50.00 CHF")
    let new = try desk.run(["import", file, "--mapping", "bank.json", "--account", "Neu"])
    #expect(new.status == 65 && new.errors.contains("no account “Neu”"), "\(new.errors)")
    // A new account gets the base currency.
    try desk.done("import \(file) --guess --account Neu")
    #expect(try balance(desk, "Neu") == "-50.00 EUR")
  }

  @Test func onATerminalTheAccountIsAskedFirst() throws {
    let desk = try Desk()
    try desk.done("init --base EUR")
    try desk.done("accounts create Konto --currency SEK")
    try desk.done("rate add SEK EUR 0.1 --on 2025-01-01")
    _ = try desk.write("bank.csv", Self.files[0].text)
    _ = try desk.write("bank.qif", Self.files[2].text)
    let terminal = try PseudoTerminal(desk, ["import", "bank.csv"])
    try terminal.wait(for: "Account [Konto]: ")
    terminal.press("\n")
    try terminal.wait(for: "row by row (y/n/r) [y]: ")
    terminal.press("\n")
    try terminal.wait(for: "(- to skip)")
    terminal.press("-\n")
    try terminal.wait(for: "Imported 2 transactions.")
    #expect(terminal.end() == 0)
    #expect(try balance(desk) == "-50.00 SEK")
    let other = try PseudoTerminal(desk, ["import", "bank.qif", "--keep-duplicates"])
    try other.wait(for: "Account [Konto]: ")
    other.press("\n")
    try other.wait(for: "Imported 2 transactions.")
    #expect(other.end() == 0)
    #expect(try balance(desk) == "-100.00 SEK")
  }
}
