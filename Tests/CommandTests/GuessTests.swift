// Goal: `--preview` says what is certain, what is doubtful and what to type next, and `--guess` records nothing
// that could be read otherwise. Method: the built command on small files, then the command that it proposes.
import Foundation
import Testing

@Suite struct GuessTests {
  private func desk() throws -> Desk {
    let desk = try Desk()
    try desk.done("init --base EUR")
    return desk
  }

  private static let n26 = """
    "Datum","Empfänger","Verwendungszweck","Betrag (EUR)","Betrag (Fremdwährung)","Fremdwährung"
    "2026-02-03","Diner","Burger","-46.30","-50.00","USD"
    "2026-02-05","Vermieter","Miete","-700.00","",""

    """

  @Test func theAmountKeepsItsOwnCurrency() throws {
    let desk = try desk()
    let file = try desk.write("n26.csv", Self.n26)
    let run = try desk.run(["import", file, "--guess", "--account", "Checking"])
    #expect(run.status == 0, "\(run.errors)")
    let balance = try desk.run(["balance", "Checking", "--json", "--today", "2026-12-31"]).json()
    #expect(balance["balances"][0]["balance"]["amount"].string == "-746.30")
    #expect(balance["balances"][0]["balance"]["currency"].string == "EUR")
  }

  @Test func competingAmountsRefuseTheGuess() throws {
    let desk = try desk()
    let file = try desk.write(
      "wise.csv",
      "Created on,Source amount,Source currency,Target amount,Target currency\n"
        + "2026-02-13,98.80,GBP,115.20,EUR\n2026-02-14,-10.00,GBP,-11.60,EUR\n")
    let run = try desk.run(["import", file, "--guess", "--account", "Wise"])
    #expect(run.status == 64)
    #expect(run.errors.contains("“Source amount” and “Target amount” could each be the amount"))
    #expect(run.errors.contains("--amount-column 'Source amount'"))
    #expect(run.errors.contains("--currency '{Target currency}'"))
    #expect(try desk.done("list --json").json()["count"].int == 0)
    let flags = ["--amount-column", "Target amount", "--currency", "{Target currency}"]
    let done = try desk.run(["import", file, "--guess", "--account", "Wise", "--json"] + flags)
    #expect(try done.json()["imported"].int == 2, "\(done.errors)")
  }

  @Test func pendingRowsAreAskedAbout() throws {
    let desk = try desk()
    let file = try desk.write(
      "revolut.csv",
      "Date,Text,Amount,Currency,State\n2026-02-13,Pret,-4.50,EUR,COMPLETED\n"
        + "2026-02-14,Uber,-12.00,EUR,PENDING\n")
    let guess = ["import", file, "--guess", "--account", "Card"]
    let run = try desk.run(guess)
    #expect(run.status == 64)
    #expect(run.errors.contains("--skip-rows State=PENDING"), "\(run.errors)")
    let skipping = try desk.run(guess + ["--skip-rows", "State=PENDING", "--dry-run", "--json"])
    #expect(try skipping.json()["imported"].int == 1)
    let taking = try desk.run(guess + ["--take-rows", "State=PENDING", "--dry-run", "--json"])
    #expect(try taking.json()["imported"].int == 2)
  }

  @Test func aFooterIsNamedWithTheFlagThatLeavesItOut() throws {
    let desk = try desk()
    let file = try desk.write(
      "bank.csv", "Date,Text,Amount\n2026-02-13,Shop,-4.50\n2026-02-14,Bar,-3.00\nTotal,,-7.50\n")
    let words = ["import", file, "--preview", "--account", "Checking"]
    let preview = try desk.run(words)
    #expect(preview.status == 0)
    #expect(preview.output.contains("2 of 3 rows have a day; line 4 (“Total”) doesn't"))
    #expect(preview.output.contains("--skip-rows Date=Total"))
    let next = try #require(preview.lines.first { $0.hasPrefix("Next: ") })
    #expect(next.hasSuffix("--guess --account Checking --skip-rows Date=Total"), "\(next)")
    let refused = try desk.run(["import", file, "--guess", "--account", "Checking"])
    #expect(refused.status == 65)
    #expect(refused.errors.contains("--skip-rows Date=Total"), "\(refused.errors)")
    let run = try desk.run(
      ["import", file, "--guess", "--account", "Checking", "--skip-rows", "Date=Total", "--json"])
    #expect(try run.json()["imported"].int == 2)
  }

  @Test func theNextCommandIsTheOneToType() throws {
    let desk = try desk()
    let file = try desk.write(
      "us.csv",
      "Date,Text,Amount,State\n02/03/2026,Shop,4.50,posted\n02/04/2026,Bar,3.00,pending\n")
    var words = ["import", file, "--preview", "--account", "Checking"]
    var lookCount = 0
    while words.contains("--preview"), lookCount < 3 {
      let node = try desk.run(words + ["--json"]).json()
      let next = try #require(node["next"].string)
      #expect(node["questions"].array.isEmpty == !next.contains("--preview"))
      words = next.split(separator: " ").dropFirst().map(String.init)
      lookCount += 1
    }
    #expect(lookCount == 2)
    let run = try desk.run(words + ["--json"])
    #expect(try run.json()["imported"].int == 1, "\(words) \(run.errors)")
  }

  @Test func onATerminalWhatIsOpenIsAskedByNumber() throws {
    let desk = try desk()
    try desk.done("accounts create Checking")
    _ = try desk.write(
      "us.csv", "Date,Text,Amount\n02/03/2026,Shop,-4.50\n02/04/2026,Bar,-3.00\n")
    let terminal = try PseudoTerminal(desk, ["import", "us.csv"])
    try terminal.wait(for: "1  --date-format M/d/yyyy")
    try terminal.wait(for: "Choose a number: ")
    terminal.press("2\n")
    try terminal.wait(for: "Account [Checking]: ")
    terminal.press("\n")
    try terminal.wait(for: "row by row (y/n/r) [y]: ")
    terminal.press("\n")
    try terminal.wait(for: "(- to skip)")
    terminal.press("-\n")
    try terminal.wait(for: "Imported 2 transactions.")
    #expect(terminal.end() == 0)
    let days = try desk.done("list --json").json()["transactions"].array.map { $0["day"].string }
    #expect(Set(days) == ["2026-03-02", "2026-04-02"])
  }

  @Test func aPreviewIsShort() throws {
    let desk = try desk()
    let file = try desk.write("n26.csv", Self.n26)
    let run = try desk.run(["import", file, "--preview", "--account", "Checking"])
    #expect(run.lines.count <= 20, "\(run.output)")
    #expect(!run.output.contains("To decide"))
    #expect(!run.output.contains("Please check"))
  }
}
