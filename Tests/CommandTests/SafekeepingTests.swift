// Goal: what is exported comes back equal, a backup is a ledger of its own, and neither overwrites what
// is there. Method: the sample household is exported, imported into an empty ledger and compared report
// by report; backups are made, restored and compared.
import Foundation
import Testing

@Suite struct SafekeepingTests {
  private static let reports = [
    "balance --json --today 2026-02-15", "balance --json --today 2025-06-30 --base USD",
    "months --json --today 2026-02-15 --count 24", "categories top --json --today 2026-02-15",
    "categories list --json", "list --json --sections --limit 40", "rate list --json",
  ]

  private func household() throws -> Desk {
    let desk = try Desk()
    try desk.done("init --base EUR --first-weekday sunday")
    try desk.done("sample sample --count 800 --years 2 --through 2026-02-15")
    try desk.done("accounts create Checking --opening 5000")
    try desk.run([
      "accounts", "create", "Credit card", "--kind", "liability", "--opening", "-12.50",
    ])
    try desk.done("rate import sample/rates.csv")
    try desk.done("import sample/household.csv --mapping sample/mapping.json")
    try desk.run([
      "add", "expense", "--account", "Checking", "--part", "Gifts=5", "--part", "Clothes=7.25",
      "--note", "comma, \"quote\"\nand line", "--on", "2026-02-14",
    ])
    return desk
  }

  private func figures(_ desk: Desk, ledger: String) throws -> [String] {
    try Self.reports.map { try desk.done("\($0) --ledger \(ledger)").output }
  }

  @Test func jsonLinesComeBackEqual() throws {
    let desk = try household()
    try desk.done("export --format jsonl --output all.jsonl")
    try desk.done("init --ledger other")
    try desk.done("import all.jsonl --ledger other")
    #expect(try figures(desk, ledger: "other") == figures(desk, ledger: desk.ledger))
    #expect(
      try desk.done("settings --json --ledger other").json()["settings"]["firstWeekday"].string
        == "sunday")
    try desk.done("export --format jsonl --output again.jsonl --ledger other")
    #expect(
      try String(contentsOfFile: desk.folder + "/again.jsonl", encoding: .utf8)
        == String(contentsOfFile: desk.folder + "/all.jsonl", encoding: .utf8))
    // A ledger that holds something is not overwritten.
    #expect(try desk.run("import all.jsonl --ledger other").status == 1)
  }

  @Test func postingsComeBackWithEqualFigures() throws {
    let desk = try household()
    let text = try desk.done("export --format csv").output
    _ = try desk.write("postings.csv", text)
    try desk.done("init --ledger other --base EUR")
    try desk.done("rate import sample/rates.csv --ledger other")
    try desk.done("import postings.csv --ledger other")
    for report in Self.reports.prefix(3) {
      let own = try desk.done(report).json()
      let other = try desk.done("\(report) --ledger other").json()
      for member in ["worth", "months"] where own[member].value != nil {
        #expect(own[member].text == other[member].text, "\(report)")
      }
    }
    let again = try desk.done("import postings.csv --ledger other --json").json()
    #expect(again["imported"].int == 0)
  }

  @Test func anExportReplacesNothingUnasked() throws {
    let desk = try household()
    let file = try desk.write("out.csv", "precious")
    #expect(try desk.run("export --format csv --output \(file)").status == 73)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "precious")
    try desk.done("export --format csv --output \(file) --force")
    #expect(try String(contentsOfFile: file, encoding: .utf8) != "precious")
    #expect(try desk.run("export --format csv --output no/such/folder.csv").status == 73)
  }

  /// A file may become no larger here than a disk that is full would let it.
  @Test func aDiskThatIsFullIsTold() throws {
    let desk = try household()
    let binary = try #require(Desk.binary)
    let script = "trap '' XFSZ; ulimit -f 8; exec \"$@\""
    for format in ["csv", "jsonl"] {
      let run = try desk.run(
        program: [
          "/bin/bash", "-c", script, "bash", binary, "export", "--format", format, "--output",
          "out",
        ])
      #expect(run.status == 74, "\(run.errors)")
      #expect(run.errors.contains("Couldn't write") && run.errors.contains("Free some space"))
    }
    let left = try FileManager.default.contentsOfDirectory(atPath: desk.folder)
    #expect(!left.contains { $0.hasPrefix("out") }, "\(left)")
    #if os(Linux)
      let pipe = [
        "/bin/bash", "-c", "exec \"$@\" > /dev/full", "bash", binary, "export", "--format", "csv",
      ]
      #expect(try desk.run(program: pipe).status == 74)
    #endif
  }

  @Test func nothingIsWrittenIntoABackup() throws {
    let desk = try household()
    let figures = try desk.done("balance --json --today 2026-02-15").output
    try desk.done("backup copy")
    let files = try FileManager.default.subpathsOfDirectory(atPath: desk.folder + "/copy")
    for line in [
      "add expense 1 --account Checking", "accounts create New", "rebuild", "compact",
      "import sample/household.csv --mapping sample/mapping.json",
    ] {
      let run = try desk.run("\(line) --ledger copy")
      #expect(run.status == 77, "\(line): \(run.errors)")
      #expect(
        run.errors.contains("is a backup") && run.errors.contains("daybook restore copy"),
        "\(run.errors)")
    }
    #expect(try desk.done("balance --json --today 2026-02-15 --ledger copy").output == figures)
    #expect(try desk.done("verify --ledger copy").output.contains("No problems found"))
    #expect(try FileManager.default.subpathsOfDirectory(atPath: desk.folder + "/copy") == files)
    try desk.done("restore copy --ledger restored")
    try desk.done("add expense 1 --account Checking --ledger restored")
  }

  @Test func aRestoredBackupHasEqualFiguresAndAnotherLineage() throws {
    let desk = try household()
    try desk.done("backup copy")
    #expect(try desk.run("backup copy").status == 73)
    try desk.done("add expense 1 --account Checking --category Gifts --on 2026-02-15")
    try desk.done("restore copy --ledger restored")
    let own = try desk.done("info --json").json()
    let restored = try desk.done("info --json --ledger restored").json()
    #expect(restored["sequence"].int == (own["sequence"].int ?? 0) - 1)
    #expect(restored["lineage"].string != own["lineage"].string)
    try desk.done(
      "add expense 1 --account Checking --category Gifts --on 2026-02-15 --ledger restored")
    #expect(
      try desk.done("balance --json --today 2026-02-15 --ledger restored").output
        == desk.done("balance --json --today 2026-02-15").output)
    #expect(try desk.done("verify --json --ledger restored").json()["findings"].text == "[]")
    #expect(try desk.run("restore copy --ledger restored").status == 73)
    #expect(try desk.run("restore nothing --ledger fresh").status == 66)
    #expect(!FileManager.default.fileExists(atPath: desk.folder + "/fresh"))
  }

  @Test func aBackupLiesApartFromTheLedger() throws {
    let desk = try Desk()
    try desk.done("init --base EUR")
    try desk.done("accounts create Checking --opening 5000")
    let files = FileManager.default
    try files.createSymbolicLink(
      atPath: desk.folder + "/link", withDestinationPath: desk.ledger)
    let before = try files.contentsOfDirectory(atPath: desk.ledger).sorted()
    for place in [desk.ledger + "/backup", "link/backup", desk.ledger + "/journal-0001/backup"] {
      let run = try desk.run(["backup", place])
      #expect(run.status == 73, "\(place): \(run.status)")
      #expect(
        run.errors.contains("is inside the ledger's folder")
          && run.errors.contains("Choose another folder."), "\(run.errors)")
      let json = try desk.run(["backup", place, "--json"])
      #expect(json.status == 73 && (json.output + json.errors).contains("\"nested\""))
    }
    #expect(try files.contentsOfDirectory(atPath: desk.ledger).sorted() == before)
    try desk.done("backup apart")
  }

  @Test func compactingAndRebuildingChangeNoFigure() throws {
    let desk = try household()
    let figures = try figures(desk, ledger: desk.ledger)
    let compacted = try desk.done("compact --json").json()
    #expect((compacted["byteCountBefore"].int ?? 0) >= (compacted["byteCountAfter"].int ?? 0))
    #expect((compacted["byteCountAfter"].int ?? 0) > 0)
    #expect(try desk.done("compact").output.contains("Compacted the journal through commit"))
    let rebuilt = try desk.done("rebuild --in-place-check --json").json()
    #expect((rebuilt["rowCount"].int ?? 0) > 0)
    #expect(rebuilt["findings"].array.isEmpty)
    #expect(try desk.done("rebuild --in-place-check").output.contains("No differences found."))
    #expect(try self.figures(desk, ledger: desk.ledger) == figures)
    #expect(try desk.done("info --json").json()["journalGeneration"].int == 3)
    #expect(try desk.done("verify --json").json()["findings"].text == "[]")
  }
}
