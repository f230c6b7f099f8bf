// Goal: a mapping that the ledger keeps is found again by what a file looks like, goes along when the
// ledger is exported, and is an entity like others: renamed, deleted, undone and told of in history.
// Method: statements of invented banks are imported by the built command.
import Foundation
import Testing

@Suite struct MappingsCommandTests {
  private static let march = """
    Account statement
    Buchungstag;Text;Betrag
    03.03.2026;Rewe, Markt;-30,50
    04.03.2026;Lohn;2.000,00

    """
  /// Next month's has more lines before its header.
  private static let april = """
    Account statement
    Printed on 2026-05-01

    Buchungstag;Text;BETRAG
    03.04.2026;Rewe, Markt;-31,50

    """
  private static let flags = [
    "--delimiter", ";", "--skip-lines", "1", "--date-column", "Buchungstag", "--date-format",
    "dd.MM.yyyy", "--amount-column", "Betrag", "--decimal", ",", "--currency", "EUR", "--account",
    "Checking", "--description", "{Text}",
  ]

  /// A ledger that keeps the mapping of the first bank.
  private func desk() throws -> Desk {
    let desk = try Desk()
    try desk.done("init --base EUR")
    _ = try desk.write("march.csv", Self.march)
    _ = try desk.write("april.csv", Self.april)
    let run = try desk.run(["import", "march.csv", "--keep-mapping", "Sparkasse"] + Self.flags)
    try #require(run.status == 0, "\(run.errors)")
    return desk
  }

  private func balance(_ desk: Desk, _ account: String) throws -> String? {
    try desk.run(["balance", account, "--json", "--today", "2026-12-31"]).json()["balances"][0][
      "balance"][
        "amount"
      ].string
  }

  @Test func nextMonthNeedsNoMapping() throws {
    let desk = try desk()
    let run = try desk.done("import march.csv april.csv")
    #expect(run.output.contains("from april.csv, using the mapping “Sparkasse”."))
    #expect(
      run.lines.dropLast().last == "Imported 1 transaction from 2 files, skipped 2 duplicates.")
    #expect(try balance(desk, "Checking") == "1938.00")
    let other = try desk.write("other.csv", "Day,Sum\n2026-01-01,5\n")
    let refused = try desk.run(["import", other])
    #expect(refused.status == 64 && refused.errors.contains("--preview"))
    // Flags stand above what is kept.
    let json = try desk.done("import april.csv --account Other --json").json()
    #expect(json["files"][0]["mapping"].string == "Sparkasse" && json["imported"].int == 1)
    let preview = try desk.done("import april.csv --preview")
    #expect(preview.output.contains("Used the mapping “Sparkasse”."))
    #expect(try desk.done("import april.csv --preview --json").json()["rowCount"].int == 1)
  }

  @Test func itFollowsItsAccount() throws {
    let desk = try desk()
    try desk.done("accounts rename Checking Giro")
    try desk.done("import april.csv")
    #expect(try balance(desk, "Giro") == "1938.00")
    #expect(try desk.done("accounts list --json").json()["accounts"].array.count == 1)
    let node = try desk.done("mappings list --json").named()["mappings"][0]
    #expect(node["account"].string == "Giro" && node["delimiter"].string == ";")
    #expect(node["header"].strings == ["Buchungstag", "Text", "Betrag"])
  }

  @Test func whereTwoFitOneIsAskedFor() throws {
    let desk = try desk()
    let shown = try desk.done("mappings show Sparkasse").output
    _ = try desk.write(
      "card.json", shown.replacingOccurrences(of: "\"Checking\"", with: "\"Card\""))
    try desk.done("mappings save Card card.json --for march.csv")
    let run = try desk.run("import april.csv")
    #expect(run.status == 64)
    #expect(run.errors.contains("2 mappings fit: Sparkasse, Card."), "\(run.errors)")
    #expect(run.errors.contains("--mapping"))
    try desk.done("import april.csv --mapping card")
    #expect(try balance(desk, "Card") == "-31.50")
    let wrong = try desk.run("import april.csv --mapping Sparkase")
    #expect(wrong.status == 66 && wrong.errors.contains("“Sparkasse”"), "\(wrong.errors)")
  }

  @Test func filesWithoutAHeaderAreKnownByTheirColumns() throws {
    let desk = try Desk()
    try desk.done("init --base EUR")
    _ = try desk.write("a.csv", "2026-01-01,5,x\n2026-01-02,6,y\n")
    _ = try desk.write("b.csv", "2026-02-01,7,x\n")
    _ = try desk.write("c.csv", "x,2026-02-01,7\n")
    try desk.done(
      "import a.csv --no-header --date-column 1 --amount-column 2 --currency EUR --account A "
        + "--keep-mapping Plain")
    try desk.done("import b.csv")
    #expect(try balance(desk, "A") == "18.00")
    #expect(try desk.run("import c.csv").status == 64)
  }

  @Test func itIsAnEntityLikeOthers() throws {
    let desk = try desk()
    let taken = try desk.run(["import", "march.csv", "--keep-mapping", "sparkasse"] + Self.flags)
    #expect(taken.status == 1 && taken.errors.contains("--force"), "\(taken.errors)")
    try desk.run(["import", "march.csv", "--keep-mapping", "Sparkasse", "--force"] + Self.flags)
    try desk.done("mappings rename Sparkasse Savings-bank")
    let history = try desk.done("history --json").output
    #expect(history.contains("Savings-bank") && history.contains("\"mapping\""), "\(history)")
    try desk.done("undo")
    #expect(try desk.done("mappings list").output.contains("Sparkasse"))
    // Its text is that of a mapping file.
    let shown = try desk.done("mappings show sparkasse").output
    _ = try desk.write("again.json", shown)
    let preview = try desk.done("import march.csv --mapping again.json --preview --json").json()
    #expect(preview["rowCount"].int == 2)
    try desk.done("import april.csv")
    let lines = try desk.done("export --format jsonl").output
    #expect(lines.contains("\n{\"mapping\":{"))
    _ = try desk.write("all.jsonl", lines)
    try desk.done("init --ledger Other.daybook")
    try desk.done("import all.jsonl --ledger Other.daybook")
    #expect(try desk.done("export --format jsonl --ledger Other.daybook").output == lines)
    #expect(
      try desk.done("import april.csv --ledger Other.daybook --json").json()["duplicates"].int == 1)
    #expect(try desk.done("verify --json").json()["findings"].text == "[]")
    let inUse = try desk.run("accounts delete Checking --with-rows")
    #expect(inUse.status != 0)
    try desk.done("mappings delete Sparkasse")
    #expect(try desk.done("mappings list").output.contains("No mappings."))
    let gone = try desk.run("mappings show Sparkasse")
    #expect(gone.status == 1 && gone.errors.contains("Couldn't find the mapping"), "\(gone.errors)")
  }

  @Test func aMappingThatDoesNotFitIsNotKept() throws {
    let desk = try desk()
    _ = try desk.write("other.csv", "Day,Sum\n2026-01-01,5\n")
    _ = try desk.write("bank.json", try desk.done("mappings show Sparkasse").output)
    let run = try desk.run("mappings save Other bank.json --for other.csv")
    #expect(run.status == 64, "\(run.errors)")
    #expect(try desk.done("mappings list --json").json()["mappings"].array.count == 1)
  }
}
