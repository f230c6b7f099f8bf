// Goal: a person at a terminal is asked what a file's columns mean, and goes through its rows by keys;
// whatever ends it leaves the ledger and the terminal as they should be. Method: the built command runs on
// a pseudo terminal; keys are pressed one by one, and what is shown and recorded is looked at.
import DaybookPlatform
import DaybookTerminal
import Foundation
import Testing

@Suite(.serialized) struct ImportOnTerminalTests {
  private static let bank = """
    Day,Who,Sum
    2026-02-01,Rewe,-30.50
    2026-02-02,Kiosk,-1.20
    2026-02-03,Work,2000.00
    2026-02-04,Cinema,-12.00

    """
  private static let flags = [
    "import", "bank.csv", "--date-column", "Day", "--amount-column", "Sum", "--currency", "EUR",
    "--account", "Checking", "--payee", "{Who}", "--interactive",
  ]

  /// A ledger that knows the first row, and one that is like the second.
  private func desk() throws -> Desk {
    let desk = try Desk()
    try desk.done("init --base EUR")
    try desk.done("accounts create Checking")
    try desk.done("categories create Food")
    try desk.done("add expense 30.50 --account Checking --on 2026-02-01 --payee Rewe")
    try desk.done("add expense 1.20 --account Checking --on 2026-02-01 --payee Newspaper")
    _ = try desk.write("bank.csv", Self.bank)
    return desk
  }

  /// Payee, category and amount of each row, the oldest first.
  private func rows(_ desk: Desk) throws -> [String] {
    try desk.done("list --json").named()["transactions"].array.reversed().map { row in
      let other = row["postings"].array.first { $0["category"].string != nil }
      return [row["payee"].string, other?["category"].string, other?["amount"].string]
        .map { $0 ?? "?" }.joined(separator: " ")
    }
  }

  private static let before = ["Rewe Uncategorised 30.50", "Newspaper Uncategorised 1.20"]

  @Test func rowsAreTakenSkippedAndChanged() throws {
    let desk = try desk()
    let terminal = try PseudoTerminal(desk, Self.flags)
    try terminal.wait(for: "0 taken, 0 skipped, 3 to decide, 1 duplicate")
    try terminal.wait(for: "dup    2026-02-01")
    try terminal.wait(for: "> maybe  2026-02-02")
    try terminal.wait(for: "May be a duplicate of 2026-02-01#2")
    try terminal.wait(for: "Newspaper")
    #expect(!terminal.isAsUsual)
    terminal.press("s")
    try terminal.wait(for: "0 taken, 1 skipped, 2 to decide")
    try terminal.wait(for: "> new    2026-02-03")
    // Taken back, the row waits again.
    terminal.press("u")
    try terminal.wait(for: "0 taken, 0 skipped, 3 to decide")
    terminal.press("st")
    try terminal.wait(for: "1 taken, 1 skipped, 1 to decide")
    terminal.press("cfoo\t")
    try terminal.wait(for: "Food:Groceries: Food")
    terminal.press("\r")
    try terminal.wait(for: "[Food]")
    terminal.press("pOdeon\r")
    try terminal.wait(for: "Odeon")
    try terminal.wait(for: "[r]ecord")
    terminal.press("r")
    try terminal.wait(for: "Imported 2 transactions, skipped 1 duplicate.")
    #expect(terminal.end() == 0)
    #expect(terminal.isAsUsual)
    #expect(
      try rows(desk)
        == Self.before + ["Work Uncategorised -2000.00", "Odeon Food 12.00"])
    // They are known by what the file says; what was skipped is still new.
    let again = try desk.run(Self.flags.dropLast() + ["--json"]).json()
    #expect(again["duplicates"].int == 3 && again["imported"].int == 1)
  }

  @Test func suggestedCategoriesAreTakenByKey() throws {
    let desk = try desk()
    try desk.done("add expense 9 --account Checking --on 2026-01-03 --payee Cinema --category Food")
    try desk.done("add expense 8 --account Checking --on 2026-01-02 --payee CINEMA --category Food")
    try desk.done("rules add Kiosks --category Food --contains kiosk")
    let terminal = try PseudoTerminal(desk, Self.flags)
    // A rule would choose the category of the second row, the payee's transactions that of the last.
    try terminal.wait(for: "[g] Food, by rule")
    terminal.press("sg")
    try terminal.wait(for: "There is no suggestion for this transaction.")
    terminal.press("G")
    try terminal.wait(for: "1 taken, 1 skipped, 1 to decide")
    terminal.press("uu")
    try terminal.wait(for: "0 taken, 0 skipped, 3 to decide")
    terminal.press("g")
    try terminal.wait(for: "1 taken, 0 skipped, 2 to decide")
    try terminal.wait(for: "Kiosk  [Food]")
    terminal.press("s")
    try terminal.wait(for: "[g] Food, 2 of 2 at Cinema")
    terminal.press("gr")
    try terminal.wait(for: "Imported 2 transactions, skipped 1 duplicate.")
    #expect(terminal.end() == 0)
    let recorded = try rows(desk)
    #expect(recorded.contains("Kiosk Food 1.20") && recorded.contains("Cinema Food 12.00"))
  }

  @Test func whatIsUndecidedStaysOut() throws {
    let desk = try desk()
    let terminal = try PseudoTerminal(desk, Self.flags)
    try terminal.wait(for: "3 to decide")
    terminal.press("r")
    try terminal.wait(for: "Nothing to import yet")
    // All new ones: not the one that may be there.
    terminal.press("a")
    try terminal.wait(for: "2 taken, 0 skipped, 1 to decide")
    terminal.press("r")
    try terminal.wait(for: "1 transaction is undecided")
    terminal.press("r")
    try terminal.wait(for: "Imported 2 transactions, skipped 1 duplicate.")
    #expect(terminal.end() == 0)
    #expect(try rows(desk).count == 4)
  }

  @Test(arguments: [("q", 0), ("\u{1B}", 0), ("\u{3}", 130), ("\u{4}", 130)])
  func quittingRecordsNothing(keys: String, status: Int32) throws {
    let desk = try desk()
    let terminal = try PseudoTerminal(desk, Self.flags)
    try terminal.wait(for: "3 to decide")
    terminal.press("a")
    try terminal.wait(for: "2 taken")
    terminal.press(keys)
    try terminal.wait(for: "othing was recorded.")
    #expect(terminal.end() == status)
    #expect(terminal.isAsUsual)
    #expect(try rows(desk) == Self.before)
  }

  @Test func aSignalLeavesTheTerminalAsItWas() throws {
    let desk = try desk()
    let terminal = try PseudoTerminal(desk, Self.flags)
    try terminal.wait(for: "3 to decide")
    kill(terminal.process.processIdentifier, SIGTERM)
    _ = terminal.end()
    #expect(terminal.isAsUsual)
    #expect(try rows(desk) == Self.before)
  }

  @Test func whatTheColumnsMeanIsAskedFor() throws {
    let desk = try desk()
    let terminal = try PseudoTerminal(desk, ["import", "bank.csv"])
    try terminal.wait(for: "Account [Checking]: ")
    terminal.press("Giro\n")
    try terminal.wait(for: "Currency of the new account [EUR]: ")
    terminal.press("nothing\n")
    try terminal.wait(for: "isn't a currency")
    terminal.press("chf\n")
    try terminal.wait(for: "row by row (y/n/r) [y]: ")
    terminal.press("\n")
    try terminal.wait(for: "(- to skip) [Giro]: ")
    terminal.press("My bank\n")
    try terminal.wait(for: "Kept the mapping in the ledger as “My bank”.")
    try terminal.wait(for: "Imported 4 transactions.")
    #expect(terminal.end() == 0)
    let balance = try desk.done("balance Giro --json --today 2026-12-31").json()["balances"][0][
      "balance"
    ]
    #expect(balance["amount"].string == "1956.30" && balance["currency"].string == "CHF")
    // Next time nothing is asked.
    #expect(try desk.done("import bank.csv --json").json()["duplicates"].int == 4)
  }

  @Test func aMisspeltAccountIsAskedAbout() throws {
    let desk = try desk()
    try desk.done("accounts create Savings")
    let terminal = try PseudoTerminal(desk, ["import", "bank.csv"])
    try terminal.wait(for: "Accounts: Checking, Savings.")
    try terminal.wait(for: "Account: ")
    terminal.press("Chekcing\n")
    try terminal.wait(for: "Did you mean “Checking” (y/n) [y]: ")
    terminal.press("\n")
    try terminal.wait(for: "row by row (y/n/r) [y]: ")
    terminal.press("y\n")
    try terminal.wait(for: "(- to skip) [Checking]: ")
    terminal.press("-\n")
    try terminal.wait(for: "Imported ")
    #expect(terminal.end() == 0)
    #expect(try desk.done("accounts list --json").json()["accounts"].array.count == 2)
  }

  @Test func oneMayDecline() throws {
    let desk = try desk()
    for answer in ["n\n", "", "\u{4}"] {
      let terminal = try PseudoTerminal(desk, ["import", "bank.csv"])
      try terminal.wait(for: "Account [Checking]: ")
      terminal.press("\n")
      try terminal.wait(for: "row by row (y/n/r) [y]: ")
      terminal.press(answer)
      // What Ctrl-C sends.
      if answer.isEmpty { kill(terminal.process.processIdentifier, SIGINT) }
      try terminal.wait(for: "othing was recorded.")
      #expect(terminal.end() == (answer == "n\n" ? 1 : 130))
      #expect(try rows(desk) == Self.before)
    }
  }

  @Test func columnsThatCannotBeGuessedAreAskedFor() throws {
    let desk = try desk()
    _ = try desk.write("odd.csv", "When,What,HowMuch\n2026x02x01,a,5\n2026x02x02,b,6\n")
    let terminal = try PseudoTerminal(desk, ["import", "odd.csv"])
    try terminal.wait(for: "When,What,HowMuch")
    try terminal.wait(for: "Column with the day, by name or number: ")
    terminal.press("When\n")
    try terminal.wait(for: "Date format [yyyy-MM-dd]: ")
    terminal.press("yyyyxMMxdd\n")
    try terminal.wait(for: "Column with the amount: ")
    terminal.press("HowMuch\n")
    try terminal.wait(for: "Decimal mark [.]: ")
    terminal.press("\n")
    try terminal.wait(for: "Account [Checking]: ")
    terminal.press("\n")
    try terminal.wait(for: "row by row (y/n/r) [y]: ")
    terminal.press("r\n")
    try terminal.wait(for: "(- to skip) [Checking]: ")
    terminal.press("-\n")
    try terminal.wait(for: "2 to decide")
    terminal.press("ar")
    try terminal.wait(for: "Imported 2 transactions.")
    #expect(terminal.end() == 0)
    #expect(try rows(desk).count == 4)
  }

  @Test func withoutATerminalNobodyIsAsked() throws {
    let desk = try desk()
    let run = try desk.run(Self.flags)
    #expect(run.status == 64 && run.errors.contains("requires a terminal"), "\(run.errors)")
    #expect(try desk.run("import bank.csv").status == 64)
    #expect(try desk.run(Self.flags + ["--dry-run"]).status == 64)
    _ = try desk.write("all.jsonl", try desk.done("export --format jsonl").output)
    let export = try desk.run("import all.jsonl --interactive")
    #expect(
      export.status == 64 && export.errors.contains("imported completely"), "\(export.errors)")
  }
}
